"""The sums of many games."""

from ferrovia.game.chance.seeds import game_seed
from ferrovia.lab.results import RESULT, Results, Tally
from ferrovia.rules.state.layout import SEATS


def rows(*games: tuple[int, tuple[int, ...]]) -> Results:
    memory = RESULT.new(len(games))
    for place, (winners, totals) in enumerate(games):
        row = RESULT.of(memory, place)
        row.winners, row.turns, row.decisions = winners, 100, 200
        row.total = [*totals, *[0] * (SEATS - len(totals))]
    return Results(memory)


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
    assert one.summary(("a", "b")) == other.summary(("a", "b"))


def test_nothing_played_is_no_error() -> None:
    assert Tally(2).summary(("a", "b")) == {"games": 0, "seats": []}


def test_the_seeds_of_a_run_never_change() -> None:
    """Whoever has written down a seed finds the same games in every later version."""
    assert game_seed(7, 123).hex().startswith("507a152f2cc37d35")
    assert len({game_seed(run, game) for run in range(20) for game in range(20)}) == 400
