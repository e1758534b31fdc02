"""R3: a turn."""

import pytest
from positions import legal, played, refused

from ferrovia.game import Game, read_position
from ferrovia.game.events import Claim, Draw, PassTurn, Shuffle

pytestmark = pytest.mark.uncompiled

ALL_SHORT_ONES = "atlanta-nashville dallas-houston kansas_city-omaha portland-seattle"


def open_table(edition: str = "europe") -> Game:
    return read_position(f"""
        edition: {edition}
        turn: 0
        display: red blue green yellow locomotive
        seat 0: hand red*4
        seat 1: hand blue*4
    """)


def stuck(*, deck: str = "", discards: str = "", tickets: str = "", hand: str = "") -> Game:
    """Seat 0 of the USA has what is named, and nothing else is left."""
    return read_position(f"""
        edition: usa
        turn: 0
        display: red blue green yellow locomotive
        deck: {deck}
        discards: {discards}
        tickets: {tickets}
        seat 0: hand {hand}
        seat 1:
    """)


def test_r3_1_the_four_actions_are_open() -> None:
    kinds = {action.split()[0] for action in legal(open_table(), 0)}
    assert kinds == {"draw", "take", "claim", "tickets", "station"}


def test_r3_1_three_where_there_are_no_stations() -> None:
    game = open_table("usa")
    assert {action.split()[0] for action in legal(game, 0)} == {"draw", "take", "claim", "tickets"}
    assert refused(game, 0, "station boston red") == "R9.1 no_stations_left"


@pytest.mark.parametrize(
    "turn",
    [
        ["draw", "draw"],
        ["take red", "draw"],
        ["take locomotive"],
        ["claim bruxelles-paris red red"],
        ["tickets", "keep 1"],
        ["station wien red"],
    ],
)
def test_r3_1_there_is_no_second_action(turn: list[str]) -> None:
    game = played(open_table(), *turn)
    assert game.turn == 1
    assert game.legal_actions(0) == []
    for action in ("draw", "take blue", "claim kyiv-smolensk red red red", "tickets", "pass"):
        assert refused(game, 0, action) == "R2.4 not_your_turn"


@pytest.mark.parametrize(
    "other", ["claim bruxelles-paris red red", "tickets", "station wien red", "pass"]
)
@pytest.mark.parametrize("begun", ["draw", "take blue"])
def test_r3_1_who_has_begun_to_draw_does_nothing_else(begun: str, other: str) -> None:
    game = played(open_table(), begun)
    assert refused(game, 0, other) == "R4.1 second_card_first"


def test_r3_2_who_can_do_nothing_passes() -> None:
    game = stuck()
    assert legal(game, 0) == {"pass"}
    assert game.play(0, "pass") == [PassTurn(0)]
    assert game.turn == 1


@pytest.mark.parametrize(
    ("left", "way_out"),
    [
        ({"deck": "red"}, "draw"),
        ({"discards": "red"}, "draw"),
        ({"deck": "red"}, "take locomotive"),
        ({"tickets": "classic:boston-miami"}, "tickets"),
        ({"hand": "red"}, "claim dallas-houston red"),
        ({"hand": "locomotive"}, "claim dallas-houston locomotive"),
        ({"hand": "blue*2 locomotive*3"}, "claim atlanta-miami blue blue locomotive*3"),
    ],
)
def test_r3_2_who_can_do_anything_may_not_pass(left: dict[str, str], way_out: str) -> None:
    game = stuck(**left)
    assert refused(game, 0, "pass") == "R3.2 may_not_pass"
    assert "pass" not in legal(game, 0)
    game.play(0, way_out.replace("locomotive*3", "locomotive locomotive locomotive"))


def test_r3_2_a_station_is_something_to_do() -> None:
    game = read_position("""
        edition: europe
        turn: 0
        display: red blue green yellow black
        deck:
        tickets:
        seat 0: hand red | routes budapest-wien
        seat 1: hand green*2
    """)
    assert {action.split()[0] for action in legal(game, 0)} == {"station"}
    assert refused(game, 0, "pass") == "R3.2 may_not_pass"


def test_r3_2_cards_that_pay_for_nothing_do_not_stop_a_pass() -> None:
    game = read_position(f"""
        edition: usa
        turn: 0
        display: red blue green yellow locomotive
        deck:
        tickets:
        seat 0: hand red blue green yellow black
        seat 1: routes {ALL_SHORT_ONES} seattle-vancouver
    """)
    assert legal(game, 0) == {"pass"}


def test_r3_3_when_all_pass_in_a_row_the_game_ends_and_is_scored() -> None:
    game = read_position("""
        edition: usa
        turn: 1
        display: red blue green yellow locomotive
        deck:
        tickets:
        seat 0: routes seattle-vancouver | tickets classic:denver-el_paso
        seat 1: routes dallas-houston dallas-little_rock
        seat 2:
    """)
    played(game, "pass", "pass")
    assert not game.over
    assert game.play(0, "pass") == [PassTurn(0)]
    assert game.over
    assert game.legal_actions(1) == []
    assert refused(game, 1, "pass") == "R10.2 game_is_over"
    assert [score.total for score in game.result().scores] == [1 - 4, 1 + 2 + 10, 0]
    assert game.result().winners == (1,)


def test_r3_3_a_pass_does_not_count_when_somebody_acted_after_it() -> None:
    game = read_position(f"""
        edition: usa
        turn: 0
        display: red blue green yellow locomotive
        deck:
        tickets:
        seat 0: routes {ALL_SHORT_ONES}
        seat 1: hand white
        seat 2:
    """)
    game.play(0, "pass")
    assert game.play(1, "claim seattle-vancouver white") == [
        Claim(1, "seattle-vancouver", ("white",), 1)
    ]
    assert game.play(2, "draw") == [Shuffle(1), Draw(2, "white")]  # and there is no second card
    game.play(0, "pass")
    game.play(1, "pass")
    assert not game.over
    game.play(2, "pass")
    assert game.over
