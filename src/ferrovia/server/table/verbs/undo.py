"""Undo: decisions are taken back.

At a table of people all must agree, and nothing may have been uncovered since (`Event.uncovers`):
nobody has learned anything by what is taken back, and the clock of the turn begins anew. At a
practice table, one person against bots, anything can be taken back. Where nobody else has to
agree, the clock goes on with what was left of it: taking back wins no time.
"""

from ferrovia.server.protocol import AnswerUndo, Undo
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.entries import UndoAgreed, UndoAsked, Undone, UndoRefused
from ferrovia.server.table.table import Actor, Table
from ferrovia.server.table.verbs.decide import require_running

ANSWER_SECONDS = 30.0
"""The time for the others to answer; after it nothing is undone."""

_PROBLEMS = {
    "nothing_to_undo": "this seat has decided nothing yet",
    "uncovered": "something was uncovered since, or others have chosen their first tickets",
}


class Undoer:
    """Takes back the last decision of a person, and what was decided after it."""

    def ask(self, table: Table, actor: Actor, command: Undo, now: float) -> UndoAsked | Undone:
        """Return the entry for a person who wants their last decision back."""
        seat = _player(table, actor)
        if not table.setup.practice or table.result is None:
            require_running(table)
        if table.undo_asked is not None:
            raise Refusal("undo_asked", "somebody asks for that already")
        if table.rematch is not None:
            raise Refusal("game_over", "there is a rematch already")
        if command.known < table.last_of_seat[seat]:
            raise Refusal("stale", "something has happened that this command did not know of")
        problem = table.why_not_undo(seat)
        if problem is not None:
            raise Refusal(problem, _PROBLEMS[problem])
        by, decision = actor.number, table.decisions_to_undo(seat)[0]
        first = decision.number
        if table.setup.practice or set(table.consenting) <= {seat}:
            left = decision.left
            return Undone(
                at=now,
                by=by,
                command=command.id,
                seat=seat,
                first=first,
                deadline=None if left is None else now + left,
            )
        until = now + ANSWER_SECONDS
        return UndoAsked(at=now, by=by, command=command.id, seat=seat, first=first, until=until)

    def answer(
        self, table: Table, actor: Actor, command: AnswerUndo, now: float
    ) -> list[UndoAgreed | UndoRefused | Undone]:
        """Return the entries for an answer: the last to agree undoes. Whoever asked can only
        think better of it.
        """
        seat = _player(table, actor)
        asked = table.undo_asked
        if asked is None or (seat == asked.seat and command.agree) or seat in asked.agreed:
            raise Refusal("not_asked", "nothing is asked of this seat")
        by = actor.number
        if not command.agree:
            return [UndoRefused(at=now, by=by, command=command.id, seat=seat)]
        agreed = UndoAgreed(at=now, by=by, command=command.id, seat=seat)
        if set(table.consenting) - {asked.seat, seat, *asked.agreed}:
            return [agreed]
        seconds = table.clock.seconds
        deadline = None if seconds is None else now + seconds
        undone = Undone(at=now, by=by, seat=asked.seat, first=asked.first, deadline=deadline)
        return [agreed, undone]

    def time_out(self, table: Table, now: float) -> list[UndoRefused]:
        """Return the entry for a request that nobody has answered in time."""
        if table.undo_asked is None or now < table.undo_asked.until:
            return []
        return [UndoRefused(at=now, seat=-1)]


def _player(table: Table, actor: Actor) -> int:
    if actor.seat is None:
        raise Refusal("not_seated", "only players can take something back")
    if table.status == "waiting":
        raise Refusal("not_started", "the game has not begun")
    if table.paused:
        raise Refusal("paused", "the game is paused")
    if table.bot_of(actor.seat) is not None:
        raise Refusal("away", "a bot plays for this seat: take it back first")
    return actor.seat
