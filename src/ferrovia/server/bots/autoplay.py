"""What happens at a table without a person: bots decide, and clocks run out."""

import asyncio
from collections.abc import Callable

from ferrovia.game import View
from ferrovia.server.bots.pool import BotPool
from ferrovia.server.bots.question import question_for
from ferrovia.server.logs import note
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.authority import Authority
from ferrovia.server.table.commands import Verbs
from ferrovia.server.table.entries import AnyEntry
from ferrovia.server.table.table import Table


class Autoplay:
    """Does what is due at a table: the decisions of its bots, and stand-ins when time is up.

    Everything follows from the table as it is now, so `run` may be called at any time and by any
    number of servers: whoever is late writes nothing. No clock runs out before `clocks_from`.
    """

    def __init__(
        self,
        verbs: Verbs,
        pool: BotPool,
        metrics: Metrics,
        now: Callable[[], float],
        pace: float,
        clocks_from: float,
    ) -> None:
        self._verbs = verbs
        self._pool = pool
        self._metrics = metrics
        self._now = now
        self._pace = pace
        self._clocks_from = clocks_from

    async def run(self, authority: Authority) -> float | None:
        """Do all that is due; return the time of the next run, or None if there is none."""
        table = await authority.act(self._time_out)
        seat = table.awaited_bot
        while seat is not None:
            await self._play(authority, table, seat)
            table = await authority.table()
            seat = table.awaited_bot
        due = table.due
        return None if due is None else max(due, self._clocks_from)

    def _time_out(self, table: Table, now: float) -> list[AnyEntry]:
        unanswered = self._verbs.undo.time_out(table, now)
        if unanswered:
            return [*unanswered]
        if now < self._clocks_from:
            return []  # nobody loses time because the server was down
        return list(self._verbs.stand_in.time_out(table, now))

    async def _play(self, authority: Authority, table: Table, seat: int) -> None:
        number, changed = table.number, table.changed
        question = question_for(table, seat)
        assert table.game is not None
        view = table.game.view(seat)
        action = await self._pool.ask(question)
        # Always the same time after the last event: how long the bot took reveals nothing.
        await asyncio.sleep(max(0.0, changed + self._pace - self._now()))

        def decide(table: Table, now: float) -> list[AnyEntry]:
            if table.number != number:
                return []  # another server was faster, or the game is paused
            return [self._decide(table, seat, action, view, now)]

        await authority.act(decide)
        self._metrics.count("bot_decisions_total")

    def _decide(
        self, table: Table, seat: int, action: str | None, view: View, now: float
    ) -> AnyEntry:
        decide = self._verbs.decide.decide_for_bot
        if action is not None:
            try:
                return decide(table, seat, action, now)
            except Refusal as refusal:
                note("bot_failed", bot=table.bot_of(seat), problem=refusal.code)
        self._metrics.count("bot_failures_total")
        return decide(table, seat, plain_move(view), now)


def plain_move(view: View) -> str:
    """Return a legal move for a bot that has none: draw a card if possible, else the first move."""
    actions = [str(action) for action in view.legal_actions()]
    return "draw" if "draw" in actions else actions[0]
