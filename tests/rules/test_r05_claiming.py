"""R5: claiming a route. The lists of payments are compared with all choices of cards, by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import Hand, cards_text, legal, played, refused, subsets_of

from ferrovia.boards import COLORS, Route, board
from ferrovia.game import Game, read_position
from ferrovia.game.events import Claim

LOCOMOTIVE = "locomotive"
ROUTES = {name: {route.id: route for route in board(name).routes} for name in ("usa", "europe")}


def table(hand: str, edition: str = "europe", seat: str = "") -> Game:
    return read_position(f"""
        edition: {edition}
        turn: 0
        display: red blue green yellow black
        seat 0: hand {hand} {seat}
        seat 1:
    """)


def payments(hand: Hand, route: Route) -> set[str]:
    """All ways to pay for a route out of a hand, by the letter of R5.1, R5.2 and R6.1."""
    ways = set()
    for cards in subsets_of(hand, route.length):
        colors = set(cards) - {LOCOMOTIVE}
        if len(colors) > 1 or cards[LOCOMOTIVE] < route.ferry:
            continue
        if route.color != "gray" and colors - {route.color}:
            continue
        ways.add(cards_text(cards))
    return ways


def all_claims(name: str, hand: Hand) -> set[str]:
    return {
        f"claim {route.id} {way}"
        for route in ROUTES[name].values()
        for way in payments(hand, route)
    }


def hand_text(hand: Hand) -> str:
    return " ".join(f"{name}*{count}" for name, count in hand.items())


hands = st.dictionaries(st.sampled_from(COLORS), st.integers(1, 8), max_size=4)
small_hands = st.dictionaries(st.sampled_from(COLORS), st.integers(1, 3), max_size=3)


@pytest.mark.uncompiled
def test_r5_1_a_coloured_route_takes_its_colour() -> None:
    game = table("red*3 blue*3 locomotive")
    assert {a for a in legal(game, 0) if "kyiv-smolensk" in a} == {
        "claim kyiv-smolensk red red red",
        "claim kyiv-smolensk red red locomotive",
    }
    assert refused(game, 0, "claim kyiv-smolensk blue blue blue") == "R5.1 wrong_payment"


@pytest.mark.uncompiled
def test_r5_1_a_gray_route_takes_any_one_colour() -> None:
    game = table("red*2 blue*2 green")
    assert {a for a in legal(game, 0) if "danzig-warszawa" in a} == {
        "claim danzig-warszawa red red",
        "claim danzig-warszawa blue blue",
    }
    assert refused(game, 0, "claim danzig-warszawa red blue") == "R5.1 one_color"
    assert refused(game, 0, "claim danzig-warszawa green green") == "R5.1 wrong_payment"


@pytest.mark.uncompiled
def test_r5_1_as_many_cards_as_spaces() -> None:
    game = table("red*4")
    assert refused(game, 0, "claim kyiv-smolensk red red") == "R5.1 wrong_number"
    assert refused(game, 0, "claim kyiv-smolensk red red red red") == "R5.1 wrong_number"
    game = table("red*2")
    assert refused(game, 0, "claim kyiv-smolensk red red red") == "R5.1 too_few_cards"


@given(hands, st.sampled_from(["europe", "usa"]))
@settings(max_examples=100, deadline=None)
def test_r5_1_every_way_to_pay_is_listed_and_no_other(hand: Hand, name: str) -> None:
    game = table(hand_text(hand), name)
    listed = {action for action in legal(game, 0) if action.startswith("claim")}
    assert listed == all_claims(name, hand)


@given(small_hands, st.sampled_from(sorted(ROUTES["europe"])))
@settings(max_examples=60, deadline=None)
def test_r5_1_every_way_to_pay_can_be_played_and_no_other(hand: Hand, route: str) -> None:
    game = table(hand_text(hand))
    ways = payments(hand, ROUTES["europe"][route])
    more = {name: count + 1 for name, count in hand.items()} | {"white": hand.get("white", 0) + 1}
    for size in (ROUTES["europe"][route].length, 1 + len(hand)):
        for cards in list(subsets_of(more, size))[:40]:
            action = f"claim {route} {cards_text(cards)}"
            if cards_text(cards) not in ways:
                assert refused(game, 0, action)[:2] in ("R5", "R6")
                continue
            trial = game.copy()
            trial.play(0, action)
            left = {name: n - cards[name] for name, n in hand.items() if n > cards[name]}
            if trial.turn == 1:
                assert trial.view(0).of(0).routes == (route,)
            assert trial.view(0).hand == left


@pytest.mark.uncompiled
def test_r5_2_any_number_of_locomotives_is_the_players_choice() -> None:
    game = table("red*3 locomotive*3")
    ways = {a for a in legal(game, 0) if "kyiv-smolensk" in a}
    assert ways == {
        "claim kyiv-smolensk red red red",
        "claim kyiv-smolensk red red locomotive",
        "claim kyiv-smolensk red locomotive locomotive",
        "claim kyiv-smolensk locomotive locomotive locomotive",
    }
    for way in ways:
        spent = way.count("locomotive")
        trial = played(game.copy(), way)
        assert trial.view(0).hand.get("locomotive", 0) == 3 - spent
        assert trial.view(0).hand.get("red", 0) == spent


@pytest.mark.uncompiled
@pytest.mark.parametrize("route", ["kyiv-smolensk", "kobenhavn-stockholm", "angora-erzurum"])
def test_r5_2_locomotives_alone_pay_for_any_colour(route: str) -> None:
    game = table("locomotive*3")
    game.play(0, f"claim {route} locomotive locomotive locomotive")
    assert game.view(0).hand == {}


@pytest.mark.uncompiled
@pytest.mark.parametrize(("trains", "fits"), [(5, False), (6, True), (45, True)])
def test_r5_3_one_train_for_every_space(trains: int, fits: bool) -> None:
    game = table("white*6", "usa", f"| trains {trains}")
    action = "claim calgary-winnipeg white white white white white white"
    assert (action in legal(game, 0)) == fits
    if not fits:
        assert refused(game, 0, action) == "R5.3 too_few_trains"
    else:
        game.play(0, action)
        assert game.view(None).of(0).trains == trains - 6


@pytest.mark.uncompiled
def test_r5_3_no_route_is_listed_that_is_longer_than_the_trains_left() -> None:
    for trains in range(9):
        game = table("rest", "europe", f"| trains {trains}")
        claimed = {a.split()[1] for a in legal(game, 0) if a.startswith("claim")}
        assert claimed == {id for id, r in ROUTES["europe"].items() if r.length <= trains}


@pytest.mark.uncompiled
def test_r5_4_the_cards_are_discarded_and_the_points_scored_at_once() -> None:
    game = table("red*3 locomotive*2")
    assert game.play(0, "claim kyiv-smolensk red red locomotive") == [
        Claim(0, "kyiv-smolensk", ("red", "red", "locomotive"), 4)
    ]
    assert game.view(None).discards == {"red": 2, "locomotive": 1}
    assert game.view(0).hand == {"red": 1, "locomotive": 1}
    assert game.view(None).of(0).points == 4
    assert game.view(None).of(0).cards == 2
    assert game.view(None).owners == {"kyiv-smolensk": 0}


@pytest.mark.uncompiled
def test_r5_4_cards_may_be_named_in_any_order() -> None:
    game = table("red*3 locomotive*2")
    game.play(0, "claim kyiv-smolensk locomotive red locomotive")
    assert game.view(0).hand == {"red": 2}


@pytest.mark.uncompiled
def test_r5_5_a_route_need_not_touch_the_players_others() -> None:
    game = table("red*3", seat="| routes cadiz-lisboa")
    game.play(0, "claim kyiv-smolensk red red red")
    assert game.view(None).of(0).routes == ("cadiz-lisboa", "kyiv-smolensk")


@pytest.mark.uncompiled
@pytest.mark.parametrize("owner", [0, 1])
def test_r5_5_a_claimed_route_is_not_open(owner: int) -> None:
    routes = ["", ""]
    routes[owner] = "| routes kyiv-smolensk"
    game = read_position(f"""
        edition: europe
        turn: 0
        display: red blue green yellow black
        seat 0: hand red*4 {routes[0]}
        seat 1: hand blue {routes[1]}
    """)
    assert refused(game, 0, "claim kyiv-smolensk red red red") == "R5.5 route_claimed"
    assert not any("kyiv-smolensk" in action for action in legal(game, 0))


@pytest.mark.uncompiled
def test_r5_5_one_route_in_a_turn_whole_or_not_at_all() -> None:
    game = table("red*7")
    assert refused(game, 0, "claim marseille-pamplona red red red") == "R5.1 wrong_number"
    game.play(0, "claim marseille-pamplona red red red red")
    assert refused(game, 0, "claim kyiv-smolensk red red red") == "R2.4 not_your_turn"


def doubled(players: int) -> Game:
    """Seat 0 owns the red half of Bruxelles–Paris; everybody could pay for the yellow one."""
    seats = "\n".join(f"seat {seat}: hand yellow*2" for seat in range(1, players))
    return read_position(f"""
        edition: europe
        turn: 0
        display: red blue green white black
        seat 0: hand yellow*2 | routes bruxelles-paris
        {seats}
    """)


YELLOW_HALF = "claim bruxelles-paris-2 yellow yellow"


@pytest.mark.uncompiled
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r5_6_one_player_can_never_own_both_halves(players: int) -> None:
    game = doubled(players)
    assert refused(game, 0, YELLOW_HALF) == "R5.6 own_double"
    assert YELLOW_HALF not in legal(game, 0)
    assert game.view(None).of(0).closed == ("bruxelles-paris-2",)


@pytest.mark.uncompiled
@pytest.mark.parametrize("players", [4, 5])
def test_r5_6_with_four_and_five_another_player_can_have_the_other_half(players: int) -> None:
    game = played(doubled(players), "tickets", "keep 1")
    assert game.view(None).of(1).closed == ()
    game.play(1, YELLOW_HALF)
    assert game.view(None).of(0).closed == ()
    assert game.view(None).owners == {"bruxelles-paris": 0, "bruxelles-paris-2": 1}
    assert refused(game, 2, YELLOW_HALF) == "R5.5 route_claimed"


@pytest.mark.uncompiled
@pytest.mark.parametrize("players", [2, 3])
def test_r5_7_with_two_and_three_the_other_half_is_closed_to_everybody(players: int) -> None:
    game = doubled(players)
    for seat in range(1, players):
        played(game, "tickets", "keep 1")
        assert refused(game, seat, YELLOW_HALF) == "R5.7 closed_double"
        assert YELLOW_HALF not in legal(game, seat)
        assert game.view(None).of(seat).closed == ("bruxelles-paris-2",)


@pytest.mark.uncompiled
@pytest.mark.parametrize("half", ["atlanta-raleigh", "atlanta-raleigh-2"])
def test_r5_7_it_is_closed_by_the_claim_itself_whichever_half_it_was(half: str) -> None:
    game = read_position("""
        edition: usa
        turn: 0
        display: red blue green white black
        seat 0: hand red*2
        seat 1: hand blue*2
    """)
    other = {"atlanta-raleigh", "atlanta-raleigh-2"} - {half}
    game.play(0, f"claim {half} red red")
    assert refused(game, 1, f"claim {other.pop()} blue blue") == "R5.7 closed_double"


@pytest.mark.uncompiled
@pytest.mark.parametrize("name", ["usa", "europe"])
@pytest.mark.parametrize("players", [2, 4])
def test_r5_8_a_claim_closes_its_twin_and_nothing_else(name: str, players: int) -> None:
    """Routes that run side by side for a while but end in different cities are not doubles."""
    routes = ROUTES[name]
    rest = "\n".join(f"seat {seat}:" for seat in range(2, players))
    for id, route in list(routes.items())[:: 5 if players == 4 else 3]:
        twins = {
            other.id
            for other in routes.values()
            if {other.a, other.b} == {route.a, route.b} and other.length == route.length
        }
        for seat, closed in ((0, twins), (1, twins if players == 2 else {id})):
            game = read_position(f"""
                edition: {name}
                turn: {seat}
                display: red blue green white black
                seat {0}: {"hand rest" if seat == 0 else ""} | routes {id}
                seat {1}: {"hand rest" if seat == 1 else ""}
                {rest}
            """)
            claimable = {a.split()[1] for a in legal(game, seat) if a.startswith("claim")}
            assert set(routes) - claimable == closed


@pytest.mark.uncompiled
def test_r5_8_side_by_side_is_not_a_double() -> None:
    game = read_position("""
        edition: europe
        turn: 0
        display: red blue green white black
        seat 0: hand orange*3 blue*2 | routes frankfurt-paris bruxelles-paris
        seat 1:
    """)
    game.play(0, "claim bruxelles-frankfurt blue blue")
