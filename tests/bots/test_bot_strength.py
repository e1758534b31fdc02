"""The strength of the yardsticks, with fixed seeds."""

import numpy as np

from ferrovia.bots.arena import TURNS
from ferrovia.rules.layout import SCORE


def seeds(count):
    return [number.to_bytes(32, "big") for number in range(count)]


def test_greedy_beats_random_in_nearly_all_games(play_batch):
    for edition in ("usa-classic", "europe"):
        scores = play_batch(edition, ["greedy", "random"], seeds(200)).scores.view(SCORE)
        assert np.count_nonzero(scores["winners"] == 0b01) >= 198


def test_greedy_against_greedy_plays_as_published(play_batch):
    batch = play_batch("usa-classic", ["greedy", "greedy"], seeds(1000))
    assert 108 <= batch.scores.view(SCORE)["total"][:, 0, :2].mean() <= 117
    assert 82 <= batch.counts[:, TURNS].mean() <= 86
