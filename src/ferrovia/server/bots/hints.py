"""Hints: what a bot would do in somebody's place. Nothing is written or sent to others."""

import asyncio

from ferrovia.server import protocol
from ferrovia.server.bots.pool import BotPool
from ferrovia.server.bots.question import hint_question
from ferrovia.server.bots.queue import Standing
from ferrovia.server.bots.readiness import Readiness, deciding_bot
from ferrovia.server.lobby.catalog import Catalog, level_names
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.authority import Authority
from ferrovia.server.table.table import SPECTATOR, Table


class Hints:
    """Answers requests for hints, one at a time: the bots at the tables never wait for long."""

    def __init__(self, catalog: Catalog, pool: BotPool, readiness: Readiness) -> None:
        self._catalog = catalog
        self._pool = pool
        self._readiness = readiness
        self._turn = asyncio.Semaphore()

    async def answer(
        self,
        authority: Authority,
        token: str | None,
        request: protocol.AskHint,
        address: str = "",
    ) -> protocol.Hint:
        """Return a hint for the holder of a token, who is at an address; raises `Refusal` if there
        is none.
        """
        async with self._turn:
            table = await authority.table()
            if request.bot is not None:
                bot = self._catalog.bot(request.bot)
            else:
                bot = self._best_level(table)
            number = table.number
            question = hint_question(table, table.actor(token) or SPECTATOR, bot)
            choice = await self._pool.ask(question, lambda: Standing(0, address))
        if choice.action is None:
            raise Refusal("no_hint", f"the bot '{bot}' found no answer in time")
        return protocol.Hint(
            id=request.id, number=number, bot=bot, action=choice.action, why=choice.why
        )

    def _best_level(self, table: Table) -> str:
        levels = level_names()
        return [it for it in levels if self._readiness.has(deciding_bot(table, it))][-1]
