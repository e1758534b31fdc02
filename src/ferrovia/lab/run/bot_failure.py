"""A bot that fails in a game of a run: what happened, and which game it was."""

import traceback
from pathlib import Path

from ferrovia.errors import FerroviaError


class BotFailed(FerroviaError, RuntimeError):
    """A bot raised an error, could not be made, or chose an action that is not legal.

    `bot`, `bots`, `seat`, `game` and `seed` (that of the run) name the game, so that
    `ferrovia simulate` can play it again. `trace` is the traceback from the call of the bot on.
    """

    def __init__(
        self, bots: tuple[str, ...], seat: int, game: int, seed: int, problem: Exception
    ) -> None:
        self.bots = bots
        self.bot = bots[seat]
        self.seat = seat
        self.game = game
        self.seed = seed
        self.trace = "".join(traceback.format_exception(problem))
        super().__init__(
            f"the bot {self.bot} at seat {seat} failed in game {game} of seed {seed}: "
            f"{in_words(problem)}"
        )


class SeatFailed(FerroviaError, RuntimeError):
    """The bot of a seat failed; `problem` is what it raised. BotFailed says in which game."""

    def __init__(self, seat: int, problem: Exception) -> None:
        super().__init__(seat, problem)
        self.seat = seat
        self.problem = problem


def in_words(problem: Exception) -> str:
    """Return an error in one line, with the file and line where it was raised."""
    message = " ".join(str(problem).split())
    if isinstance(problem, FerroviaError):
        return message
    kind = type(problem).__name__
    frames = traceback.extract_tb(problem.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return (f"{kind}: {message}" if message else kind) + place
