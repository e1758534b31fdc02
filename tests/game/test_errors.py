"""Every reason to refuse an action can occur, cites its rule, and leaves nothing changed."""

from collections.abc import Callable

import numpy as np
import pytest

from ferrovia.game import Game, IllegalAction, InvalidAction, RecordError, read_position
from ferrovia.game.errors import REASONS
from ferrovia.rules import calls
from ferrovia.rules.chapters import actions as codes
from ferrovia.rules.chapters import breaches
from ferrovia.rules.state.layout import PAY, STATE
from ferrovia.rules.state.log import COLUMNS
from tests.memory import fields

pytestmark = pytest.mark.uncompiled


def europe(
    seat_0: str = "", seat_1: str = "", turn: int = 0, more: str = "", edition: str = "europe"
) -> Game:
    return read_position(f"""
        edition: {edition}
        turn: {turn}
        display: red blue green yellow locomotive
        {more}
        seat 0: {seat_0}
        seat 1: {seat_1}
    """)


def after(game: Game, *actions: str) -> Game:
    for action in actions:
        assert game.turn is not None
        game.play(game.turn, action)
    return game


def start(edition: str = "europe") -> Game:
    return Game(edition, 2, seed=1, first=0)


IN_TUNNEL = ("claim angora-constantinople red red",)

# reason: the rule, the position, the seat and what it tries
CASES: dict[str, tuple[str, Callable[[], Game], int, str]] = {
    "game_is_over": (
        "R10.2",
        lambda: after(europe(more="last round: 1"), "draw", "draw"),
        1,
        "draw",
    ),
    "not_your_turn": ("R2.4", europe, 1, "draw"),
    "tickets_first": ("R2.3", start, 0, "draw"),
    "offer_first": ("R8.2", lambda: after(europe(), "tickets"), 0, "draw"),
    "no_offer": ("R8.2", europe, 0, "keep 1"),
    "keep_more": ("R8.2", lambda: after(europe(), "tickets"), 0, "keep none"),
    "keep_more_at_start": ("R2.3", start, 0, "keep 1"),
    "keep_fewer": ("R1.3", lambda: start("mega-europe"), 0, "keep 1 2"),
    "not_offered": ("R8.2", lambda: after(europe(), "tickets"), 0, "keep 4"),
    "no_cards_left": ("R4.9", lambda: europe(more="deck:"), 0, "take red"),
    "not_face_up": ("R4.1", europe, 0, "take black"),
    "locomotive_second": ("R4.4", lambda: after(europe(), "draw"), 0, "take locomotive"),
    "second_card_first": ("R4.1", lambda: after(europe(), "draw"), 0, "tickets"),
    "no_tickets_left": ("R8.1", lambda: europe(more="tickets:"), 0, "tickets"),
    "route_claimed": (
        "R5.5",
        lambda: europe("hand red*3", "routes kyiv-smolensk"),
        0,
        "claim kyiv-smolensk red red red",
    ),
    "own_double": (
        "R5.6",
        lambda: europe("hand red*3 | routes bruxelles-paris-2"),
        0,
        "claim bruxelles-paris red red",
    ),
    "closed_double": (
        "R5.7",
        lambda: europe("hand red*3", "routes bruxelles-paris-2"),
        0,
        "claim bruxelles-paris red red",
    ),
    "too_few_trains": (
        "R5.3",
        lambda: europe("hand red*3 | trains 2"),
        0,
        "claim kyiv-smolensk red red red",
    ),
    "too_few_cards": ("R5.1", lambda: europe("hand red*2"), 0, "claim kyiv-smolensk red red red"),
    "ferry_locomotives": ("R6.1", lambda: europe("hand red*2"), 0, "claim dieppe-london red red"),
    "wrong_payment": (
        "R5.1",
        lambda: europe("hand red*3 blue*3"),
        0,
        "claim kyiv-smolensk blue blue blue",
    ),
    "nothing_to_pay": ("R7.2", lambda: europe("hand red*3"), 0, "pay red"),
    "tunnel_first": (
        "R7.4",
        lambda: after(europe("hand red*3", more="next: red white white"), *IN_TUNNEL),
        0,
        "draw",
    ),
    "wrong_extra": (
        "R7.2",
        lambda: after(europe("hand red*3 blue", more="next: red white white"), *IN_TUNNEL),
        0,
        "pay blue",
    ),
    "no_stations_left": (
        "R9.1",
        lambda: europe("hand red*9 | stations wien roma paris"),
        0,
        "station berlin red red red",
    ),
    "city_occupied": ("R9.1", lambda: europe("hand red", "stations wien"), 0, "station wien red"),
    "station_cards": (
        "R9.2",
        lambda: europe("hand red blue | stations wien"),
        0,
        "station roma red red",
    ),
    "may_not_pass": ("R3.2", europe, 0, "pass"),
    # Found before the kernel is asked: a payment that no hand could make.
    "one_color": ("R5.1", lambda: europe("hand red*3"), 0, "claim kyiv-smolensk red red blue"),
    "wrong_number": ("R5.1", lambda: europe("hand red*3"), 0, "claim kyiv-smolensk red red"),
}

