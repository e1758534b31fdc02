"""Tournaments: who plays whom, and what is concluded from it."""

from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from ferrovia.boards import load_edition
from ferrovia.lab.results import Tally
from ferrovia.lab.run.run import play_run, simulate
from ferrovia.lab.tournament.elo import Rating, bounded, ratings
from ferrovia.lab.tournament.intervals import paired_share, wilson
from ferrovia.lab.tournament.matrix import matrix_svg
from ferrovia.lab.tournament.tournament import Standings, Tournament

BOTS = ("random", "greedy", "wary")


def tournament(games: int = 12, seats: int = 2, bots: tuple[str, ...] = BOTS) -> Tournament:
    return Tournament(load_edition("usa-classic"), bots, games, seed=5, seats=seats)


def played(what: Tournament) -> Standings:
    standings = Standings(what)
    for batch in play_run(what.plans, ()):
        standings.add(batch)
    return standings


@pytest.mark.parametrize("seats", [2, 4])
def test_every_pair_plays_every_seed_from_both_sides(seats: int) -> None:
    what = tournament(seats=seats)
    plans = what.plans
    assert len(plans) == 2 * len(list(combinations(BOTS, 2)))
    for there, back in zip(plans[::2], plans[1::2], strict=True):
        assert there.bots == there.bots[:2] * (seats // 2)
        assert back.bots == there.bots[1::-1] * (seats // 2)
        assert list(there.numbers) == list(back.numbers) == list(range(6))
        assert there.seed == back.seed == 5


@pytest.mark.parametrize("seats", [2, 4])
def test_standings_are_the_sums_of_the_games(seats: int) -> None:
    what = tournament(seats=seats)
    standings = played(what)
    assert standings.games == 36
    for (one, other), there, back in zip(
        what.pairs, what.plans[::2], what.plans[1::2], strict=True
    ):
        wins, points = 0.0, 0.0
        for plan in (there, back):
            tally = Tally(seats)
            for results in simulate(plan):
                tally.add(results)
            mine = [n for n, bot in enumerate(plan.bots) if bot == BOTS[one]]
            wins += sum(tally.win_share(seat) for seat in mine) / 2
            points += sum(tally.mean("total", seat) for seat in mine) / len(mine) / 2
        share = standings.share(one, other)
        back_share = standings.share(other, one)
        assert share is not None
        assert back_share is not None
        assert share.value == pytest.approx(wins)
        assert back_share.value == pytest.approx(1 - wins)
        assert standings.wins[one][other] == pytest.approx(12 * wins)
    assert standings.means(1)["points"] > standings.means(0)["points"] + 50
    assert standings.means(1)["tickets_kept"] >= standings.means(1)["tickets_completed"] > 1


@pytest.mark.parametrize("seats", [3, 5])
def test_with_an_odd_number_of_seats_every_bot_has_every_seat_alike(seats: int) -> None:
    what = tournament(games=4 * seats, seats=seats, bots=("random", "greedy"))
    sat = np.zeros((2, seats), int)
    for there, back in zip(what.plans[::2], what.plans[1::2], strict=True):
        assert list(there.numbers) == list(back.numbers)
        for mine, theirs in zip(there.bots, back.bots, strict=True):
            assert {mine, theirs} == {"random", "greedy"}
        for plan in (there, back):
            for seat, bot in enumerate(plan.bots):
                sat[what.bots.index(bot), seat] += plan.games
    assert (sat == 2 * seats).all()
    standings = played(what)
    assert standings.games == standings.played(0, 1) == 4 * seats
    share = standings.share(1, 0)
    assert share is not None
    assert share.value == pytest.approx(standings.wins[1][0] / (4 * seats))
    assert share.value > 0.9
    assert standings.means(1)["points"] > standings.means(0)["points"] + 50


def test_seeds_that_cannot_be_split_evenly_are_split_as_well_as_can_be() -> None:
    what = tournament(games=8, seats=3)
    assert [seating.seeds for seating in what.seatings] == [1, 1, 2]
    assert [seating.first for seating in what.seatings] == [0, 1, 2]
    assert played(tournament(games=2, seats=3)).games == 6


def test_a_tournament_that_is_not_over_has_standings() -> None:
    what = tournament()
    standings = Standings(what)
    run = play_run(what.plans, ())
    standings.add(next(run))
    assert standings.share(0, 1) is None, "no seed was played from both sides"
    standings.add(next(run))
    assert standings.share(0, 1) is not None
    assert (standings.played(0, 1), standings.played(1, 2)) == (12, 0)
    summary = standings.summary(0, 1000)
    assert len(summary["pairs"]) == 1
    assert [bot["elo"] is None for bot in summary["bots"]] == [False, False, True]
    assert "–" in matrix_svg(standings, "", 0, 1000)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"games": 11}, "must be even"),
        ({"seats": 6}, "2 to 5 players, not 6"),
        ({"bots": ("greedy",)}, "two bots or more"),
        ({"bots": ("greedy", "random", "greedy")}, "greedy is named twice"),
        ({"bots": ("greedy", "gredy")}, "did you mean greedy"),
    ],
)
def test_tournaments_that_cannot_be_played_are_refused(changes: dict, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        tournament(**changes)


def rated(*arguments: Any, **options: Any) -> list[Rating]:
    found = ratings(*arguments, **options)
    assert None not in found
    return [rating for rating in found if rating is not None]


def test_ratings_of_two_are_the_logarithm_of_the_odds() -> None:
    one, other = rated(np.array([[0.0, 300.0], [100.0, 0.0]]), anchor=1, at=1000)
    assert one.elo == pytest.approx(1000 + 400 * np.log10(3))
    assert (other.elo, other.error) == (1000, 0)
    assert one.error == pytest.approx(400 / np.log(10) / np.sqrt(400 * 0.75 * 0.25))


def test_ratings_find_again_what_results_were_made_from() -> None:
    true = np.array([1000.0, 1150, 900, 1300])
    chance = 1 / (1 + 10 ** ((true[None, :] - true[:, None]) / 400))
    np.fill_diagonal(chance, 0)
    found = rated(500 * chance, anchor=0, at=1000)
    assert [rating.elo for rating in found] == pytest.approx(true.tolist())


def test_ratings_are_those_that_make_the_results_most_likely() -> None:
    wins = np.array([[0, 60, 31], [40, 0, 55], [69, 45, 0]], float)
    found = np.array([rating.elo for rating in rated(wins)])

    def likelihood(elo: np.ndarray) -> float:
        chance = 1 / (1 + 10 ** ((elo[None, :] - elo[:, None]) / 400))
        return float((wins * np.log(chance)).sum())

    best = likelihood(found)
    for bot in (1, 2):
        for change in (-2, 2):
            other = found.copy()
            other[bot] += change
            assert likelihood(other) < best


def test_who_has_won_everything_is_rated_all_the_same() -> None:
    wins = np.array([[0, 10, 10], [0, 0, 5], [0, 5, 0]], float)
    assert not bounded(wins)
    assert bounded(wins + 0.5)
    found = rated(wins, anchor=1)
    assert np.isfinite([rating.elo for rating in found]).all()
    assert found[0].elo > found[1].elo + 200
    assert found[2].elo == pytest.approx(found[1].elo)


def test_wilsons_interval() -> None:
    """The figures of Wilson (1927) and of every textbook: 8 of 10."""
    share = wilson(0.8, 10)
    assert (share.low, share.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(1.0, 10).high == pytest.approx(1)
    assert wilson(1.0, 10).low == pytest.approx(0.7225, abs=1e-4)


def test_pairs_that_always_agree_count_once_and_others_never_more_than_twice() -> None:
    rng = np.random.default_rng(1)
    one = (rng.random(200) < 0.6).astype(float)
    other = (rng.random(200) < 0.6).astype(float)
    alike = paired_share(np.stack([one, one], axis=1))
    assert alike.low == pytest.approx(wilson(one.mean(), 200).low, abs=1e-3)
    opposed = paired_share(np.stack([one, 1 - one], axis=1))
    assert (opposed.low, opposed.high) == pytest.approx(wilson(0.5, 400)[1:])
    free = paired_share(np.stack([one, other], axis=1))
    assert alike.high - alike.low > free.high - free.low


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(1000):
        luck = rng.random((100, 1))
        pairs = (0.5 * luck + 0.5 * rng.random((100, 2)) < 0.5).astype(float)
        share = paired_share(pairs)
        held += share.low <= 0.5 <= share.high
    assert 930 <= held <= 985


def test_the_picture_shows_every_bot_and_every_pair() -> None:
    standings = played(tournament())
    tree = ElementTree.fromstring(matrix_svg(standings, "A <title>", 1, 1000))
    texts = ["".join(element.itertext()) for element in tree.iter() if element.tag.endswith("text")]
    assert all(texts.count(bot) == 2 for bot in BOTS)
    assert sum(text.endswith("%") for text in texts) == 6
    assert "A <title>" in texts


def test_both_sides_of_a_pair_go_forward_together() -> None:
    what = tournament(games=600, bots=("random", "greedy"))
    begun = [(batch.plan, batch.games.start) for batch in play_run(what.plans, ())]
    assert begun == [(0, 0), (1, 0), (0, 256), (1, 256)]
