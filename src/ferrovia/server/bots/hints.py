"""Hints: what a bot would do in somebody's place. Nothing is written or sent to others."""

import asyncio

from ferrovia.server.bots.pool import BotPool
from ferrovia.server.bots.question import hint_question
from ferrovia.server.bots.queue import Standing
from ferrovia.server.catalog import Catalog, level_names
from ferrovia.server.protocol import from_client, from_server
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.authority import Authority
from ferrovia.server.table.seat import SPECTATOR


class Hints:
    """Answers requests for hints, one at a time: the bots at the tables never wait for long."""

    def __init__(self, catalog: Catalog, pool: BotPool) -> None:
        self._catalog = catalog
        self._pool = pool
        self._turn = asyncio.Semaphore()

    async def answer(
        self,
        authority: Authority,
        token: str | None,
        request: from_client.AskHint,
        address: str = "",
    ) -> from_server.Hint:
        """Return a hint for the holder of a token, who is at an address; raises `Refusal` if there
        is none.
        """
        async with self._turn:
            table = await authority.table()
            bot = self._catalog.bot(request.bot) if request.bot else level_names()[-1]
            number = table.number
            question = hint_question(table, table.actor(token) or SPECTATOR, bot)
            choice = await self._pool.ask(question, lambda: Standing(0, address))
        if choice.action is None:
            raise Refusal("no_hint", f"the bot '{bot}' found no answer in time")
        return from_server.Hint(
            id=request.id, number=number, bot=bot, action=choice.action, why=choice.why
        )
