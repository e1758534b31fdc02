"""R7: tunnels."""

import pytest
from positions import legal, played, refused

from ferrovia.game import Game, Phase, read_position
from ferrovia.game.events import Claim, Shuffle, Tunnel, Withdraw

pytestmark = pytest.mark.uncompiled


def mountain(hand: str, turned_up: str, **lines: str) -> Game:
    """Seat 0 is to lay cards for a tunnel; `turned_up` are the next cards of the deck."""
    more = "\n".join(f"{key}: {value}" for key, value in lines.items())
    return read_position(f"""
        edition: europe
        turn: 0
        display: yellow yellow yellow yellow yellow
        next: {turned_up}
        {more}
        seat 0: hand {hand}
        seat 1: hand blue
    """)


def pays(game: Game) -> set[str]:
    return {action for action in legal(game, 0) if action.startswith("pay")}


def test_r7_1_the_cards_are_laid_and_three_are_turned_up() -> None:
    game = mountain("red*4", "red blue green")
    deck = game.view(None).deck_size
    assert game.play(0, "claim paris-zurich red red red") == [
        Tunnel(0, "paris-zurich", ("red", "red", "red"), ("red", "blue", "green"), 1)
    ]
    assert (game.turn, game.phase) == (0, Phase.TUNNEL)
    assert game.view(None).deck_size == deck - 3
    assert game.view(0).hand == {"red": 1}
    tunnel = game.view(None).tunnel
    assert tunnel is not None
    assert tunnel.route == "paris-zurich"
    assert tunnel.laid == ("red", "red", "red")
    assert tunnel.revealed == {"red": 1, "blue": 1, "green": 1}
    assert tunnel.extra == 1


@pytest.mark.parametrize(
    ("route", "length"),
    [
        ("sarajevo-sofia", 2),
        ("marseille-roma", 4),
        ("budapest-kyiv", 6),
        ("petrograd-stockholm", 8),
    ],
)
def test_r7_1_three_whatever_the_length(route: str, length: int) -> None:
    game = mountain("red*8", "blue green black")
    [tunnel, claim] = game.play(0, f"claim {route}" + " red" * length)
    assert isinstance(tunnel, Tunnel)
    assert tunnel.revealed == ("blue", "green", "black")
    assert isinstance(claim, Claim)


@pytest.mark.parametrize(
    ("turned_up", "extra"),
    [
        ("blue green black", 0),
        ("red green black", 1),
        ("locomotive green black", 1),
        ("red locomotive black", 2),
        ("red red blue", 2),
        ("red red red", 3),
        ("locomotive locomotive locomotive", 3),
        ("red locomotive red", 3),
    ],
)
@pytest.mark.parametrize("laid", ["red red red", "red red locomotive", "red locomotive locomotive"])
def test_r7_2_each_card_of_the_colour_and_each_locomotive_costs_one_more(
    laid: str, turned_up: str, extra: int
) -> None:
    game = mountain("red*3 locomotive*3", turned_up)
    tunnel = game.play(0, f"claim paris-zurich {laid}")[0]
    assert isinstance(tunnel, Tunnel)
    assert tunnel.extra == extra


def test_r7_2_the_extra_is_paid_with_the_colour_or_locomotives_as_the_player_likes() -> None:
    game = mountain("red*5 locomotive*2 blue*6", "red red locomotive")
    game.play(0, "claim angora-constantinople red red")
    assert legal(game, 0) == {
        "withdraw",
        "pay red red red",
        "pay red red locomotive",
        "pay red locomotive locomotive",
    }
    assert refused(game, 0, "pay blue blue blue") == "R7.2 wrong_extra"
    assert refused(game, 0, "pay locomotive locomotive locomotive") == "R7.2 wrong_extra"
    assert refused(game, 0, "pay red red") == "R7.2 wrong_number"
    assert refused(game, 0, "pay red red red red") == "R7.2 wrong_number"
    assert refused(game, 0, "pay red red blue") == "R7.2 one_color"
    assert game.play(0, "pay red locomotive locomotive") == [
        Claim(0, "angora-constantinople", ("red",) * 3 + ("locomotive",) * 2, 2)
    ]
    assert game.view(0).hand == {"red": 2, "blue": 6}


def test_r7_2_one_locomotive_laid_with_the_colour_changes_nothing_in_that() -> None:
    game = mountain("red*2 locomotive*2", "red blue green")
    game.play(0, "claim angora-constantinople red locomotive")
    assert pays(game) == {"pay red", "pay locomotive"}


