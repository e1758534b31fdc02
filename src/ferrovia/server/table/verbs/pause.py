"""Pause and resume: nobody decides and no clock runs in between.

Where a clock runs, a pause is agreed on: it begins when all people at the table have asked for it.
"""

from ferrovia.server.protocol import Pause, Resume
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.entries import PauseAsked, Paused, PauseDeclined, Resumed
from ferrovia.server.table.table import Actor, Table
from ferrovia.server.table.verbs.decide import require_running

AGREED_PAUSES = 3  # in a game of several people with a clock
OWN_PAUSES = 20  # of one seat in any other game


class Pauser:
    """Pauses a running game and resumes it, for those who play in it."""

    def pause(self, table: Table, actor: Actor, command: Pause, now: float) -> Paused | PauseAsked:
        """Return the entry for a pause, which keeps the seconds left on the clock, or for asking
        the others for one.
        """
        seat = _required_player(table, actor)
        if table.paused:
            raise Refusal("paused", "the game is paused already")
        agreed = table.clock.kind != "none" and len({*table.people, seat}) > 1
        if agreed and sum(table.pauses.values()) >= AGREED_PAUSES:
            raise Refusal("no_more_pauses", f"a game has {AGREED_PAUSES} pauses")
        if table.pauses.get(seat, 0) >= OWN_PAUSES:
            raise Refusal("no_more_pauses", f"a player has {OWN_PAUSES} pauses in a game")
        if agreed:
            if table.seats[seat].away:
                raise Refusal("away", "a bot plays for this seat: take it back first")
            if seat in table.pause_asked:
                raise Refusal("not_agreed", "the others have not agreed to a pause yet")
            if set(table.people) - {seat, *table.pause_asked}:
                return PauseAsked(at=now, by=seat, command=command.id, seat=seat)
        left = None if table.deadline is None else max(0.0, table.deadline - now)
        return Paused(at=now, by=seat, command=command.id, left=left)

    def resume(
        self, table: Table, actor: Actor, command: Resume, now: float
    ) -> Resumed | PauseDeclined:
        """Return the entry for the end of a pause, after which the clock goes on where it stopped;
        or for no pause, where others have asked for one.
        """
        seat = _required_player(table, actor)
        if not table.paused:
            if not table.pause_asked:
                raise Refusal("not_paused", "the game is not paused")
            return PauseDeclined(at=now, by=seat, command=command.id, seat=seat)
        deadline = None if table.paused_left is None else now + table.paused_left
        return Resumed(at=now, by=seat, command=command.id, deadline=deadline)


def _required_player(table: Table, actor: Actor) -> int:
    if actor.seat is None:
        raise Refusal("not_seated", "only players can pause a game")
    require_running(table)
    return actor.seat