# Only the kernel's own decisions, which are smaller than actions, can meet these.
KERNEL_ONLY = {"no_such_action", "payment_first"}


@pytest.mark.parametrize("reason", CASES)
def test_every_reason_occurs_and_changes_nothing(reason: str) -> None:
    rule, position, seat, action = CASES[reason]
    game = position()
    state, happened = bytes(game.state), list(game.events)
    refused = game.why_not(seat, action)
    assert refused is not None
    with pytest.raises(IllegalAction) as caught:
        game.play(seat, action)
    assert (caught.value.rule, caught.value.reason) == (rule, reason)
    assert (refused.rule, refused.reason) == (rule, reason)
    assert str(caught.value).endswith(f"({rule})")
    assert bytes(game.state) == state
    assert game.events == happened


def test_no_reason_is_left_out() -> None:
    reasons = {reason for reason, _, _ in REASONS.values()}
    assert reasons == (set(CASES) - {"one_color", "wrong_number"}) | KERNEL_ONLY
    assert len(REASONS) == len(reasons)


@pytest.mark.parametrize("breach", REASONS)
def test_every_reason_cites_a_rule_of_the_rules(breach: int) -> None:
    _, rule, message = REASONS[breach]
    chapter, number = rule.removeprefix("R").split(".")
    last = {1: 5, 2: 4, 3: 3, 4: 11, 5: 8, 6: 1, 7: 8, 8: 3, 9: 4, 10: 6, 11: 3}
    assert 1 <= int(number) <= last[int(chapter)]
    assert message


def apply(game: Game, seat: int, code: int) -> int:
    """One decision of the kernel. It must change nothing unless it is fine."""
    rows, tape = np.zeros((64, COLUMNS), np.int16), np.zeros(0, np.int32)
    before = bytes(game.state)
    explained = calls.explain(game.lexicon.book, game.state, seat, code)
    breach = int(calls.apply(game.lexicon.book, game.state, seat, code, rows, tape))
    assert breach == explained
    assert (bytes(game.state) == before) == (breach != breaches.FINE)
    assert (rows[0, 0] == 0) or breach == breaches.FINE
    return breach


def test_the_kernel_knows_no_such_action() -> None:
    game = europe("hand red*3")
    for code in (-1, -1000, 30_000, 32_767):
        assert apply(game, 0, code) == breaches.NO_SUCH_ACTION
    game.play(0, "tickets")
    # Two tickets can be given back in two orders: there is no third.
    keep_first = codes.keep_action(game.lexicon.tables, 0b001, 1)
    no_third = codes.keep_action(game.lexicon.tables, 0b001, 2)
    assert apply(game, 0, no_third) == breaches.NO_SUCH_ACTION
    assert apply(game, 0, keep_first) == breaches.FINE


