"""R4: drawing train cards."""

import random
from dataclasses import replace

import pytest
from positions import few_cards, keep_first, legal, line, played, refused, road

from ferrovia.boards import COLORS
from ferrovia.game import Game, Phase, read_position
from ferrovia.game.events import (
    Claim,
    Draw,
    FaceUp,
    Flush,
    Refill,
    Shuffle,
    Station,
    Take,
)
from ferrovia.rules.chapters.cards import REDEALS


def table(display: str, foretold: str = "", **lines: str) -> Game:
    """Two players without a card, seat 0 to move; `foretold` comes up next."""
    more = "\n".join(f"{key}: {value}" for key, value in lines.items())
    return read_position(f"""
        edition: europe
        turn: 0
        display: {display}
        next: {foretold}
        {more}
        seat 0:
        seat 1: hand white*2
    """)


FIVE = "red blue green yellow black"


@pytest.mark.uncompiled
@pytest.mark.parametrize("first", ["draw", "take red"])
@pytest.mark.parametrize("second", ["draw", "take blue"])
def test_r4_1_two_cards_each_face_up_or_blind(first: str, second: str) -> None:
    game = table(FIVE, "white white")
    game.play(0, first)
    assert (game.turn, game.phase) == (0, Phase.SECOND_CARD)
    game.play(0, second)
    assert (game.turn, game.phase) == (1, Phase.TURN)
    wanted = {"white": [first, second].count("draw"), "red": "red" in first, "blue": "b" in second}
    assert game.view(0).hand == {card: int(n) for card, n in wanted.items() if n}


@pytest.mark.uncompiled
def test_r4_1_only_what_lies_face_up_can_be_taken() -> None:
    game = table(FIVE)
    assert legal(game, 0) & {f"take {color}" for color in COLORS} == {
        f"take {color}" for color in FIVE.split()
    }
    for card in ("white", "purple", "orange", "locomotive"):
        assert refused(game, 0, f"take {card}") == "R4.1 not_face_up"
    game.play(0, "draw")
    assert refused(game, 0, "take white") == "R4.1 not_face_up"
    assert refused(game, 0, "take locomotive") == "R4.1 not_face_up"


@pytest.mark.uncompiled
def test_r4_1_the_second_card_must_be_taken() -> None:
    game = played(table(FIVE, "white"), "draw")
    assert {action.split()[0] for action in legal(game, 0)} == {"draw", "take"}
    for other in ("pass", "tickets", "claim dieppe-paris purple", "withdraw", "pay red"):
        assert refused(game, 0, other) == "R4.1 second_card_first"


@pytest.mark.uncompiled
@pytest.mark.parametrize("place", range(5))
def test_r4_2_a_face_up_card_is_replaced_in_its_place_at_once(place: int) -> None:
    game = table(FIVE, "purple")
    card = FIVE.split()[place]
    assert game.play(0, f"take {card}") == [Take(0, place, card), Refill(place, "purple")]
    assert game.phase is Phase.SECOND_CARD
    assert game.view(None).display[place] == "purple"


@pytest.mark.uncompiled
def test_r4_2_the_replacement_can_be_the_second_card() -> None:
    game = table(FIVE, "purple white")
    game.play(0, "take green")
    assert game.play(0, "take purple") == [Take(0, 2, "purple"), Refill(2, "white")]
    assert game.view(0).hand == {"green": 1, "purple": 1}


@pytest.mark.uncompiled
def test_r4_2_a_blind_card_replaces_nothing() -> None:
    game = table(FIVE, "purple white")
    assert game.play(0, "draw") == [Draw(0, "purple")]
    assert game.play(0, "draw") == [Draw(0, "white")]
    assert game.view(None).display == tuple(FIVE.split())


@pytest.mark.uncompiled
def test_r4_3_a_face_up_locomotive_is_the_only_card() -> None:
    game = table("red blue green yellow locomotive", "white")
    assert game.play(0, "take locomotive") == [Take(0, 4, "locomotive"), Refill(4, "white")]
    assert game.view(0).hand == {"locomotive": 1}
    assert (game.turn, game.phase) == (1, Phase.TURN)


