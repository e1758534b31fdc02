"""The strength of the scripts, with fixed seeds."""

import numpy as np
import pytest

from ferrovia.rules.state.layout import SCORE


def seeds(count):
    return [number.to_bytes(32, "big") for number in range(count)]


def test_greedy_beats_random_in_nearly_all_games(play_batch):
    for edition in ("usa-classic", "europe"):
        scores = play_batch(edition, ["greedy", "random"], seeds(200)).scores.view(SCORE)
        assert np.count_nonzero(scores["winners"] == 0b01) >= 198


def test_greedy_against_greedy_plays_as_published(play_batch):
    batch = play_batch("usa-classic", ["greedy", "greedy"], seeds(1000))
    assert 108 <= batch.scores.view(SCORE)["total"][:, 0, :2].mean() <= 117
    assert 82 <= batch.results["turns"].mean() <= 86


def share(play_batch, edition, a, b, seats, count=200):
    """How often the side of `a` wins, every seed twice with the sides swapped."""
    wins = 0.0
    for sides in ((a, b), (b, a)):
        bots = [sides[seat % 2] for seat in range(seats)]
        winners = play_batch(edition, bots, seeds(count)).scores.view(SCORE)["winners"]
        won = winners >> np.arange(seats) & 1
        mine = np.array([bot == a for bot in bots])
        wins += ((won * mine).sum(1) / won.sum(1)).sum()
    return wins / (2 * count)


@pytest.mark.parametrize(
    ("a", "b", "least", "most"),
    [
        ("wary", "greedy", 0.51, 0.65),
        ("racer", "greedy", 0.62, 0.78),
        ("racer", "wary", 0.55, 0.72),
    ],
)
def test_yardsticks_stand_to_each_other_as_published(play_batch, a, b, least, most):
    assert least <= share(play_batch, "usa-classic", a, b, 2) <= most


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("edition", ["usa-classic", "europe", "mega-europe"])
@pytest.mark.parametrize("other", ["greedy", "wary", "racer"])
def test_planner_beats_the_yardsticks(play_batch, edition, seats, other):
    assert share(play_batch, edition, "planner", other, seats, 100) >= 0.65


@pytest.mark.parametrize("other", ["greedy", "wary", "racer"])
def test_collector_beats_the_yardsticks(play_batch, other):
    assert share(play_batch, "usa-classic", "collector", other, 2) >= 0.6


@pytest.mark.parametrize(("edition", "seats"), [("usa-classic", 2), ("europe", 4)])
def test_stoker_stands_between_greedy_and_planner(play_batch, edition, seats):
    assert 0.6 <= share(play_batch, edition, "stoker", "greedy", seats, 100) <= 0.92
    assert 0.6 <= share(play_batch, edition, "planner", "stoker", seats, 100) <= 0.92
