"""The decisions of a recorded game, each with the state of the kernel before and after it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from ferrovia.game import actions
from ferrovia.game.codec.actions import action_behind
from ferrovia.game.game import Game
from ferrovia.game.records.steps import replay_steps_of_table
from ferrovia.kernel import Buffer


class Decision(NamedTuple):
    """What a seat decided: the step of the film that it is, from 1 on; the numbers of its events,
    from `begin` to before `end`; the turn, from 1 on, 0 in the set-up. The states are those of the
    kernel, with all secrets.
    """

    step: int
    begin: int
    end: int
    seat: int
    turn: int
    action: actions.Action
    before: Buffer
    after: Buffer


def decisions_of(game: Game) -> Iterator[Decision]:
    """Yield the decisions of a game that was replayed or played, in order."""
    _, steps = replay_steps_of_table(game.record())
    before = steps[0].state
    for number, step in enumerate(steps[1:], start=1):
        happened = game.events[step.first : step.end]
        decisive: Any = next(event for event in happened if event.decides)
        seat: int = decisive.player
        action = action_behind(game.lexicon, before, seat, decisive)
        yield Decision(number, step.first, step.end, seat, step.turn, action, before, step.state)
        before = step.state


def start_state(game: Game) -> Buffer:
    """Return the state right after the deal of a game that was replayed or played."""
    return replay_steps_of_table(game.record())[1][0].state
