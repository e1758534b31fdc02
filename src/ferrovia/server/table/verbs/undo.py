"""Undo: decisions are taken back.

At a table of people all must agree, and nothing may have been uncovered since (`Event.uncovers`):
nobody has learned anything by what is taken back, and the clock of the turn begins anew. At a
practice table, one person against bots, anything can be taken back. Where nobody else has to
agree, the clock goes on with what was left of it: taking back wins no time. A decision is asked for
once: while somebody asks, nobody plays.
"""

from typing import Literal

from ferrovia.server.protocol.from_client import AnswerUndo, Undo
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.context import Context
from ferrovia.server.table.entries import AnyEntry, UndoAgreed, UndoAsked, Undone, UndoRefused
from ferrovia.server.table.seat import Actor
from ferrovia.server.table.table import Table
from ferrovia.server.table.verbs.decide import require_running

ANSWER_SECONDS = 30.0
"""The time for the others to answer; after it nothing is undone."""

_PROBLEMS = {
    "nothing_to_undo": "this seat has decided nothing that it has not asked for already",
    "uncovered": "something was uncovered since, or others have chosen their first tickets",
}


def undo(context: Context, command: Undo) -> list[AnyEntry]:
    """Return the entry for a person who wants their last decision back."""
    table, actor, now = context.table, context.actor, context.now
    seat = _player(table, actor)
    if not table.setup.practice or table.result is None:
        require_running(table)
    if table.undo.request is not None:
        raise Refusal("undo_asked", "somebody asks for that already")
    if table.rematch is not None:
        raise Refusal("game_over", "there is a rematch already")
    if command.known < table.last_of_seat[seat]:
        raise Refusal("stale", "something has happened that this command did not know of")
    problem = why_not(table, seat)
    if problem is not None:
        raise Refusal(problem, _PROBLEMS[problem])
    by, decision = actor.number, table.undo.from_last_of(seat)[0]
    first = decision.number
    if table.setup.practice or set(table.people) <= {seat}:
        left = decision.left
        deadline = None if left is None else now + left
        id = command.id
        return [Undone(at=now, by=by, command=id, seat=seat, first=first, deadline=deadline)]
    until = now + ANSWER_SECONDS
    return [UndoAsked(at=now, by=by, command=command.id, seat=seat, first=first, until=until)]


def answer_undo(context: Context, command: AnswerUndo) -> list[AnyEntry]:
    """Return the entries for an answer: the last to agree undoes. Whoever asked can only think
    better of it.
    """
    table, actor, now = context.table, context.actor, context.now
    seat = _player(table, actor)
    asked = table.undo.request
    if asked is None or (seat == asked.seat and command.agree) or seat in asked.agreed:
        raise Refusal("not_asked", "nothing is asked of this seat")
    by = actor.number
    if not command.agree:
        return [UndoRefused(at=now, by=by, command=command.id, seat=seat)]
    agreed = UndoAgreed(at=now, by=by, command=command.id, seat=seat)
    if set(table.people) - {asked.seat, seat, *asked.agreed}:
        return [agreed]
    seconds = table.clock.seconds
    deadline = None if seconds is None else now + seconds
    undone = Undone(at=now, by=by, seat=asked.seat, first=asked.first, deadline=deadline)
    return [agreed, undone]


def time_out(table: Table, now: float) -> list[AnyEntry]:
    """Return the entry for a request that nobody has answered in time."""
    if table.undo.request is None or now < table.undo.request.until:
        return []
    return [UndoRefused(at=now, seat=-1)]


def _player(table: Table, actor: Actor) -> int:
    if actor.seat is None:
        raise Refusal("not_seated", "only players can take something back")
    if table.status == "waiting":
        raise Refusal("not_started", "the game has not begun")
    if table.pause.on:
        raise Refusal("paused", "the game is paused")
    if table.bot_of(actor.seat) is not None:
        raise Refusal("away", "a bot plays for this seat: take it back first")
    return actor.seat


def why_not(table: Table, seat: int) -> Literal["nothing_to_undo", "uncovered"] | None:
    """Return why the last decision of a seat cannot be taken back; None if it can.

    At a table of people nobody may have learned anything since; and at the start, where all choose
    at the same time, nobody has to choose again because of another.
    """
    decisions = table.undo.from_last_of(seat)
    if not decisions:
        return "nothing_to_undo"
    if decisions[0].number in table.undo.refused:
        return "nothing_to_undo"
    if not table.setup.practice:
        others = any(decision.seat != seat for decision in decisions)
        if others and decisions[0].start:
            return "uncovered"
        if any(decision.uncovers for decision in decisions):
            return "uncovered"
    return None


def undoable(table: Table) -> tuple[int, ...]:
    """Return the seats of people who may ask now to take back their last decision."""
    if table.undo.request is not None or table.rematch is not None or table.pause.on:
        return ()
    if table.status != "running" and (table.result is None or not table.setup.practice):
        return ()
    decisions = table.undo.decisions
    if not table.setup.practice and decisions and decisions[-1].uncovers:
        return ()  # as most decisions do: whatever is taken back, the last one is
    return tuple(seat for seat in table.people if why_not(table, seat) is None)
