"""A game on the table, counted: the exact score, and what cannot lie there."""

import pytest

from ferrovia.boards import load_edition
from ferrovia.game import read_position
from ferrovia.game.count import CountedSeat, Misfit, count_game

EUROPE = load_edition("europe")


def test_a_count_is_the_score_of_the_same_position() -> None:
    seats = [
        CountedSeat(
            routes=("paris-zurich", "munchen-zurich", "munchen-wien"),
            stations=("berlin",),
            tickets=("europe:paris-wien", "europe:berlin-roma"),
        ),
        CountedSeat(routes=("berlin-wien",)),
    ]
    count = count_game(EUROPE, seats)
    assert count.misfits == ()
    assert count.position is not None
    game = read_position(count.position)
    assert game.result() == count.result
    assert count.trains == (45 - 3 - 2 - 3, 45 - 3)
    assert count.result.scores[0].stations == 2 * 4
    assert count.finale.ways[0]["europe:paris-wien"] == seats[0].routes
    assert set(count.finale.trails[0]) == set(seats[0].routes)


def test_what_cannot_lie_there_is_named_and_not_counted() -> None:
    doubled = [r for r in EUROPE.board.routes if EUROPE.board.twin(r.id)]
    twin = EUROPE.board.twin(doubled[0].id)
    assert twin is not None
    seats = [
        CountedSeat((doubled[0].id, "nowhere", "paris-zurich"), ("wien", "wien"), ("x:y",)),
        CountedSeat((twin.id, "paris-zurich"), ("wien", "roma", "berlin", "paris", "london"), ()),
        CountedSeat((), (), ("europe:berlin-roma",)),
    ]
    count = count_game(EUROPE, seats)
    assert count.misfits == (
        Misfit(0, "route", "nowhere", "unknown"),
        Misfit(0, "station", "wien", "taken", 0),
        Misfit(0, "ticket", "x:y", "unknown"),
        Misfit(1, "route", twin.id, "double"),
        Misfit(1, "route", "paris-zurich", "taken", 0),
        Misfit(1, "station", "wien", "taken", 0),
        Misfit(1, "station", "london", "stations"),
    )
    assert count.result.scores[1].routes == 0
    four = count_game(EUROPE, [*seats, CountedSeat()])  # R5.7: both halves are open to four
    assert Misfit(1, "route", twin.id, "double") not in four.misfits


def test_more_trains_than_there_are_and_two_long_tickets_are_noticed() -> None:
    routes = sorted(EUROPE.board.routes, key=lambda route: -route.length)
    single = [route.id for route in routes if EUROPE.board.twin(route.id) is None]
    longs = [ticket.id for ticket in EUROPE.tickets if ticket.long][:2]
    count = count_game(EUROPE, [CountedSeat(tuple(single), (), tuple(longs)), CountedSeat()])
    assert {misfit.why for misfit in count.misfits} == {"trains", "long"}
    assert 0 <= count.trains[0] < 2
    assert Misfit(0, "ticket", longs[1], "long") in count.misfits


@pytest.mark.parametrize("players", [1, 6])
def test_a_wrong_number_of_players_is_refused(players: int) -> None:
    with pytest.raises(ValueError, match="players"):
        count_game(EUROPE, [CountedSeat()] * players)