def test_r7_3_locomotives_alone_fear_only_locomotives() -> None:
    game = mountain("purple*9 locomotive*4", "purple purple locomotive")
    [tunnel] = game.play(0, "claim marseille-zurich locomotive locomotive")
    assert tunnel == Tunnel(
        0, "marseille-zurich", ("locomotive",) * 2, ("purple", "purple", "locomotive"), 1
    )
    assert pays(game) == {"pay locomotive"}
    assert refused(game, 0, "pay purple") == "R7.2 wrong_extra"
    game.play(0, "pay locomotive")
    assert game.view(0).hand == {"purple": 9, "locomotive": 1}


def test_r7_3_and_only_locomotives_can_pay() -> None:
    game = mountain("purple*9 locomotive*2", "purple purple locomotive")
    game.play(0, "claim marseille-zurich locomotive locomotive")
    assert legal(game, 0) == {"withdraw"}


def test_r7_3_colours_alone_cost_nothing_then() -> None:
    game = mountain("locomotive*2", "purple purple purple")
    assert game.play(0, "claim marseille-zurich locomotive locomotive")[1] == Claim(
        0, "marseille-zurich", ("locomotive",) * 2, 2
    )


@pytest.mark.parametrize("hand", ["red*3 locomotive", "red*2 locomotive"])
def test_r7_4_who_does_not_pay_takes_all_laid_cards_back(hand: str) -> None:
    game = mountain(hand, "red red blue")
    before = game.view(0).hand
    game.play(0, "claim angora-constantinople red locomotive")
    assert sum(game.view(0).hand.values()) == sum(before.values()) - 2
    assert game.play(0, "withdraw") == [Withdraw(0, "angora-constantinople")]
    assert game.view(0).hand == before
    assert game.turn == 1
    assert game.view(None).owners == {}
    assert game.view(None).of(0).trains == 45
    assert game.view(None).of(0).points == 0


def test_r7_4_the_turn_is_over_and_the_route_open_for_another_try() -> None:
    game = mountain("red*3", "red red blue green white black")
    played(game, "claim angora-constantinople red red", "withdraw")
    assert refused(game, 0, "claim angora-constantinople red red") == "R2.4 not_your_turn"
    played(game, "draw", "draw")
    assert "claim angora-constantinople red red" in legal(game, 0)


def test_r7_4_until_then_there_is_nothing_else_to_do() -> None:
    game = mountain("red*4", "red blue green")
    game.play(0, "claim angora-constantinople red red")
    for other in ("draw", "take yellow", "tickets", "pass", "station wien red"):
        assert refused(game, 0, other) == "R7.4 tunnel_first"
    assert refused(game, 0, "claim marseille-pamplona red red red red") == "R7.4 tunnel_first"
    assert refused(game, 1, "draw") == "R2.4 not_your_turn"
    assert refused(game, 1, "withdraw") == "R2.4 not_your_turn"


@pytest.mark.parametrize(
    ("answer", "paid"), [("pay red", {"red": 3}), ("pay locomotive", {"red": 2, "locomotive": 1})]
)
def test_r7_5_the_turned_up_cards_are_discarded_when_the_turn_ends_with_a_claim(
    answer: str, paid: dict[str, int]
) -> None:
    game = mountain("red*3 locomotive", "red blue green", discards="white")
    game.play(0, "claim angora-constantinople red red")
    assert game.view(None).discards == {"white": 1}
    game.play(0, answer)
    turned_up = {"white": 1, "blue": 1, "green": 1, "red": 1}
    assert game.view(None).discards == {
        card: turned_up.get(card, 0) + paid.get(card, 0) for card in {**turned_up, **paid}
    }
    assert game.view(None).tunnel is None


def test_r7_5_and_when_it_ends_without_one() -> None:
    game = mountain("red*3", "red blue locomotive")
    played(game, "claim angora-constantinople red red", "withdraw")
    assert game.view(None).discards == {"red": 1, "blue": 1, "locomotive": 1}


def test_r7_5_and_when_no_card_counted() -> None:
    game = mountain("red*2", "white blue green")
    game.play(0, "claim angora-constantinople red red")
    assert game.view(None).discards == {"red": 2, "white": 1, "blue": 1, "green": 1}


