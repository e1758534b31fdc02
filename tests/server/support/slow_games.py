"""A slow game over simulated days, and what it sends to the addresses of its players."""

import asyncio
import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ferrovia.server import Settings
from ferrovia.server.protocol import from_client
from ferrovia.server.protocol.clock import Clock
from ferrovia.server.rates import Rate, RateLimiters
from ferrovia.server.store.sqlite.store import SqliteStore
from ferrovia.server.table.authority import Authority
from tests.server.support.tables import tables_of
from tests.server.support.tabletop import SMALL_BOARD


class Sent(NamedTuple):
    """A request that would have gone out."""

    host: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class SlowGame:
    """Two people, who decide at random, a day and a half after each other. `status` is what is
    answered to all that is `sent`.
    """

    def __init__(self, authority: Authority, tokens: list[str], days: list[float]) -> None:
        self.authority, self.tokens = authority, tokens
        self.sent: list[Sent] = []
        self.status = 201
        self._days, self._chance, self._number = days, random.Random(5), 0

    async def post(self, host: str, path: str, headers: Mapping[str, str], body: bytes) -> int:
        self.sent.append(Sent(host, path, headers, body))
        return self.status

    async def command(self, seat: int, kind: Any, **more: Any) -> None:
        self._number += 1
        known = (await self.authority.table()).number
        command = kind(id=f"c{self._number}", known=known, **more)
        await self.authority.execute(self.tokens[seat], command)

    async def decide(self) -> None:
        """Make the next decision, and wait until what follows is sent."""
        table = await self.authority.table()
        assert table.game is not None
        self._days[0] += 86400 * 1.5
        seat = table.awaited[0]
        action = str(self._chance.choice(table.game.legal_actions(seat)))
        await self.command(seat, from_client.Decide, action=action)
        for _ in range(20):
            await asyncio.sleep(0)


@asynccontextmanager
async def slow_game(folder: Path, *names: str, **settings: Any) -> AsyncIterator[SlowGame]:
    """Begin a slow game at a server with these settings; the first of two people is the host."""
    days = [1_000_000.0]
    given = Settings(boards=(str(SMALL_BOARD),), clock_grace=0.0, **settings)
    store = SqliteStore(folder / "games.sqlite")
    tables = tables_of(given, store, now=lambda: days[0])
    await tables.open()
    try:
        seats = tuple(map(from_client.PersonSeat, names or ("Ada", "Bob")))
        request = from_client.CreateTable(edition="compass", seats=seats, clock=Clock("slow", 7))
        created = await tables.create(request, None)
        tokens = [held.token for held in created.held]
        game = SlowGame(tables.authority(created.table), tokens, days)
        tables._webhooks._post = game.post
        tables._webhooks._rates = RateLimiters(Rate(burst=1e9, per_second=1e9))
        yield game
    finally:
        await tables.close()
