"""R2: set-up."""

from collections import Counter
from itertools import count

import pytest
from positions import keep_first, line, refused

from ferrovia.boards import COLORS
from ferrovia.game import Game
from ferrovia.game.events import Deal, FaceUp, Flush, Keep, Offer

ALL_CARDS = Counter({color: 14 if color == "locomotive" else 12 for color in COLORS})


def counted(words: list[str]) -> Counter[str]:
    cards: Counter[str] = Counter()
    for word in words:
        name, _, number = word.partition("*")
        cards[name] += int(number or 1)
    return cards


@pytest.mark.uncompiled
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["usa", "europe"])
def test_r2_1_there_are_110_cards(name: str, players: int) -> None:
    game = Game(name, players, seed=1)
    keep_first(game, 2)
    cards = counted(line(game, "deck")) + counted(line(game, "discards"))
    cards += Counter(line(game, "display"))
    for seat in range(players):
        cards += Counter(game.view(seat).hand)
    assert cards == ALL_CARDS
    assert cards.total() == 110


@pytest.mark.uncompiled
def test_r2_1_the_seed_alone_decides_how_the_cards_are_shuffled() -> None:
    starts = [Game("europe", 2, seed=seed) for seed in (1, 2, 3, 1)]
    deals = [tuple(game.events) for game in starts]
    assert deals[0] == deals[3]
    assert len(set(deals)) == 3


def test_r2_1_every_card_is_as_likely_as_its_share() -> None:
    drawn: Counter[str | None] = Counter()
    for seed in range(600):
        for event in Game("usa", 5, seed=seed).events:
            if isinstance(event, Deal):
                drawn.update(event.cards)
    assert drawn.total() == 12_000
    for color in COLORS:  # five standard deviations, some 190 cards, are as good as impossible
        assert abs(drawn[color] - 12_000 * ALL_CARDS[color] / 110) < 190


@pytest.mark.uncompiled
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r2_2_four_cards_to_each_hand_then_five_face_up(players: int) -> None:
    game = Game("europe", players, seed=4)
    deals = game.events[:players]
    assert [event.player for event in deals if isinstance(event, Deal)] == list(range(players))
    for seat, event in enumerate(deals):
        assert isinstance(event, Deal)
        assert len(event.cards) == 4
        assert Counter(event.cards) == Counter(game.view(seat).hand)
    laid = game.events[players]
    assert isinstance(laid, FaceUp)
    assert len(laid.cards) == 5
    assert game.view(None).display == laid.cards
    assert game.view(None).deck_size == 110 - 4 * players - 5


def test_r2_2_three_locomotives_among_the_first_five_are_discarded_at_once() -> None:
    for seed in count():
        game = Game("usa", 2, seed=seed)
        assert game.view(None).display.count("locomotive") < 3
        if isinstance(game.events[3], Flush):
            break
    first, flush, second = game.events[2:5]
    assert isinstance(first, FaceUp)
    assert isinstance(second, FaceUp)
    assert first.cards.count("locomotive") >= 3
    assert flush == Flush(first.cards)
    assert game.view(None).discards == Counter(first.cards)
    assert game.view(None).display == second.cards


@pytest.mark.uncompiled
def test_r2_3_all_choose_at_the_same_time_in_any_order() -> None:
    one, other = Game("europe", 3, seed=5, first=1), Game("europe", 3, seed=5, first=1)
    answers = {0: "keep 1 2", 1: "keep 2 3 4", 2: "keep 1 3"}
    assert one.awaited == (0, 1, 2)
    for seat in (0, 1, 2):
        one.play(seat, answers[seat])
    for seat in (2, 0, 1):
        assert other.turn is None
        other.play(seat, answers[seat])
    assert one.turn == other.turn == 1
    assert bytes(one.state) == bytes(other.state)


@pytest.mark.uncompiled
@pytest.mark.parametrize("name", ["usa", "big-cities"])
def test_r2_3_what_is_shuffled_to_the_bottom_does_not_depend_on_who_answers_first(
    name: str,
) -> None:
    one, other = Game(name, 3, seed=6), Game(name, 3, seed=6)
    for seat in (0, 1, 2):
        one.play(seat, "keep 1 2")
    for seat in (2, 1, 0):
        other.play(seat, "keep 1 2")
    assert line(one, "tickets") == line(other, "tickets")


@pytest.mark.uncompiled
def test_r2_3_before_the_first_turn_there_is_nothing_to_do_but_choose() -> None:
    game = Game("europe", 2, seed=5, first=0)
    for action in ("draw", "take red", "tickets", "pass", "claim brest-dieppe orange orange"):
        assert refused(game, 0, action) == "R2.3 tickets_first"
    game.play(0, "keep 1 2")
    for action in ("draw", "tickets", "station wien red"):
        assert refused(game, 0, action) == "R2.3 tickets_first"


@pytest.mark.uncompiled
def test_r2_3_a_choice_is_made_once() -> None:
    game = Game("europe", 2, seed=5)
    game.play(0, "keep 1 2")
    assert refused(game, 0, "keep 1 2 3") == "R8.2 no_offer"
    assert game.legal_actions(0) == []


@pytest.mark.uncompiled
def test_r2_3_nobody_learns_what_another_was_offered_or_has_chosen() -> None:
    game = Game("europe", 2, seed=5)
    game.play(0, "keep 1 2 3")
    for viewer in (1, None):
        told = game.events_for(viewer)
        assert Keep(0, None, None) in told
        assert Offer(0, (None,) * 4) in told
        assert game.view(viewer).of(0).tickets is None
    assert game.view(0).of(0).tickets == 3
    game.play(1, "keep 1 2")
    assert Keep(0, None, None) in game.events_for(1)  # how many each keeps is public from now on
    assert game.view(1).of(0).tickets == 3


@pytest.mark.uncompiled
def test_r2_3_what_was_kept_at_the_start_cannot_be_given_back_later() -> None:
    game = Game("europe", 2, seed=5, first=0)
    keep_first(game, 4)
    before = set(game.view(0).tickets)
    game.play(0, "tickets")
    assert refused(game, 0, "keep 4") == "R8.2 not_offered"
    assert len(game.legal_actions(0)) == 7
    game.play(0, "keep 1")
    assert before < set(game.view(0).tickets)


@pytest.mark.uncompiled
@pytest.mark.parametrize("first", [0, 1, 2])
def test_r2_4_the_host_names_who_begins_and_turns_go_in_seat_order(first: int) -> None:
    game = Game("usa", 3, seed=7, first=first)
    keep_first(game, 2)
    for turn in range(6):
        seat = (first + turn) % 3
        assert game.turn == seat
        assert refused(game, (seat + 1) % 3, "draw") == "R2.4 not_your_turn"
        game.play(seat, "draw")
        game.play(seat, "draw")


def test_r2_4_by_default_chance_decides_who_begins() -> None:
    begins = Counter(Game("usa", 3, seed=seed).view(None).first for seed in range(300))
    assert set(begins) == {0, 1, 2}
    assert min(begins.values()) > 60  # five standard deviations below a third


@pytest.mark.uncompiled
def test_r2_4_who_begins_changes_nothing_in_the_cards() -> None:
    hands = [Game("usa", 3, seed=8, first=first).view(1).hand for first in (0, 1, 2, None)]
    assert hands[1:] == hands[:-1]


@pytest.mark.uncompiled
@pytest.mark.parametrize("first", [-1, 3])
def test_r2_4_the_first_player_must_have_a_seat(first: int) -> None:
    with pytest.raises(ValueError, match="no seat"):
        Game("usa", 3, first=first)
