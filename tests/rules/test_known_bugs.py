"""Bugs that other programs of these games have shipped, each as a position."""

import pytest
from positions import few_cards, keep_first, legal, played, refused, road

from ferrovia.game import Game, IllegalAction, Phase, read_position
from ferrovia.game.events import Claim, Draw, Refill, Take

pytestmark = pytest.mark.uncompiled


def test_a_second_face_up_locomotive() -> None:
    game = read_position("""
        edition: usa
        turn: 0
        display: locomotive locomotive red blue green
        next: white
        seat 0:
        seat 1:
    """)
    game.play(0, "take locomotive")
    assert game.view(None).display.count("locomotive") == 1
    assert refused(game, 0, "take locomotive") == "R2.4 not_your_turn"


def test_a_face_up_locomotive_after_a_blind_card() -> None:
    game = read_position("""
        edition: usa
        turn: 0
        display: locomotive locomotive red blue green
        seat 0:
        seat 1:
    """)
    game.play(0, "draw")
    assert refused(game, 0, "take locomotive") == "R4.4 locomotive_second"


@pytest.mark.parametrize("first", ["draw", "take red"])
def test_being_stuck_when_one_card_is_left(first: str) -> None:
    game = read_position("""
        edition: usa
        turn: 0
        display: red red blue blue green
        deck: white
        tickets:
        seat 0:
        seat 1: hand red blue
    """)
    game.play(0, first)
    assert (game.turn, game.phase) == (1, Phase.TURN)  # there is no second card, and no waiting
    assert legal(game, 1)


def test_being_stuck_with_one_card_and_only_a_locomotive_face_up() -> None:
    """Two cards are left; the second can only be drawn blind, and that is open."""
    game = read_position("""
        edition: usa
        turn: 0
        display: locomotive locomotive none none none
        deck: white*2
        seat 0:
        seat 1:
    """)
    game.play(0, "draw")
    assert legal(game, 0) == {"draw"}


def test_an_empty_deck_that_eats_the_turn() -> None:
    game = read_position("""
        edition: usa
        turn: 0
        display: red red blue blue green
        deck:
        seat 0: hand red*2
        seat 1:
    """)
    assert refused(game, 0, "draw") == "R4.9 no_cards_left"
    assert refused(game, 0, "take blue") == "R4.9 no_cards_left"
    assert game.turn == 0
    game.play(0, "claim denver-santa_fe red red")


def test_empty_face_up_places_that_crash_the_view() -> None:
    game = Game(road(cards=few_cards(red=5, locomotive=4), seats=[2, 2]), 2, seed=1, first=0)
    keep_first(game, 2)
    for viewer in (0, 1, None):
        view = game.view(viewer)
        assert view.display.count(None) == 4
        assert len(view.display) == 5
    assert game.legal_actions(game.turn or 0)
    assert "null" in game.record().text()
    assert Game.from_record(game.record().text()).view(None).display == game.view(None).display
    assert game.svg().startswith("<svg")


def test_tickets_drawn_in_the_last_turn_not_counted() -> None:
    game = read_position("""
        edition: usa
        turn: 1
        display: red red blue blue green
        tickets: classic:denver-el_paso classic:boston-miami
        last round: 1
        seat 0:
        seat 1: routes denver-santa_fe el_paso-santa_fe
    """)
    played(game, "tickets", "keep 1 2")
    assert game.over
    assert game.result().scores[1].tickets == 4 - 12


@pytest.mark.parametrize("route", ["boston-montreal", "boston-new_york", "new_york-washington"])
def test_payment_with_locomotives_only_refused(route: str) -> None:
    game = read_position("""
        edition: usa
        turn: 0
        display: red red blue blue green
        seat 0: hand locomotive*2
        seat 1:
    """)
    assert game.play(0, f"claim {route} locomotive locomotive") == [
        Claim(0, route, ("locomotive", "locomotive"), 2)
    ]


def test_gray_routes_that_ignore_locomotives() -> None:
    game = read_position("""
        edition: usa
        turn: 0
        display: red red blue blue green
        seat 0: hand white*2 locomotive
        seat 1:
    """)
    assert "claim calgary-vancouver white white locomotive" in legal(game, 0)
    game.play(0, "claim calgary-vancouver white white locomotive")


