"""R6: ferries."""

import pytest
from positions import legal, played, refused

from ferrovia.game import Game, Phase, read_position
from ferrovia.game.events import Claim

pytestmark = pytest.mark.uncompiled


def harbour(hand: str) -> Game:
    return read_position(f"""
        edition: europe
        turn: 0
        display: red blue green yellow black
        next: red red red
        seat 0: hand {hand}
        seat 1:
    """)


def ways(game: Game, route: str) -> set[str]:
    begin = f"claim {route} "
    return {a.removeprefix(begin) for a in legal(game, 0) if a.startswith(begin)}


def test_r6_1_palermo_smyrna_has_six_spaces_two_of_them_locomotives() -> None:
    game = harbour("red*5 blue*3 locomotive*3")
    red, locomotive = ["red"], ["locomotive"]
    assert ways(game, "palermo-smyrna") == {
        " ".join(red * 4 + locomotive * 2),
        " ".join(red * 3 + locomotive * 3),
        " ".join(["blue"] * 3 + locomotive * 3),
    }
    five_and_one = "claim palermo-smyrna red red red red red locomotive"
    assert refused(game, 0, five_and_one) == "R6.1 ferry_payment"


def test_r6_1_too_few_locomotives_whatever_else_is_in_the_hand() -> None:
    game = harbour("red*11 blue*11 locomotive")
    assert ways(game, "palermo-smyrna") == set()
    action = "claim palermo-smyrna red red red red locomotive locomotive"
    assert refused(game, 0, action) == "R6.1 ferry_locomotives"
    assert ways(game, "athina-smyrna") == {"red locomotive", "blue locomotive"}


def test_r6_1_without_a_locomotive_no_ferry_is_open() -> None:
    game = harbour("red*11 blue*11")
    assert refused(game, 0, "claim dieppe-london red red") == "R6.1 ferry_locomotives"
    ferries = {route.id for route in game.edition.board.routes if route.ferry}
    assert len(ferries) > 10
    assert not ferries & {a.split()[1] for a in legal(game, 0) if a.startswith("claim")}


def test_r6_1_a_ferry_of_locomotives_alone() -> None:
    game = harbour("red*4 locomotive*2")
    assert ways(game, "amsterdam-london") == {"locomotive locomotive"}
    assert game.play(0, "claim amsterdam-london locomotive locomotive") == [
        Claim(0, "amsterdam-london", ("locomotive", "locomotive"), 2)
    ]
    assert game.view(0).hand == {"red": 4}


def test_r6_1_more_locomotives_than_the_ferry_asks_for_are_the_players_choice() -> None:
    game = harbour("red*2 locomotive*3")
    assert ways(game, "brindisi-palermo") == {
        "red red locomotive",
        "red locomotive locomotive",
        "locomotive locomotive locomotive",
    }


def test_r6_1_the_locomotives_stand_and_the_rest_is_of_one_colour() -> None:
    game = harbour("red blue locomotive")
    assert ways(game, "essen-kobenhavn") == set()
    action = "claim essen-kobenhavn red blue locomotive"
    assert refused(game, 0, action) == "R5.1 too_few_cards"
    game = harbour("red*2 blue*2 locomotive")
    assert refused(game, 0, action) == "R5.1 one_color"


def test_r6_1_nothing_is_turned_up_for_a_ferry() -> None:
    game = played(harbour("red locomotive"), "claim athina-smyrna red locomotive")
    assert (game.turn, game.phase) == (1, Phase.TURN)
    assert game.view(None).discards == {"red": 1, "locomotive": 1}
