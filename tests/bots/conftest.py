"""Batches of games between scripted bots."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from ferrovia.boards import load_edition
from ferrovia.bots.kernel.arena import play_games
from ferrovia.bots.kernel.results import RESULT
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.rules.state.layout import SCORE, STATE
from ferrovia.rules.state.log import COLUMNS


@dataclass
class Batch:
    """The games of one table of bots, as arrays over the games."""

    states: Any
    scores: Any
    results: Any
    rows: Any


def _play_batch(name: str, bots: Sequence[str], seeds: Sequence[bytes], rows: int = 0) -> Batch:
    games = len(seeds)
    batch = Batch(
        np.zeros((games, STATE.size), np.uint8),
        np.zeros((games, SCORE.size), np.uint8),
        np.zeros(games, RESULT.dtype),
        np.zeros((games, rows, COLUMNS), np.int16),
    )
    kinds = np.array([SCRIPTS.index(bot) for bot in bots])
    seeds_array = np.frombuffer(b"".join(seeds), np.uint8).reshape(games, 32).copy()
    book = lexicon_of(load_edition(name)).book
    play_games(book, batch.states, batch.scores, seeds_array, kinds, batch.results, batch.rows)
    return batch


@pytest.fixture
def play_batch() -> Callable[..., Batch]:
    """Plays an edition with these bots from these seeds, with room for a number of events."""
    return _play_batch