def test_locomotives_not_taken_from_the_hand() -> None:
    game = read_position("""
        edition: usa
        turn: 0
        display: red red blue blue green
        seat 0: hand white*2 locomotive*2
        seat 1:
    """)
    game.play(0, "claim calgary-vancouver white white locomotive")
    assert game.view(0).hand == {"locomotive": 1}
    assert game.view(None).discards == {"white": 2, "locomotive": 1}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_both_halves_of_a_double(players: int) -> None:
    others = "\n".join(f"seat {seat}:" for seat in range(1, players))
    game = read_position(f"""
        edition: usa
        turn: 0
        display: red red blue blue green
        seat 0: hand black*3 orange*3
        {others}
    """)
    game.play(0, "claim chicago-pittsburgh black black black")
    while game.turn != 0:
        played(game, "draw")
    action = "claim chicago-pittsburgh-2 orange orange orange"
    assert refused(game, 0, action) == "R5.6 own_double"


def test_a_claimed_route_claimed_again() -> None:
    game = read_position("""
        edition: usa
        turn: 0
        display: red red blue blue green
        seat 0: hand white*2
        seat 1: hand red*2
        seat 2: hand blue*2
        seat 3: hand green*2
    """)
    game.play(0, "claim denver-santa_fe white white")
    assert refused(game, 1, "claim denver-santa_fe red red") == "R5.5 route_claimed"
    assert game.view(None).owners == {"denver-santa_fe": 0}


def test_a_completed_ticket_not_credited() -> None:
    """Joined by a long way round, through a loop, and by the route of the last turn."""
    game = read_position(
        """
        edition: usa
        turn: 0
        display: red red blue blue green
        last round: 1
        seat 0: hand red*2 | routes denver-santa_fe oklahoma_city-santa_fe denver-oklahoma_city
            | tickets classic:denver-el_paso
        seat 1:
    """.replace("\n            |", " |")
    )
    game.play(0, "claim el_paso-santa_fe red red")
    assert game.over
    assert game.result().scores[0].completed == ("classic:denver-el_paso",)


def test_a_bonus_for_a_tie_of_nothing_to_nothing() -> None:
    game = read_position("edition: usa\nturn: 0\nseat 0:\nseat 1:")
    assert [score.bonus for score in game.result().scores] == [0, 0]


def test_a_claim_before_the_first_tickets_are_chosen() -> None:
    game = Game("usa", 2, seed=1, first=0)
    for action in ("claim dallas-houston red", "draw", "tickets", "pass"):
        assert refused(game, 0, action) == "R2.3 tickets_first"
    game.play(0, "keep 1 2")
    assert refused(game, 0, "draw") == "R2.3 tickets_first"  # the other has not chosen yet


def test_you_cannot_afford_it_is_told_to_one_player_alone() -> None:
    game = read_position("""
        edition: usa
        turn: 0
        display: red red blue blue green
        seat 0: hand red
        seat 1: hand white
    """)
    views = [bytes(game.view(viewer).buffer) for viewer in (1, None)]
    with pytest.raises(IllegalAction, match="too few cards"):
        game.play(0, "claim denver-santa_fe red red")
    assert game.events_for(1) == game.events_for(None) == []
    assert [bytes(game.view(viewer).buffer) for viewer in (1, None)] == views
    assert isinstance(game.why_not(0, "claim denver-santa_fe red red"), IllegalAction)
    assert game.events == []


def test_a_replacement_that_is_dealt_before_the_card_is_gone() -> None:
    """The last card of the deck fills the place; what was taken is in the hand, once."""
    game = read_position("""
        edition: usa
        turn: 0
        display: red blue green yellow black
        deck: white*2
        seat 0:
        seat 1:
    """)
    assert game.play(0, "take red") == [Take(0, 0, "red"), Refill(0, "white")]
    assert game.play(0, "draw") == [Draw(0, "white")]
    assert game.view(0).hand == {"red": 1, "white": 1}
