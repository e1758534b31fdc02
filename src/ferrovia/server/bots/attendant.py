"""Attending to what people do not do: the decisions of bots, and clocks that run out."""

import asyncio
from collections.abc import Callable

from ferrovia.game import View
from ferrovia.server.bots.pool import Thinkers
from ferrovia.server.bots.question import question_for
from ferrovia.server.logs import note
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.authority import Authority
from ferrovia.server.table.commands import Verbs
from ferrovia.server.table.entries import AnyEntry
from ferrovia.server.table.table import Table


class Attendant:
    """Does at a table what the server has to do by itself.

    Everything is worked out from the table as it stands, so it may be called at any time, by any
    number of servers: what comes too late writes nothing.
    """

    def __init__(
        self,
        verbs: Verbs,
        thinkers: Thinkers,
        metrics: Metrics,
        now: Callable[[], float],
        pace: float,
        clocks_from: float,
    ) -> None:
        self._verbs = verbs
        self._thinkers = thinkers
        self._metrics = metrics
        self._now = now
        self._pace = pace
        self._clocks_from = clocks_from

    async def attend(self, authority: Authority) -> float | None:
        """Do all that is due; gives the time when to come again, or None."""
        table = await authority.act(self._time_out)
        seat = table.awaited_bot
        while seat is not None:
            await self._play(authority, table, seat)
            table = await authority.look()
            seat = table.awaited_bot
        due = table.due
        return None if due is None else max(due, self._clocks_from)

    def _time_out(self, table: Table, now: float) -> list[AnyEntry]:
        if now < self._clocks_from:
            return []  # nobody loses time because the server was away
        return list(self._verbs.stand_in.time_out(table, now))

    async def _play(self, authority: Authority, table: Table, seat: int) -> None:
        number, changed = table.number, table.changed
        question = question_for(table, seat)
        assert table.game is not None
        view = table.game.view(seat)
        action = await self._thinkers.think(question)
        # Always the same time after the last event, however long the bot has thought.
        await asyncio.sleep(max(0.0, changed + self._pace - self._now()))

        def decide(table: Table, now: float) -> list[AnyEntry]:
            if table.number != number:
                return []  # somebody was faster, or the game is paused: look again
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
    """A legal move for a bot that has none: a card if that is possible, else the first there is."""
    actions = [str(action) for action in view.legal_actions()]
    return "draw" if "draw" in actions else actions[0]
