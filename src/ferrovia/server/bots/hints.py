"""Hints: what a bot would do in somebody's place. Nothing is written or sent to others."""

import asyncio
from collections.abc import Callable

from ferrovia.server.bots.pool import BotPool
from ferrovia.server.bots.question import hint_question
from ferrovia.server.catalog import Catalog, level_names
from ferrovia.server.processes.queue import FairQueue, QueueFull, Standing
from ferrovia.server.protocol import from_client, from_server
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.authority import Authority
from ferrovia.server.table.seat import SPECTATOR

_WAITING = 50
_WAITING_OF_SITE = 8


class Hints:
    """Answers requests for hints, one at a time: the bots at the tables never wait for long. Sites
    take turns, and whoever has gone has none.
    """

    def __init__(self, catalog: Catalog, pool: BotPool) -> None:
        self._catalog = catalog
        self._pool = pool
        self._queue = FairQueue(1, _WAITING, _WAITING_OF_SITE)

    async def answer(
        self,
        authority: Authority,
        token: str | None,
        request: from_client.AskHint,
        site: str = "",
        gone: Callable[[], bool] = lambda: False,
    ) -> from_server.Hint:
        """Return a hint for the holder of a token; raises `Refusal` if there is none."""
        standing = Standing(0, site)
        try:
            await self._queue.enter(lambda: standing)
        except QueueFull:
            raise Refusal("too_fast", "too many wait for a hint") from None
        began = asyncio.get_running_loop().time()
        try:
            if gone():
                raise Refusal("no_hint", "nobody waits for it any more")
            table = await authority.table()
            bot = self._catalog.bot(request.bot) if request.bot else level_names()[-1]
            number = table.number
            question = hint_question(table, table.actor(token) or SPECTATOR, bot)
            choice = await self._pool.ask(question, lambda: standing)
        finally:
            self._queue.leave(site, asyncio.get_running_loop().time() - began)
        if choice.action is None:
            raise Refusal("no_hint", f"the bot '{bot}' found no answer in time")
        return from_server.Hint(
            id=request.id, number=number, bot=bot, action=choice.action, why=choice.why
        )
