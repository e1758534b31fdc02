"""What a person types in a text game: found beforehand, as the same seed deals the same game."""

from collections.abc import Sequence

from ferrovia.bots import make
from ferrovia.game import Game


def typed_game(edition: str, name: str, bots: Sequence[str], seed: int) -> tuple[str, Game]:
    """Return the lines of somebody at seat 0 who plays as greedy would, and the finished game."""
    game = Game(edition, [name, *(f"bot:{bot}" for bot in bots)], seed=seed)
    players = [make(bot, seed) for bot in ("greedy", *bots)]
    lines = []
    while not game.over:
        seat = game.awaited[0]
        action = players[seat].decide(game.view(seat))
        if seat == 0:
            lines.append(str(action).replace("tickets", "draw tickets"))
        game.play(seat, action)
    return "\n".join(lines) + "\n", game
