"""The GPU plays the same games as the CPU, byte for byte. Skipped where there is no GPU."""

import numpy as np
import pytest

from ferrovia.boards import edition, editions
from ferrovia.errors import MissingExtra
from ferrovia.game.codec.lexicon import lexicon
from ferrovia.rules import calls, gpu
from ferrovia.rules.state.layout import SCORE, STATE

needs_gpu = pytest.mark.skipif(not gpu.available(), reason="no NVIDIA GPU and driver here")


@needs_gpu
@pytest.mark.gpu
@pytest.mark.parametrize("name", editions())
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_final_states_and_scores_equal_those_of_the_cpu(name: str, players: int) -> None:
    book = lexicon(edition(name)).book
    seeds = np.random.default_rng(players).integers(0, 256, (512, 32), dtype=np.uint8)
    states = np.zeros((len(seeds), STATE.itemsize), np.uint8)
    scores = np.zeros((len(seeds), SCORE.itemsize), np.uint8)
    decisions = calls.play_random_games(book, states, scores, seeds, players)
    on_gpu = gpu.play_random_games(book, seeds, players)
    assert (on_gpu[0] == states).all()
    assert (on_gpu[1] == scores).all()
    assert on_gpu[2] == decisions


@pytest.mark.skipif(gpu.available(), reason="there is a GPU here")
def test_without_a_gpu_the_reason_is_told() -> None:
    with pytest.raises((gpu.NoGpu, MissingExtra), match=r"ferrovia\[gpu\]|no NVIDIA GPU"):
        gpu.play_random_games(lexicon(edition("usa")).book, np.zeros((1, 32), np.uint8), 2)