@pytest.mark.uncompiled
@pytest.mark.parametrize("first", ["draw", "take red"])
def test_r4_4_a_face_up_locomotive_is_never_the_second_card(first: str) -> None:
    game = table("red blue green yellow locomotive", "white")
    game.play(0, first)
    assert refused(game, 0, "take locomotive") == "R4.4 locomotive_second"
    assert "take locomotive" not in legal(game, 0)


@pytest.mark.uncompiled
def test_r4_4_what_can_follow_a_first_card_is_known_before_it_is_drawn() -> None:
    game = table("red blue red yellow locomotive", "white")
    assert game.view(0).second_draws() == ["draw", "take blue", "take yellow", "take red"]
    assert game.view(0).phase is Phase.TURN


@pytest.mark.uncompiled
def test_r4_4_nor_when_it_has_only_just_been_turned_up() -> None:
    game = table(FIVE, "locomotive white")
    assert game.play(0, "take blue") == [Take(0, 1, "blue"), Refill(1, "locomotive")]
    assert refused(game, 0, "take locomotive") == "R4.4 locomotive_second"
    game.play(0, "draw")
    assert "take locomotive" in legal(game, 1)


@pytest.mark.uncompiled
@pytest.mark.parametrize("second", ["draw", "take red"])
def test_r4_5_a_blind_locomotive_counts_as_an_ordinary_first_card(second: str) -> None:
    game = table(FIVE, "locomotive white")
    assert game.play(0, "draw") == [Draw(0, "locomotive")]
    assert (game.turn, game.phase) == (0, Phase.SECOND_CARD)
    game.play(0, second)
    assert game.view(0).hand["locomotive"] == 1


@pytest.mark.uncompiled
@pytest.mark.parametrize("first", ["draw", "take red"])
def test_r4_5_and_as_an_ordinary_second_card(first: str) -> None:
    game = table(FIVE, "locomotive locomotive")
    game.play(0, first)
    assert game.play(0, "draw")[0] == Draw(0, "locomotive")
    assert game.view(0).hand["locomotive"] == (2 if first == "draw" else 1)


@pytest.mark.uncompiled
def test_r4_6_the_third_locomotive_clears_the_display() -> None:
    game = table(
        "locomotive red blue locomotive green", "locomotive white white purple black orange"
    )
    assert game.play(0, "take red") == [
        Take(0, 1, "red"),
        Refill(1, "locomotive"),  # the place is filled first, then this is checked
        Flush(("locomotive", "locomotive", "blue", "locomotive", "green")),
        FaceUp(("white", "white", "purple", "black", "orange")),
    ]
    assert game.view(None).discards == {"locomotive": 3, "blue": 1, "green": 1}
    assert game.phase is Phase.SECOND_CARD
    assert legal(game, 0) == {
        "draw",
        *(f"take {c}" for c in ("white", "purple", "black", "orange")),
    }


@pytest.mark.uncompiled
def test_r4_6_two_locomotives_stay() -> None:
    game = table("locomotive red blue yellow green", "locomotive")
    assert game.play(0, "take red") == [Take(0, 1, "red"), Refill(1, "locomotive")]
    assert game.view(None).display.count("locomotive") == 2


@pytest.mark.uncompiled
def test_r4_6_again_and_again_while_the_new_five_show_three() -> None:
    game = table(
        "locomotive red blue locomotive green",
        "locomotive  locomotive locomotive red locomotive red"
        "  red locomotive*4  red red red locomotive locomotive",
    )
    happened = game.play(0, "take red")[2:]
    assert [type(event) for event in happened] == [Flush, FaceUp] * 3
    for face_up, flush in zip(happened[1:-1:2], happened[2::2], strict=True):
        assert isinstance(face_up, FaceUp)
        assert flush == Flush(face_up.cards)
    assert game.view(None).display == ("red", "red", "red", "locomotive", "locomotive")
    assert sum(game.view(None).discards.values()) == 15


@pytest.mark.uncompiled
def test_r4_6_it_is_kept_after_the_second_card_too() -> None:
    game = table("locomotive red blue locomotive green", "white locomotive red*5")
    game.play(0, "draw")
    happened = game.play(0, "take red")
    assert [type(event) for event in happened] == [Take, Refill, Flush, FaceUp]
    assert game.turn == 1


