"""A server that has not heard what another one wrote refuses nobody for what is no longer so."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol import from_client
from ferrovia.server.protocol.from_client import OpenSeat, PersonSeat
from ferrovia.server.refusals import Refusal
from ferrovia.server.settings import Limits, Settings
from ferrovia.server.store.journal import ThreadJournal
from ferrovia.server.store.sqlite.store import SqliteStore
from ferrovia.server.table.authority import Authority, Services
from ferrovia.server.table.context import Terms
from ferrovia.server.table.summary import new_table
from ferrovia.server.table.table import Table
from ferrovia.server.table.tokens import new_token
from ferrovia.server.table.verbs.create import create
from ferrovia.server.table.verbs.start import start
from ferrovia.server.table.viewers.audience import Viewer
from ferrovia.server.table.viewers.presence import Presences
from tests.server.support.tabletop import CATALOG


class Shared(SqliteStore):
    """A store of which servers hear nothing."""

    shared = True


class Servers:
    """Two servers at the table that Ada has set up; `two` has it in memory from its beginning, and
    has heard nothing since.
    """

    def __init__(self, folder: Path, **setup: Any) -> None:
        seats = (PersonSeat("Ada"), OpenSeat())
        self._request = from_client.CreateTable(**{"edition": "compass", "seats": seats, **setup})
        self.ada, self.bob = new_token(), new_token()
        self._store = Shared(folder / "games.sqlite")
        self._journal, self._terms = ThreadJournal(self._store), Terms(CATALOG, Settings())
        self._services = Services(
            self._store,
            self._journal,
            self._terms,
            Metrics(),
            lambda: 1.0,
            lambda *_: None,
            Presences(shared=False),
        )

    async def __aenter__(self) -> "Servers":
        created, answer = create(self._request, self.ada, 1.0, self._terms)
        self._store.append([new_table(answer.table, created, 1.0, self._terms)[1]])
        self.one, self.two = (Authority(answer.table, self._services) for _ in range(2))
        await self.two.table()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._journal.close()
        self._store.close()

    async def begin(self) -> Table:
        """Bob sits down and the game begins, at server one."""
        await self.one.join(from_client.JoinTable(name="Bob"), self.bob)
        table = await self.one.table()
        if table.status == "waiting":  # for everybody's part in the shuffle
            await self.one.act(lambda table, now: [start(table, now, self._terms)])
        return await self.one.table()


def test_a_server_that_is_behind_reads_before_it_refuses(tmp_path: Path) -> None:
    async def run() -> None:
        async with Servers(tmp_path) as servers:
            table = await servers.begin()
            assert table.game is not None
            action = str(table.game.legal_actions(1)[0])
            decide = from_client.Decide(id="once", known=table.number, action=action)
            number = await servers.one.execute(servers.bob, decide)
            # The answer was lost, and Bob asks the other server, for which he has no seat yet.
            assert await servers.two.execute(servers.bob, decide) == number
            ahead = from_client.Decide(id="again", known=number + 1, action=action)
            with pytest.raises(Refusal, match="ahead"):
                await servers.two.execute(servers.bob, ahead)

    asyncio.run(run())


async def _record(servers: Servers) -> None:
    assert await servers.two.record(servers.bob) is not None


async def _past(servers: Servers) -> None:
    assert (await servers.two.past(servers.bob)).actor.seat == 1


async def _past_with_its_log(servers: Servers) -> None:
    past = await servers.two.past(servers.bob, log=True)
    assert len(past.log) == past.table.number


async def _connect(servers: Servers) -> None:
    viewer = Viewer(servers.bob, Limits())
    await servers.two.connect(viewer, None)
    assert viewer.seat == 1


@pytest.mark.parametrize("door", [_record, _past, _past_with_its_log, _connect])
def test_who_has_just_sat_down_holds_a_seat_at_every_server(
    tmp_path: Path, door: Callable[[Servers], Awaitable[None]]
) -> None:
    async def run() -> None:
        async with Servers(tmp_path) as servers:
            await servers.begin()
            await door(servers)

    asyncio.run(run())


def test_a_seat_is_given_back_at_a_server_that_has_not_heard_of_it(tmp_path: Path) -> None:
    async def run() -> None:
        seats = (PersonSeat("Ada"), OpenSeat(), OpenSeat())
        async with Servers(tmp_path, edition="usa", seats=seats) as servers:
            await servers.one.join(from_client.JoinTable(name="Bob"), servers.bob)
            await servers.two.decline(servers.bob)
            assert [seat.kind for seat in (await servers.two.table()).seats][1] == "open"

    asyncio.run(run())


def test_somebody_is_let_in_again_by_a_server_that_has_not_heard_of_them(tmp_path: Path) -> None:
    async def run() -> None:
        async with Servers(tmp_path, seats=(OpenSeat(), OpenSeat()), room=True) as servers:
            await servers.one.join(from_client.JoinTable(name="Bob"), servers.bob)
            assert await servers.two.ask_entry(from_client.AskEntry(seat=0), new_token())

    asyncio.run(run())
