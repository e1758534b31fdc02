"""Seeds of a run: every game has its own, found from the number of the run and of the game.

So a game can be played again alone, and how the games are spread over workers changes nothing.
"""

import hashlib


def game_seed(run: int, game: int) -> bytes:
    """The seed of a game of a run; its bots draw on the same seed, each on a stream of its own."""
    return hashlib.sha256(f"ferrovia simulate\0{run}\0{game}".encode()).digest()