@pytest.mark.uncompiled
def test_r4_6_after_a_locomotive_was_taken_and_one_came_up() -> None:
    game = table("locomotive red blue locomotive green", "locomotive")
    game.play(0, "take locomotive")
    assert game.view(None).display.count("locomotive") == 2
    assert game.view(None).discards == {}


def jammed(hand: str) -> Game:
    """Seat 0 will turn up the third locomotive; two other cards lie in the display, no more."""
    return read_position(f"""
        edition: europe
        turn: 0
        display: locomotive locomotive red blue green
        deck: locomotive*3
        seat 0:
        seat 1: hand {hand}
    """)


@pytest.mark.uncompiled
def test_r4_7_the_display_stays_when_fewer_than_three_others_are_left() -> None:
    game = jammed("white")
    assert game.play(0, "take red") == [Take(0, 2, "red"), Refill(2, "locomotive")]
    assert game.view(None).display == ("locomotive", "locomotive", "locomotive", "blue", "green")
    assert game.play(0, "draw") == [Draw(0, "locomotive")]
    assert game.turn == 1


@pytest.mark.uncompiled
@pytest.mark.parametrize(
    ("action", "event"),
    [
        ("claim budapest-wien-2 white", Claim(1, "budapest-wien-2", ("white",), 1)),
        ("station wien white", Station(1, "wien", ("white",))),
    ],
)
def test_r4_7_it_is_looked_at_again_at_the_end_of_the_turn_that_can_help(
    action: str, event: Claim | Station
) -> None:
    game = played(jammed("white"), "take red", "draw")
    happened = game.play(1, action)
    assert happened[0] == event
    assert happened[1] == Flush(("locomotive", "locomotive", "locomotive", "blue", "green"))
    assert happened[2] == Shuffle(6)  # after the last card of the old deck
    assert all(isinstance(later, Flush | FaceUp | Shuffle) for later in happened[3:])
    assert sorted(game.view(None).display, key=str)[:2] == ["blue", "green"]
    assert game.view(None).display.count("locomotive") == 2
    assert "white" in game.view(None).display


@pytest.mark.uncompiled
def test_r4_7_it_is_looked_at_again_and_stays_again() -> None:
    game = played(jammed("locomotive"), "take red", "draw")
    assert game.play(1, "station wien locomotive") == [Station(1, "wien", ("locomotive",))]
    assert game.view(None).display.count("locomotive") == 3


@pytest.mark.uncompiled
def test_r4_7_the_discards_of_a_tunnel_count_only_when_the_turn_is_over() -> None:
    game = read_position("""
        edition: europe
        composed: yes
        turn: 0
        display: locomotive locomotive locomotive blue green
        deck: orange red*2
        next: orange red red
        seat 0: hand red*4
        seat 1: hand white
    """)
    game.play(0, "claim angora-constantinople red red")
    assert game.phase is Phase.TUNNEL
    assert game.view(None).display.count("locomotive") == 3
    happened = game.play(0, "withdraw")
    assert happened[1] == Flush(("locomotive", "locomotive", "locomotive", "blue", "green"))
    assert game.view(None).display.count("locomotive") < 3


@pytest.mark.uncompiled
def test_r4_7_a_table_of_locomotives_alone_can_be_set_up_and_played() -> None:
    game = Game(road(cards=few_cards(locomotive=30)), 3, seed=1, first=0)
    keep_first(game, 2)
    assert game.view(None).display == ("locomotive",) * 5
    assert not any(isinstance(event, Flush) for event in game.events)
    game.play(0, "take locomotive")
    assert game.turn == 1


@pytest.mark.parametrize("seed", range(5))
def test_r4_7_three_others_are_enough_for_a_redeal_that_ends(seed: int) -> None:
    edition = replace(road(), cards=few_cards(locomotive=60, red=3))  # no board file may have them
    game = Game(edition, 2, seed=seed)
    in_hands = sum(game.view(seat).hand.get("red", 0) for seat in range(2))
    shown = game.view(None).display.count("locomotive")
    assert shown == 2 if in_hands == 0 else shown >= 3
    assert any(isinstance(event, Flush) for event in game.events) == (in_hands == 0)


