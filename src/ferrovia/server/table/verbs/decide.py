"""Decide: the moves of the game."""

from ferrovia.game import Game, IllegalAction, InvalidAction, Phase, read_action
from ferrovia.server.protocol import Decide
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.entries import HOST, Decided
from ferrovia.server.table.table import Actor, Table


def required_seat(table: Table, actor: Actor) -> int:
    """Return the seat of a person who decides in a running game; raises `Refusal` if none does."""
    if actor.seat is None:
        raise Refusal("not_seated", "spectators decide nothing")
    require_running(table)
    if table.paused:
        raise Refusal("paused", "the game is paused")
    if table.bot_of(actor.seat) is not None:
        raise Refusal("away", "a bot plays for this seat: take it back first")
    return actor.seat


def require_running(table: Table) -> None:
    """Raise `Refusal` unless the game has begun and is not over."""
    if table.status == "waiting":
        raise Refusal("not_started", "the game has not begun")
    if table.status == "over":
        raise Refusal("game_over", "the game is over")


class Decider:
    """Finds the outcome of a decision, on a copy of the game."""

    def decide(self, table: Table, actor: Actor, command: Decide, now: float) -> Decided:
        """Return the entry for the decision of a person."""
        seat = required_seat(table, actor)
        if command.known < table.basis(seat):
            raise Refusal("stale", "something has happened that this decision did not know of")
        return self._play(table, seat, command.action, now, seat, command.id)

    def decide_for_bot(self, table: Table, seat: int, action: str, now: float) -> Decided:
        """Return the entry for the decision of a bot that sits there or stands in."""
        return self._play(table, seat, action, now, HOST, None)

    def _play(
        self, table: Table, seat: int, text: str, now: float, by: int, command: str | None
    ) -> Decided:
        before = table.game
        assert before is not None
        # Without its past events: they are not needed to go on, and copying them takes time.
        game = Game.standing_at(before.words, before.names, before.seed, before.state, [])
        try:
            action = read_action(text)
            events = game.play(seat, action)
        except InvalidAction as problem:
            raise Refusal("invalid_action", str(problem)) from None
        except IllegalAction as problem:
            raise Refusal(
                "illegal_action", str(problem), reason=problem.reason, rule=problem.rule
            ) from None
        deadline = table.deadline
        if table.clock.seconds is not None and game.turns != before.turns:
            deadline = now + table.clock.seconds
        return Decided(
            at=now,
            by=by,
            command=command,
            seat=seat,
            action=str(action),
            events=tuple(events),  # type: ignore[arg-type]
            start=before.phase is Phase.START,
            bot=table.bot_of(seat) or "",
            deadline=None if game.over else deadline,
            result=game.result() if game.over else None,
        )