@pytest.mark.parametrize("seat", [-1, 2, 5, 6, 100])
def test_the_kernel_knows_no_such_seat(seat: int) -> None:
    game = europe("hand red*3")
    assert apply(game, seat, codes.DRAW_BLIND) == breaches.NOT_YOUR_TURN


def test_a_payment_that_is_awaited_comes_first() -> None:
    game = europe("hand red*3 blue*3")
    danzig = codes.ROUTE + game.lexicon.route("danzig-warszawa")
    assert apply(game, 0, danzig) == breaches.FINE
    assert fields(game.state, STATE).phase == PAY
    wien = game.lexicon.first_city + game.lexicon.city("wien")
    for code in (codes.DRAW_BLIND, codes.TAKE, codes.DRAW_TICKETS, codes.PASS_TURN, danzig, wien):
        assert apply(game, 0, code) == breaches.PAYMENT_FIRST
    assert apply(game, 0, codes.ONLY_LOCOMOTIVES) == breaches.WRONG_PAYMENT
    assert apply(game, 0, game.lexicon.first_keep + 1) == breaches.NO_OFFER
    assert apply(game, 1, codes.DRAW_BLIND) == breaches.NOT_YOUR_TURN
    red_red = codes.payment_action(7, 0)
    assert apply(game, 0, red_red) == breaches.FINE
    assert game.view(None).owners == {"danzig-warszawa": 0}


def test_a_choice_with_one_way_to_pay_is_paid_at_once() -> None:
    game = europe("hand red*2")
    assert apply(game, 0, codes.ROUTE + game.lexicon.route("danzig-warszawa")) == breaches.FINE
    assert game.view(None).owners == {"danzig-warszawa": 0}


def test_every_code_of_the_kernel_is_fine_or_refused_for_a_reason() -> None:
    """Over all codes and in every phase: exactly the listed ones are fine."""
    positions = [
        europe("hand red*4 blue*2 locomotive"),
        after(europe("hand red*4"), "draw"),
        after(europe(), "tickets"),
        after(europe("hand red*4", more="next: red white white"), *IN_TUNNEL),
        start(),
        start("mega-europe"),
        after(europe(more="last round: 1"), "draw", "draw"),
        europe(more="deck:\ntickets:"),
    ]
    out = np.empty(1024, np.int16)
    for game in positions:
        book, actions = game.lexicon.book, int(game.lexicon.tables.actions)
        for seat in range(2):
            legal = out[: calls.legal(book, game.state, seat, out)].tolist()
            assert legal == sorted(set(legal))
            fine = [
                code
                for code in range(-3, actions)
                if calls.explain(book, game.state, seat, code) == breaches.FINE
            ]
            assert fine == legal
            assert bool(legal) == (seat in game.awaited)
            for code in range(-3, actions + 200):
                breach = calls.explain(book, game.state, seat, code)
                assert breach == breaches.FINE or breach in REASONS


def test_errors_are_value_errors_by_cause() -> None:
    for kind in (InvalidAction, IllegalAction, RecordError):
        assert issubclass(kind, ValueError)
    assert not issubclass(InvalidAction, IllegalAction)


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_at_the_table(seat: int) -> None:
    game = europe()
    for ask in (
        lambda: game.play(seat, "draw"),
        lambda: game.view(seat),
        lambda: game.legal_actions(seat),
    ):
        with pytest.raises(ValueError, match="no seat"):
            ask()


def test_an_action_refused_in_its_payment_leaves_the_choice_unmade() -> None:
    """A claim is two decisions of the kernel and one of the player: all or nothing."""
    game = europe("hand red*3 blue*3")
    before = bytes(game.state)
    with pytest.raises(IllegalAction):
        game.play(0, "claim danzig-warszawa green green")
    assert bytes(game.state) == before
    game.play(0, "claim danzig-warszawa blue blue")
    assert game.view(0).hand == {"red": 3, "blue": 1}


@pytest.mark.parametrize("seed", [b"short", bytes(33), -1, 1 << 256])
def test_a_seed_has_32_bytes(seed: bytes | int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Game("usa", 2, seed=seed)