def test_r4_7_the_redeals_end_whatever_the_cards_are() -> None:
    """Three cards among sixty locomotives lie side by side once in 3971 re-deals."""
    edition = replace(road(), cards=few_cards(locomotive=60, red=3))
    stayed = 0
    for seed in range(80):
        game = Game(edition, 2, seed=seed)
        flushes = sum(isinstance(event, Flush) for event in game.events)
        assert flushes <= REDEALS
        stayed += flushes == REDEALS
        shown = game.view(None).display.count("locomotive")
        assert (shown == 2) == (0 < flushes < REDEALS)
    assert stayed


@pytest.mark.uncompiled
def test_r4_8_the_discards_are_shuffled_when_a_card_is_needed_and_not_before() -> None:
    game = table(FIVE, deck="red", discards="white*3")
    assert game.play(0, "draw") == [Draw(0, "red")]
    assert (game.view(None).deck_size, game.view(None).discards) == (0, {"white": 3})
    assert game.play(0, "draw") == [Shuffle(3), Draw(0, "white")]
    assert (game.view(None).deck_size, game.view(None).discards) == (2, {})


@pytest.mark.uncompiled
def test_r4_8_the_last_card_of_the_deck_leaves_the_discards_as_they_lie() -> None:
    game = played(table(FIVE, deck="red*2", discards="white*3"), "draw", "draw")
    assert (game.view(None).deck_size, game.view(None).discards) == (0, {"white": 3})


@pytest.mark.uncompiled
def test_r4_8_a_place_of_the_display_needs_a_card() -> None:
    game = table(FIVE, deck="", discards="white*3")
    assert game.play(0, "take red") == [Take(0, 0, "red"), Shuffle(3), Refill(0, "white")]


@pytest.mark.uncompiled
def test_r4_8_a_new_display_takes_the_last_cards_of_the_old_deck_first() -> None:
    game = table(
        "locomotive locomotive red blue green",
        "locomotive white white blue green locomotive",
        deck="locomotive white*2",
    )
    assert game.play(0, "take red") == [
        Take(0, 2, "red"),
        Refill(2, "locomotive"),
        Flush(("locomotive", "locomotive", "locomotive", "blue", "green")),
        Shuffle(5),
        FaceUp(("white", "white", "blue", "green", "locomotive")),
    ]
    assert (game.view(None).deck_size, game.view(None).discards) == (2, {})


@pytest.mark.uncompiled
def test_r4_8_the_new_deck_is_exactly_the_discards() -> None:
    game = played(
        table(FIVE, "purple orange", deck="", discards="white purple*2 orange"), "draw", "draw"
    )
    assert line(game, "deck") == ["purple", "white"]
    assert line(game, "discards") == []


@pytest.mark.uncompiled
def test_r4_9_with_deck_and_discards_empty_no_card_can_be_drawn() -> None:
    game = table("red blue green yellow locomotive", deck="", discards="")
    for action in ("draw", "take red", "take locomotive", "take white"):
        assert refused(game, 0, action) == "R4.9 no_cards_left"
    assert legal(game, 0) == {"tickets"}


@pytest.mark.uncompiled
@pytest.mark.parametrize("pile", ["deck", "discards"])
def test_r4_9_after_the_last_blind_card_there_is_no_second(pile: str) -> None:
    game = table(FIVE, **{"deck": "", pile: "white"})
    assert game.play(0, "draw")[-1] == Draw(0, "white")
    assert (game.turn, game.phase) == (1, Phase.TURN)
    assert refused(game, 1, "draw") == "R4.9 no_cards_left"


@pytest.mark.uncompiled
@pytest.mark.parametrize("pile", ["deck", "discards"])
def test_r4_9_nor_when_the_last_card_went_into_the_display(pile: str) -> None:
    game = table(FIVE, **{"deck": "", pile: "white"})
    assert game.play(0, "take red")[-1] == Refill(0, "white")
    assert (game.turn, game.phase) == (1, Phase.TURN)
    assert game.view(0).hand == {"red": 1}


