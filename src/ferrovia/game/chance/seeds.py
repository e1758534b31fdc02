"""Seeds: 32 bytes that determine all random choices of a game, or of a bot."""

import hashlib
from collections.abc import Iterator

BYTES = 32


def seed_bytes(seed: bytes | int) -> bytes:
    """Return a seed of 32 bytes, or of a whole number that fits into them; ValueError otherwise."""
    if isinstance(seed, int) and 0 <= seed < 1 << (8 * BYTES):
        return seed.to_bytes(BYTES, "big")
    if isinstance(seed, int) or len(seed) != BYTES:
        raise ValueError("a seed is 32 bytes, or a whole number that fits into them")
    return bytes(seed)


def game_seed(run: int, game: int) -> bytes:
    """Return the seed of a game of a run; its bots draw on it too, each on a stream of its own.

    So a game can be played again alone, and how games are spread over workers changes nothing.
    """
    return next(game_seeds(run, range(game, game + 1)))


def game_seeds(run: int, games: range) -> Iterator[bytes]:
    """Yield the seeds of some games of a run. (What they share is hashed once.)"""
    shared = hashlib.sha256(f"ferrovia simulate\0{run}\0".encode())
    for game in games:
        own = shared.copy()
        own.update(b"%d" % game)
        yield own.digest()
