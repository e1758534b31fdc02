"""One game between bots, through the same calls as a game of people."""

from collections.abc import Sequence

from ferrovia.bots import Bot
from ferrovia.game import Action, Game, InvalidAction, View, read_action
from ferrovia.game.codec.actions import codes_of
from ferrovia.lab.run.bot_failure import SeatFailed


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
            decisions += len(codes_of(game.lexicon, game.state, seat, action))
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
