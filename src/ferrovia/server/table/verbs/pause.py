"""Pause and resume: nobody decides and no clock runs in between.

Where a clock runs, a pause is agreed on: it begins when all people at the table have asked for it.
"""

from ferrovia.server.protocol.from_client import Pause, Resume
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.context import Context
from ferrovia.server.table.entries import AnyEntry, PauseAsked, Paused, PauseDeclined, Resumed
from ferrovia.server.table.verbs.decide import require_running

AGREED_PAUSES = 3  # in a game of several people with a clock
OWN_PAUSES = 20  # of one seat in any other game


def pause(context: Context, command: Pause) -> list[AnyEntry]:
    """Return the entry for a pause, which keeps the seconds left on the clock, or for asking the
    others for one.
    """
    table, seat, now = context.table, _required_player(context), context.now
    if table.pause.on:
        raise Refusal("paused", "the game is paused already")
    agreed = table.clock.kind != "none" and len({*table.people, seat}) > 1
    if agreed and sum(table.pause.taken.values()) >= AGREED_PAUSES:
        raise Refusal("no_more_pauses", f"a game has {AGREED_PAUSES} pauses")
    if table.pause.taken.get(seat, 0) >= OWN_PAUSES:
        raise Refusal("no_more_pauses", f"a player has {OWN_PAUSES} pauses in a game")
    if agreed:
        if table.seats[seat].away:
            raise Refusal("away", "a bot plays for this seat: take it back first")
        if seat in table.pause.asked:
            raise Refusal("not_agreed", "the others have not agreed to a pause yet")
        if set(table.people) - {seat, *table.pause.asked}:
            return [PauseAsked(at=now, by=seat, command=command.id, seat=seat)]
    deadline = table.turn.deadline
    left = None if deadline is None else max(0.0, deadline - now)
    return [Paused(at=now, by=seat, command=command.id, left=left)]


def resume(context: Context, command: Resume) -> list[AnyEntry]:
    """Return the entry for the end of a pause, after which the clock goes on where it stopped; or
    for no pause, where others have asked for one.
    """
    table, seat, now = context.table, _required_player(context), context.now
    if not table.pause.on:
        if not table.pause.asked:
            raise Refusal("not_paused", "the game is not paused")
        return [PauseDeclined(at=now, by=seat, command=command.id, seat=seat)]
    left = table.pause.left
    deadline = None if left is None else now + left
    return [Resumed(at=now, by=seat, command=command.id, deadline=deadline)]


def _required_player(context: Context) -> int:
    if context.actor.seat is None:
        raise Refusal("not_seated", "only players can pause a game")
    require_running(context.table)
    return context.actor.seat
