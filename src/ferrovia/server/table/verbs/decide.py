"""Decide: the moves of the game."""

from collections.abc import Iterable

import msgspec

from ferrovia.game import (
    Action,
    DrawCard,
    Game,
    IllegalAction,
    InvalidAction,
    KeepTickets,
    Pass,
    Phase,
    TakeCard,
    View,
    WithdrawTunnel,
    read_action,
)
from ferrovia.server.protocol.from_client import Decide
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.context import Context
from ferrovia.server.table.entries import HOST, AnyEntry, Decided, Returned
from ferrovia.server.table.seat import Actor
from ferrovia.server.table.table import Table


def required_seat(table: Table, actor: Actor) -> int:
    """Return the seat of a person who decides in a running game; raises `Refusal` if none does."""
    if actor.seat is None:
        raise Refusal("not_seated", "spectators decide nothing")
    require_running(table)
    if table.pause.on:
        raise Refusal("paused", "the game is paused")
    if table.bot_of(actor.seat) is not None:
        raise Refusal("away", "a bot plays for this seat: take it back first")
    return actor.seat


def back_by_acting(table: Table, actor: Actor, now: float) -> list[Returned]:
    """Return the entry for a person who is awaited and acts, though a bot stands in for them
    because their time was up or others replaced them; an empty list for everybody else.
    """
    if actor.seat is None or table.pause.on or actor.seat not in table.awaited:
        return []
    if table.seats[actor.seat].left not in ("clock", "replaced"):
        return []
    return [Returned(at=now, by=actor.seat, seat=actor.seat, deadline=table.turn.deadline)]


def require_running(table: Table) -> None:
    """Raise `Refusal` unless the game has begun and is not over."""
    if table.status == "waiting":
        raise Refusal("not_started", "the game has not begun")
    if table.status == "over":
        raise Refusal("game_over", "the game is over")


def decide(context: Context, command: Decide) -> list[AnyEntry]:
    """Return the entries for the decision of a person. Whoever ran out of time or was replaced is
    back by deciding; whoever left says so first.
    """
    table, actor, now = context.table, context.actor, context.now
    returned = back_by_acting(table, actor, now)
    seat = returned[0].seat if returned else required_seat(table, actor)
    if command.known < table.basis(seat):
        raise Refusal("stale", "something has happened that this decision did not know of")
    played = _play(table, seat, command.action, now, seat, command.id)
    return [*returned, msgspec.structs.replace(played, bot="")]


def decide_for_bot(table: Table, seat: int, action: str, now: float) -> Decided:
    """Return the entry for the decision of a bot that sits there or stands in."""
    return _play(table, seat, action, now, HOST, None)


def decide_for_absent(table: Table, seats: Iterable[int], now: float) -> list[Decided]:
    """Return the entries for people whose time is up: what does the least harm, to the end of
    the turn or of the choice of tickets, and nothing of what comes after.
    """
    assert table.game is not None
    game, turns = _without_past(table.game), table.game.turns
    decided = []
    for seat in seats:
        clock = table.seats[seat].timeouts + 1
        while seat in game.awaited and game.turns == turns:
            action = str(harmless_action(game.view(seat)))
            entry = _play_on(table, game, seat, action, now, HOST, None)
            decided.append(msgspec.structs.replace(entry, bot="", clock=clock))
            clock = 0
    return decided


def _play(table: Table, seat: int, text: str, now: float, by: int, command: str | None) -> Decided:
    assert table.game is not None
    return _play_on(table, _without_past(table.game), seat, text, now, by, command)


def _play_on(
    table: Table,
    game: Game,
    seat: int,
    text: str,
    now: float,
    by: int,
    command: str | None,
) -> Decided:
    """Return the entry for a decision, which is played in `game`: a copy of the table's."""
    turns, start = game.turns, game.phase is Phase.START
    try:
        action = read_action(text)
        events = game.play(seat, action)
    except InvalidAction as problem:
        raise Refusal("invalid_action", str(problem)) from None
    except IllegalAction as problem:
        raise Refusal(
            "illegal_action", str(problem), reason=problem.reason, rule=problem.rule
        ) from None
    deadline = table.turn.deadline
    if table.clock.seconds is not None and game.turns != turns:
        deadline = now + table.clock.seconds
    return Decided(
        at=now,
        by=by,
        command=command,
        seat=seat,
        action=str(action),
        events=tuple(events),  # type: ignore[arg-type]
        start=start,
        bot=table.bot_of(seat) or "",
        deadline=None if game.over else deadline,
        result=game.result() if game.over else None,
    )


def _without_past(game: Game) -> Game:
    """Return a copy without its past events: they are not needed to go on, and take time."""
    return Game.standing_at(game.lexicon, game.names, game.seed, game.state, [])


_LEAST_HARM = (WithdrawTunnel, DrawCard, TakeCard, Pass)


def harmless_action(view: View) -> Action:
    """Return the legal action that binds a person the least: the fewest tickets, those of the
    fewest points; no tunnel; else a card from the deck, or a face-up one; else passing.
    """
    actions = view.legal_actions()
    keeps = [action for action in actions if isinstance(action, KeepTickets)]
    if keeps:
        worth = {ticket.id: ticket.points for ticket in view.edition.tickets}
        points = [worth[ticket] for ticket in view.offer]
        return min(keeps, key=lambda it: (len(it.numbers), sum(points[n - 1] for n in it.numbers)))
    for kind in _LEAST_HARM:
        for action in actions:
            if isinstance(action, kind):
                return action
    return actions[0]