def test_r7_5_with_all_laid_and_paid_cards_locomotives_included() -> None:
    game = mountain("red*2 locomotive*3", "locomotive red green")
    game.play(0, "claim paris-zurich red locomotive locomotive")
    assert game.play(0, "pay red locomotive") == [
        Claim(0, "paris-zurich", ("red", "red") + ("locomotive",) * 3, 4)
    ]
    assert game.view(None).discards == {"red": 3, "green": 1, "locomotive": 4}
    assert game.view(0).hand == {}


@pytest.mark.parametrize(
    ("deck", "discards", "shuffled", "turned_up"),
    [
        ("red*2", "", [], ("red", "red")),
        ("red", "", [], ("red",)),
        ("red", "blue", [Shuffle(1)], ("red", "blue")),
        ("", "red*2", [Shuffle(2)], ("red", "red")),
        ("", "red", [Shuffle(1)], ("red",)),
    ],
)
def test_r7_6_with_fewer_than_three_cards_left_only_those_are_turned_up(
    deck: str, discards: str, shuffled: list[Shuffle], turned_up: tuple[str, ...]
) -> None:
    game = mountain("red*5", "", deck=deck, discards=discards)
    happened = game.play(0, "claim angora-constantinople red red")
    assert happened[:-1] == shuffled
    assert isinstance(happened[-1], Tunnel)
    assert happened[-1].revealed == turned_up
    assert happened[-1].extra == turned_up.count("red")
    assert game.phase is Phase.TUNNEL


def test_r7_6_the_discards_are_shuffled_in_the_middle_of_turning_up() -> None:
    game = mountain("red*5", "", deck="blue", discards="red*4")
    assert game.play(0, "claim angora-constantinople red red") == [
        Shuffle(4),
        Tunnel(0, "angora-constantinople", ("red", "red"), ("blue", "red", "red"), 2),
    ]
    assert (game.view(None).deck_size, game.view(None).discards) == (2, {})


def test_r7_6_with_none_left_the_tunnel_costs_nothing_more() -> None:
    game = mountain("red*2", "", deck="")
    assert game.play(0, "claim angora-constantinople red red") == [
        Tunnel(0, "angora-constantinople", ("red", "red"), (), 0),
        Claim(0, "angora-constantinople", ("red", "red"), 2),
    ]


def test_r7_6_the_laid_cards_are_not_part_of_the_discards_meanwhile() -> None:
    game = mountain("red*8", "", deck="", discards="blue*2")
    happened = game.play(0, "claim petrograd-stockholm" + " red" * 8)
    assert happened[0] == Shuffle(2)
    assert isinstance(happened[1], Tunnel)
    assert happened[1].revealed == ("blue", "blue")
    assert game.view(None).discards == {"red": 8, "blue": 2}


def test_r7_7_the_extra_cards_take_no_trains_and_score_nothing() -> None:
    game = read_position("""
        edition: europe
        turn: 0
        display: yellow yellow yellow yellow yellow
        next: red red red
        seat 0: hand red*5 | trains 2
        seat 1: hand blue
    """)
    game.play(0, "claim angora-constantinople red red")
    assert game.play(0, "pay red red red")[0] == Claim(0, "angora-constantinople", ("red",) * 5, 2)
    assert game.view(None).of(0).trains == 0
    assert game.view(None).of(0).points == 2


def test_r7_8_when_no_card_counts_the_route_is_claimed_without_a_decision() -> None:
    game = mountain("red*4", "blue green white")
    assert game.play(0, "claim angora-constantinople red red") == [
        Tunnel(0, "angora-constantinople", ("red", "red"), ("blue", "green", "white"), 0),
        Claim(0, "angora-constantinople", ("red", "red"), 2),
    ]
    assert (game.turn, game.phase) == (1, Phase.TURN)


def test_r7_8_who_cannot_pay_is_asked_all_the_same() -> None:
    game = mountain("red*2 blue*7", "red green white")
    game.play(0, "claim angora-constantinople red red")
    assert (game.turn, game.phase) == (0, Phase.TUNNEL)
    assert legal(game, 0) == {"withdraw"}
    assert refused(game, 0, "pay red") == "R7.2 wrong_extra"


def test_r7_8_the_table_cannot_tell_who_can_pay_from_who_cannot() -> None:
    views = []
    for hand in ("red*3", "red*2 blue"):
        game = mountain(hand, "red green white")
        game.play(0, "claim angora-constantinople red red")
        views.append([bytes(game.view(seat).buffer) for seat in (1, None)])
        views[-1].append(bytes(str(game.events_for(1)), "utf-8"))
    assert views[0] == views[1]