@pytest.mark.uncompiled
@pytest.mark.parametrize("second", ["draw", "take blue"])
def test_r4_9_two_cards_left_make_a_whole_turn(second: str) -> None:
    game = played(table(FIVE, deck="white*2"), "take red", second)
    assert sum(game.view(0).hand.values()) == 2
    assert game.turn == 1


@pytest.mark.uncompiled
def test_r4_9_one_card_left_and_only_a_locomotive_would_be_face_up() -> None:
    game = table("locomotive locomotive none none none", deck="", discards="white*2")
    assert legal(game, 0) >= {"draw", "take locomotive"}
    game.play(0, "draw")
    # The second: blind only, for a face-up locomotive is never the second card.
    assert legal(game, 0) == {"draw"}


@pytest.mark.uncompiled
def test_r4_10_a_place_that_cannot_be_filled_stays_empty_until_a_card_can() -> None:
    game = read_position("""
        edition: europe
        turn: 0
        display: red none none blue none
        deck:
        seat 0: hand white*2
        seat 1: hand green
        seat 2: hand black
    """)
    assert game.play(0, "claim budapest-wien-2 white") == [
        Claim(0, "budapest-wien-2", ("white",), 1),
        Shuffle(1),
        Refill(1, "white"),
    ]
    assert game.view(None).display == ("red", "white", None, "blue", None)
    assert game.play(1, "station paris green")[1:] == [Shuffle(1), Refill(2, "green")]
    assert game.play(2, "station roma black")[1:] == [Shuffle(1), Refill(4, "black")]
    assert game.view(None).display == ("red", "white", "green", "blue", "black")


@pytest.mark.uncompiled
def test_r4_10_a_board_with_too_few_cards_begins_with_empty_places() -> None:
    game = Game(road(cards=few_cards(red=6, locomotive=4), seats=[2, 2]), 2, seed=2, first=0)
    laid = next(event for event in game.events if isinstance(event, FaceUp))
    assert [card is None for card in laid.cards] == [False, False, True, True, True]
    assert game.view(None).display == laid.cards
    keep_first(game, 2)
    assert refused(game, 0, "draw") == "R4.9 no_cards_left"
    hand = game.view(0).hand
    card = next(iter(hand))
    happened = game.play(0, f"claim a-b {card}")
    assert happened == [Claim(0, "a-b", (card,), 1), Shuffle(1), Refill(2, card)]


@pytest.mark.uncompiled
def test_r4_10_empty_places_and_locomotives_on_an_own_board() -> None:
    """Three locomotives beside empty places: R4.6 and R4.7 hold there as well."""
    game = Game(road(cards=few_cards(red=4, locomotive=7), seats=[2, 2]), 2, seed=3, first=0)
    keep_first(game, 2)
    view = game.view(None)
    cards = [card for card in view.display if card]
    others = 4 - sum(game.view(seat).hand.get("red", 0) for seat in range(2))
    assert len(cards) == 3
    assert cards.count("locomotive") < 3 or others < 3


def test_r4_10_the_display_always_shows_five_cards() -> None:
    choose = random.Random(4)
    for seed in range(8):
        game = Game("usa", 2 + seed % 4, seed=seed)
        while not game.over:
            seat = game.awaited[0]
            game.play(seat, choose.choice(game.legal_actions(seat)))
            assert None not in game.view(None).display
            assert game.view(None).display.count("locomotive") < 3


@pytest.mark.uncompiled
def test_r4_11_there_is_no_limit_to_a_hand() -> None:
    game = read_position("""
        edition: europe
        turn: 0
        display: red blue green yellow black
        seat 0: hand red*11 blue*11 green*11 yellow*11 black*11 white*12 purple*12 orange*12
        seat 1:
    """)
    played(game, "draw", "draw")
    assert game.view(0).of(0).cards == 93


@pytest.mark.uncompiled
def test_r4_11_what_is_in_the_discards_is_public() -> None:
    game = table(FIVE, discards="white*3 locomotive")
    for viewer in (0, 1, None):
        assert game.view(viewer).discards == {"white": 3, "locomotive": 1}
