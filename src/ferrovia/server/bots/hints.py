"""Hints: what a bot would do in the place of somebody who asks. Nothing is written or told."""

import asyncio

from ferrovia.server import protocol
from ferrovia.server.bots.pool import Thinkers
from ferrovia.server.bots.question import hint_question
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.authority import Authority
from ferrovia.server.table.catalog import Catalog, level_names
from ferrovia.server.table.table import SPECTATOR


class Hints:
    """One hint at a time is thought about, so that the bots at the tables never wait for long."""

    def __init__(self, catalog: Catalog, thinkers: Thinkers) -> None:
        self._catalog = catalog
        self._thinkers = thinkers
        self._turn = asyncio.Semaphore()

    async def give(
        self, authority: Authority, token: str | None, wish: protocol.AskHint
    ) -> protocol.Hint:
        """A hint for the holder of a token; Refusal when there is none to give."""
        bot = level_names()[-1] if wish.bot is None else self._catalog.bot(wish.bot)
        async with self._turn:
            table = await authority.look()
            number = table.number
            question = hint_question(table, table.actor(token) or SPECTATOR, bot)
            action = await self._thinkers.think(question)
        if action is None:
            raise Refusal("no_hint", f"the bot '{bot}' found no answer in time")
        return protocol.Hint(id=wish.id, number=number, bot=bot, action=action)
