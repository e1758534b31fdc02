"""What happens at a table without a person: bots decide, and clocks run out."""

import asyncio
from collections.abc import Callable, Hashable

from ferrovia.game import View
from ferrovia.server.bots.pace import Pace
from ferrovia.server.bots.pool import BotChoice, BotPool
from ferrovia.server.bots.question import question_for
from ferrovia.server.logs import note
from ferrovia.server.metrics import Metrics
from ferrovia.server.processes.queue import Standing
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.authority import Authority
from ferrovia.server.table.commands import time_out
from ferrovia.server.table.context import Terms
from ferrovia.server.table.entries import AnyEntry
from ferrovia.server.table.table import Table
from ferrovia.server.table.verbs.decide import decide_for_bot


class Autoplay:
    """Does what is due at a table: the decisions of its bots, and what follows when time is up.

    Everything follows from the table as it is now, so `run` may be called at any time and by any
    number of servers: whoever is late writes nothing. Bots alone play while somebody looks on. No
    clock runs out before `clocks_from`. `standing` says how a table stands in the queue for the
    bots.
    """

    def __init__(
        self,
        terms: Terms,
        pool: BotPool,
        metrics: Metrics,
        now: Callable[[], float],
        pace: float,
        clocks_from: float,
        standing: Callable[[Authority, Table], Standing] = lambda *_: Standing(),
    ) -> None:
        self._terms = terms
        self._pool = pool
        self._metrics = metrics
        self._now = now
        self._pace = pace
        self._clocks_from = clocks_from
        self._standing = standing
        self._bounds = Pace()

    async def run(self, authority: Authority) -> float | None:
        """Do all that is due; return the time of the next run, or None if there is none."""
        table = await authority.act(self._time_out)
        seat = table.awaited_bot
        while seat is not None:
            if table.bots_play_alone and not authority.watched:
                return None  # the next who comes sets the alarm
            await self._play(authority, table, seat)
            table = await authority.table()
            seat = table.awaited_bot
        due = table.due
        return None if due is None else max(due, self._clocks_from)

    def _time_out(self, table: Table, now: float) -> list[AnyEntry]:
        if now < self._clocks_from:
            return []  # nobody loses time because the server was down
        return time_out(table, now, self._terms)

    async def _play(self, authority: Authority, table: Table, seat: int) -> None:
        number, changed = table.moved, table.changed
        question = question_for(table, seat)
        assert table.game is not None
        view = table.game.view(seat)
        kind = (question.bot, table.game.phase, len(table.seats))
        asked = asyncio.get_running_loop().time()
        choice = await self._pool.ask(question, lambda: self._standing(authority, table))
        self._metrics.observe("bot_wait_seconds", choice.began - asked)
        await asyncio.sleep(self._rest(kind, changed, choice))
        action = choice.action

        def decide(table: Table, now: float) -> list[AnyEntry]:
            if table.moved != number:
                return []  # another server was faster, or the game is paused
            return [self._decide(table, seat, action, view, now)]

        await authority.act(decide)
        self._metrics.count("bot_decisions_total")

    def _rest(self, kind: Hashable, changed: float, choice: BotChoice) -> float:
        """Return how many seconds to wait before an answer is seen (see pace.py).

        That is always the same time after the last event, and if the question had to wait, the same
        time after its turn came, for decisions of a kind that everybody can see.
        """
        rest = changed + self._pace - self._now()
        if not choice.first and self._pace:
            bound = choice.began + self._bounds.bound(kind, choice.took)
            rest = max(rest, bound - asyncio.get_running_loop().time())
        return max(0.0, rest)

    def _decide(
        self, table: Table, seat: int, action: str | None, view: View, now: float
    ) -> AnyEntry:
        if action is not None:
            try:
                return decide_for_bot(table, seat, action, now)
            except Refusal as refusal:
                note("bot_failed", bot=table.bot_of(seat), problem=refusal.code)
        self._metrics.count("bot_failures_total")
        return decide_for_bot(table, seat, plain_move(view), now)


def plain_move(view: View) -> str:
    """Return a legal move for a bot that has none: draw a card if possible, else the first move."""
    actions = [str(action) for action in view.legal_actions()]
    return "draw" if "draw" in actions else actions[0]
