"""R8: drawing tickets."""

from itertools import permutations

import pytest
from positions import legal, line, played, refused

from ferrovia.game import Game, Phase, read_position
from ferrovia.game.events import Keep, Offer

pytestmark = pytest.mark.uncompiled

FIVE = (
    "europe:paris-wien",
    "europe:berlin-roma",
    "europe:kyiv-sochi",
    "europe:london-wien",
    "europe:athina-wilno",
)


def office(tickets: str = " ".join(FIVE), edition: str = "europe") -> Game:
    return read_position(f"""
        edition: {edition}
        turn: 0
        display: red blue green yellow black
        tickets: {tickets}
        seat 0: hand red | tickets europe:essen-kyiv
        seat 1: hand blue
    """)


def test_r8_1_three_from_the_top() -> None:
    game = office()
    assert game.play(0, "tickets") == [Offer(0, FIVE[:3])]
    assert game.phase is Phase.TICKETS
    assert game.view(0).offer == FIVE[:3]
    assert game.view(0).ticket_deck_size == 2


def test_r8_1_four_where_the_edition_says_so() -> None:
    tickets = "europe:paris-wien europe:berlin-roma europe:london-wien europe:athina-wilno"
    game = read_position(f"""
        edition: big-cities
        turn: 0
        display: red blue green yellow black
        tickets: {tickets} europe:madrid-zurich
        seat 0: hand red
        seat 1: hand blue
    """)
    assert game.play(0, "tickets") == [Offer(0, tuple(tickets.split()))]


@pytest.mark.parametrize("left", [1, 2])
def test_r8_1_or_what_is_left(left: int) -> None:
    game = office(" ".join(FIVE[:left]))
    assert game.play(0, "tickets") == [Offer(0, FIVE[:left])]
    assert len(game.legal_actions(0)) == 2**left - 1
    game.play(0, "keep 1")
    assert line(game, "tickets") == list(FIVE[1:left])


def test_r8_1_an_empty_ticket_deck_closes_the_action() -> None:
    game = office("")
    assert refused(game, 0, "tickets") == "R8.1 no_tickets_left"
    assert "tickets" not in legal(game, 0)


def test_r8_2_at_least_one_is_kept() -> None:
    game = played(office(), "tickets")
    assert legal(game, 0) == {
        "keep 1",
        "keep 2",
        "keep 3",
        "keep 1 2",
        "keep 1 3",
        "keep 2 3",
        "keep 1 2 3",
    }
    assert refused(game, 0, "keep none") == "R8.2 keep_more"
    for other in ("draw", "take red", "tickets", "station wien red", "pass", "withdraw", "pay red"):
        assert refused(game, 0, other) == "R8.2 offer_first"
    assert refused(game, 1, "keep 1") == "R2.4 not_your_turn"


@pytest.mark.parametrize("kept", ["1", "3", "1 2", "2 3", "1 2 3"])
def test_r8_2_the_others_go_to_the_bottom_in_the_order_drawn(kept: str) -> None:
    game = played(office(), "tickets")
    numbers = [int(number) - 1 for number in kept.split()]
    mine = tuple(FIVE[number] for number in numbers)
    back = tuple(FIVE[number] for number in range(3) if number not in numbers)
    assert game.play(0, f"keep {kept}") == [Keep(0, mine, back)]
    assert line(game, "tickets") == [*FIVE[3:], *back]
    assert set(game.view(0).tickets) == {"europe:essen-kyiv", *mine}
    assert game.turn == 1


@pytest.mark.parametrize("order", list(permutations((1, 3))))
def test_r8_2_or_in_the_order_the_player_likes(order: tuple[int, int]) -> None:
    game = played(office(), "tickets")
    named = " ".join(map(str, order))
    back = tuple(FIVE[number - 1] for number in order)
    assert game.play(0, f"keep 2 back {named}") == [Keep(0, (FIVE[1],), back)]
    assert line(game, "tickets") == [*FIVE[3:], *back]


@pytest.mark.parametrize("order", list(permutations((1, 2, 4))))
def test_r8_2_any_order_of_three_given_back(order: tuple[int, ...]) -> None:
    tickets = ["europe:paris-wien", "europe:berlin-roma", "europe:london-wien", "1912:wien-roma"]
    game = read_position(f"""
        edition: big-cities
        turn: 0
        display: red blue green yellow black
        tickets: {" ".join(tickets)} europe:madrid-zurich
        seat 0: hand red
        seat 1: hand blue
    """)
    game.play(0, "tickets")
    game.play(0, "keep 3 back " + " ".join(map(str, order)))
    assert line(game, "tickets") == [
        "europe:madrid-zurich",
        *(tickets[number - 1] for number in order),
    ]


def test_r8_2_only_the_tickets_just_drawn_can_be_given_back() -> None:
    game = played(office(), "tickets")
    for action in ("keep 4", "keep 1 4", "keep 1 back 2 4"):
        assert refused(game, 0, action) == "R8.2 not_offered"
    game.play(0, "keep 1")
    assert "europe:essen-kyiv" in game.view(0).tickets


def test_r8_2_without_an_offer_there_is_nothing_to_keep() -> None:
    assert refused(office(), 0, "keep 1") == "R8.2 no_offer"


def test_r8_2_what_was_given_back_comes_up_again_at_the_end() -> None:
    game = played(office(), "tickets", "keep 1", "draw", "draw")
    assert game.play(0, "tickets") == [Offer(0, (FIVE[3], FIVE[4], FIVE[1]))]
    played(game, "keep 1 2 3", "draw", "draw")
    assert game.play(0, "tickets") == [Offer(0, (FIVE[2],))]


def test_r8_3_a_player_may_hold_any_number_of_tickets() -> None:
    game = read_position("""
        edition: europe
        turn: 0
        display: red blue green yellow black
        seat 0: hand red
        seat 1: hand blue
    """)
    for _ in range(13):
        played(game, "tickets", "keep 1 2 3", "draw", "draw")
    played(game, "tickets", "keep 1")
    assert len(game.view(0).tickets) == 40
    assert game.view(1).of(0).tickets == 40
    assert refused(game, 1, "tickets") == "R8.1 no_tickets_left"


def test_r8_3_others_may_know_how_many_and_never_which() -> None:
    game = played(office(), "tickets", "keep 1 3")
    for viewer in (1, None):
        assert game.events_for(viewer) == [
            Offer(0, (None, None, None)),
            Keep(0, (None, None), (None,)),
        ]
        assert game.view(viewer).of(0).tickets == 3
    assert game.view(1).tickets == game.view(1).offer == ()
    assert game.events_for(0) == [Offer(0, FIVE[:3]), Keep(0, (FIVE[0], FIVE[2]), (FIVE[1],))]


def test_r8_3_they_are_shown_at_the_end_of_the_game() -> None:
    game = read_position("""
        edition: europe
        turn: 0
        display: red blue green yellow black
        last round: 1
        seat 0: hand red | tickets europe:essen-kyiv
        seat 1: hand blue
    """)
    played(game, "tickets", "keep 1 2")
    assert game.over
    assert Offer(0, (None,) * 3) not in game.events_for(1)
    assert game.events_for(1) == game.events
