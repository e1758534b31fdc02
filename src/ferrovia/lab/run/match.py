"""One game between bots, through the same calls as a game of people."""

from collections.abc import Sequence

import numpy as np

from ferrovia.bots import Bot
from ferrovia.game import Action, BuildStation, ClaimRoute, Game, InvalidAction, View, read_action
from ferrovia.game.codec.actions import plain_code, target
from ferrovia.lab.run.bot_failure import SeatFailed
from ferrovia.rules import calls

_WAYS = 128  # more than the ways to pay for anything


def play_to_end(game: Game, bots: Sequence[Bot]) -> int:
    """Let the bots, one a seat, play a game to its end; return the number of decisions.

    SeatFailed where a bot raises an error or breaks a rule.
    """
    decisions = 0
    while not game.over:
        seat = game.awaited[0]
        view = game.view(seat)
        try:
            action = _decided(bots[seat], view)
            decisions += _decisions_in(game, seat, action)
            game.play(seat, action)
        except Exception as problem:
            raise SeatFailed(seat, problem) from problem
    return decisions


def _decided(bot: Bot, view: View) -> Action:
    action: object = bot.decide(view)
    if isinstance(action, str):
        return read_action(action)
    if not isinstance(action, Action):
        raise InvalidAction(f"decide returned {action!r}, which is no action")
    return action


def _decisions_in(game: Game, seat: int, action: Action) -> int:
    """Return how many decisions an action holds: how to pay is one if there are several ways."""
    if not isinstance(action, ClaimRoute | BuildStation):
        return 1
    goal = target(game.words, plain_code(game.words, action))
    assert goal is not None
    ways = calls.payments(game.words.book, game.state, seat, goal, np.empty(_WAYS, np.int16))
    return 2 if ways > 1 else 1
