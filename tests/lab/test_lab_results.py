"""The sums of many games."""

import numpy as np

from ferrovia.lab.results import RESULT, Tally
from ferrovia.lab.run.plan import game_seed


def rows(*games: tuple[int, tuple[int, ...]]) -> np.ndarray:
    results = np.zeros(len(games), RESULT)
    for row, (winners, totals) in zip(results, games, strict=True):
        row["winners"] = winners
        row["total"][: len(totals)] = totals
        row["turns"], row["decisions"] = 100, 200
    return results


def test_a_shared_win_counts_as_a_fraction() -> None:
    tally = Tally(3)
    tally.add(rows((0b001, (90, 80, 70)), (0b011, (90, 90, 10)), (0b111, (1, 1, 1))))
    assert [round(tally.win_share(seat) * 18) for seat in range(3)] == [11, 5, 2]
    assert sum(map(tally.win_share, range(3))) == 1
    assert tally.mean("total", 0) == (90 + 90 + 1) / 3


def test_the_order_of_adding_changes_nothing() -> None:
    games = rows((1, (5, 6)), (2, (7, -8)), (3, (9, 9)), (1, (-30, 2)))
    one, other = Tally(2), Tally(2)
    one.add(games)
    for at in (2, 0, 3, 1):
        other.add(games[at : at + 1])
    assert one == other
    assert one.summary(("a", "b")) == other.summary(("a", "b"))


def test_nothing_played_is_no_error() -> None:
    assert Tally(2).summary(("a", "b")) == {"games": 0, "seats": []}


def test_the_seeds_of_a_run_never_change() -> None:
    """Whoever has written down a seed finds the same games in every later version."""
    assert game_seed(7, 123).hex().startswith("507a152f2cc37d35")
    assert len({game_seed(run, game) for run in range(20) for game in range(20)}) == 400
