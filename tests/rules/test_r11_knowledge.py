"""R11: what everyone may know."""

import random
from collections import Counter

import numpy as np
import pytest
from positions import keep_first, played, refused

from ferrovia.boards import COLORS
from ferrovia.game import Game, Phase, read_position, read_record
from ferrovia.game.events import Claim, Deal, Draw, Keep, Offer, Refill, Take
from ferrovia.game.records.record import record_for
from ferrovia.game.records.tape import tape
from ferrovia.game.views import view_of
from ferrovia.rules import calls
from ferrovia.rules.chapters import breaches
from ferrovia.rules.chapters.actions import ROUTE
from ferrovia.rules.state.layout import PAY, STATE
from ferrovia.rules.state.log import COLUMNS
from tests.memory import fields


def middle() -> Game:
    return read_position("""
        edition: europe
        turn: 0
        display: red blue green yellow locomotive
        discards: white*3 black
        next: purple orange
        seat 0: hand red*4 green | routes berlin-wien | tickets europe:paris-wien europe:kyiv-sochi
        seat 1: hand blue*2 locomotive | stations roma | tickets europe:essen-kyiv
        seat 2: hand white
    """)


@pytest.mark.uncompiled
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_r11_1_everybody_sees_what_lies_on_the_table(viewer: int | None) -> None:
    view = middle().view(viewer)
    assert view.display == ("red", "blue", "green", "yellow", "locomotive")
    assert view.discards == {"white": 3, "black": 1}
    assert view.deck_size == 110 - 5 - 4 - 5 - 3 - 1
    assert view.ticket_deck_size == 40 - 3
    assert view.owners == {"berlin-wien": 0}
    seats = [view.of(seat) for seat in range(3)]
    assert [seat.cards for seat in seats] == [5, 3, 1]
    assert [seat.tickets for seat in seats] == [2, 1, 0]
    assert [seat.trains for seat in seats] == [42, 45, 45]
    assert [seat.points for seat in seats] == [4, 0, 0]
    assert [seat.stations for seat in seats] == [(), ("roma",), ()]
    assert [seat.stations_left for seat in seats] == [3, 2, 3]
    assert (view.turn, view.phase, view.players) == (0, Phase.TURN, 3)


@pytest.mark.uncompiled
def test_r11_1_every_card_taken_face_up_and_by_whom() -> None:
    game = played(middle(), "take red", "take green")
    for viewer in (0, 1, None):
        assert game.events_for(viewer) == [
            Take(0, 0, "red"),
            Refill(0, "purple"),
            Take(0, 2, "green"),
            Refill(2, "orange"),
        ]
        assert game.view(viewer).of(0).known == {"red": 1, "green": 1}


@pytest.mark.uncompiled
def test_r11_1_every_card_played_or_turned_up() -> None:
    game = middle()
    game.play(0, "claim bruxelles-paris red red")
    game.play(1, "claim athina-smyrna blue locomotive")
    for viewer in (2, None):
        assert game.events_for(viewer) == [
            Claim(0, "bruxelles-paris", ("red", "red"), 2),
            Claim(1, "athina-smyrna", ("blue", "locomotive"), 2),
        ]
    tunnel = middle()
    tunnel.play(0, "claim angora-constantinople red red")
    assert tunnel.events_for(1) == tunnel.events


@pytest.mark.uncompiled
def test_r11_1_cards_that_were_seen_and_not_played_since_are_known() -> None:
    game = middle()
    game.foretell(tape(COLORS.index(card) for card in ("red", "white", "white")))
    played(game, "claim angora-constantinople red red", "withdraw")
    assert game.view(1).of(0).known == {"red": 2}  # laid, and taken back before everybody's eyes
    played(game, "draw", "draw", "draw", "draw", "claim bruxelles-paris red red")
    assert game.view(1).of(0).known == {}


@pytest.mark.uncompiled
def test_r11_2_a_card_drawn_blind_is_known_to_one_player() -> None:
    game = played(middle(), "draw")
    assert game.events_for(0) == [Draw(0, "purple")]
    assert game.events_for(1) == game.events_for(None) == [Draw(0, None)]
    assert game.view(1).of(0).known == {}
    assert game.view(1).of(0).cards == 6


@pytest.mark.uncompiled
def test_r11_2_hands_and_tickets_are_ones_own() -> None:
    game = middle()
    assert game.view(0).hand == {"red": 4, "green": 1}
    assert game.view(0).tickets == ("europe:kyiv-sochi", "europe:paris-wien")
    assert game.view(1).hand == {"blue": 2, "locomotive": 1}
    assert game.view(1).tickets == ("europe:essen-kyiv",)
    assert not hasattr(game.view(None), "hand")
    assert not hasattr(game.view(None), "tickets")


@pytest.mark.uncompiled
def test_r11_2_the_hand_dealt_at_the_start_is_secret() -> None:
    game = Game("europe", 3, seed=1)
    told = game.events_for(1)
    assert told[0] == Deal(0, (None,) * 4)
    assert told[1] == game.events[1]
    assert all(
        event == Deal(seat, (None,) * 4) for seat, event in enumerate(game.events_for(None)[:3])
    )


@pytest.mark.uncompiled
def test_r11_2_what_others_are_offered_and_how_far_they_are_is_secret_at_the_start() -> None:
    """In mega-europe the second offer tells what was kept of the first: that must not show."""
    views = []
    for answer in ("keep none", "keep 1"):
        game = Game("mega-europe", 2, seed=2)
        before = bytes(game.view(1).buffer)
        game.play(0, answer)
        assert bytes(game.view(1).buffer) == before
        told = str(game.events_for(1))
        views.append((bytes(game.view(1).buffer), bytes(game.view(None).buffer), told))
        assert game.view(1).of(0).tickets is None
        assert game.view(1).awaited == (0, 1)
    assert views[0] == views[1]


@pytest.mark.uncompiled
def test_r11_2_the_seed_is_secret_and_its_commitment_public() -> None:
    game = Game("usa", 2, seed=3)
    keep_first(game, 2)
    for viewer in (0, 1, None):
        record = record_for(game, viewer)
        assert record.header.seed is None
        assert record.header.commitment == game.commitment
        assert game.seed.hex() not in record.text()
        assert not fields(game.view(viewer).buffer, STATE).rng.any()
        assert read_record(record.text()) == record


def secrets_changed(game: Game, viewer: int | None, chance: random.Random) -> Game:
    """The same game as far as a viewer knows, with every secret another one where it can be."""
    other = game.copy()
    s = fields(other.state, STATE)
    s.rng[:] = [chance.getrandbits(32) for _ in s.rng]
    hidden = [seat for seat in range(game.players) if seat != viewer]
    pool = Counter({card: int(s.deck[card]) for card in range(9)})
    unknown = {}
    for seat in hidden:
        unknown[seat] = int(sum(s.hand[seat]) - sum(s.known[seat]))
        pool += Counter({card: int(s.hand[seat, card] - s.known[seat, card]) for card in range(9)})
        s.hand[seat] = s.known[seat]
    cards = list(pool.elements())
    chance.shuffle(cards)
    for seat in hidden:
        for _ in range(unknown[seat]):
            s.hand[seat, cards.pop()] += 1
    s.deck[:] = [cards.count(card) for card in range(9)]
    s.ticket_deck[:] = chance.sample(range(192), 192)
    for seat in hidden:
        s.tickets[seat] = [chance.getrandbits(64) for _ in s.tickets[seat]]
        s.offer[seat] = [chance.randrange(192) for _ in s.offer[seat]]
    if game.phase is Phase.START:
        for seat in hidden:
            s.stage[seat] = chance.randrange(2)
            s.ticket_count[seat] = chance.randrange(9)
            if s.offered[seat]:
                s.offered[seat] = chance.randrange(1, 6)
    return other


@pytest.mark.parametrize("edition", ["usa", "europe", "mega-europe"])
def test_r11_3_a_view_does_not_depend_on_what_the_viewer_may_not_know(edition: str) -> None:
    chance = random.Random(5)
    seen = set()
    game = Game(edition, 3, seed=1)
    for _ in range(200):
        for viewer in (0, 1, 2, None):
            other = secrets_changed(game, viewer, chance)
            assert bytes(game.view(viewer).buffer) == bytes(other.view(viewer).buffer)
        seen.add(game.phase)
        seat = chance.choice(game.awaited)
        game.play(seat, chance.choice(game.legal_actions(seat)))
    assert seen >= {Phase.START, Phase.TURN, Phase.SECOND_CARD, Phase.TICKETS}
    assert (Phase.TUNNEL in seen) == (edition != "usa")


def test_r11_3_the_events_sent_hold_nothing_secret() -> None:
    chance = random.Random(6)
    game = Game("europe", 3, seed=6)
    while len(game.events) < 150:
        seat = chance.choice(game.awaited)
        game.play(seat, chance.choice(game.legal_actions(seat)))
    assert not game.over
    for viewer in (0, 1, 2, None):
        for event in game.events_for(viewer):
            if getattr(event, "player", None) == viewer:
                continue
            match event:
                case Deal(cards=cards):
                    assert set(cards) == {None}
                case Offer(tickets=tickets):
                    assert set(tickets) == {None}
                case Draw(card=card):
                    assert card is None
                case Keep(kept=kept, returned=returned):
                    assert not any(kept or ())
                    assert not any(returned or ())


@pytest.mark.uncompiled
def test_r11_3_at_the_end_of_the_game_all_is_shown() -> None:
    game = read_position("""
        edition: europe
        turn: 0
        display: red blue green yellow locomotive
        last round: 1
        seat 0: hand red*4 | tickets europe:paris-wien
        seat 1: hand blue*2 | tickets europe:essen-kyiv
    """)
    assert game.view(1).of(0).tickets == 1
    played(game, "draw", "draw")
    assert game.over
    assert fields(game.view(None).buffer, STATE).hand[0].any()
    assert game.events_for(None) == game.events_for(1) == game.events
    record = record_for(game, None)
    assert record.header.seed == game.seed.hex()
    assert record.result is not None
    assert record.result.scores[0].failed == ("europe:paris-wien",)


def apply(game: Game, seat: int, code: int) -> int:
    """One decision of the kernel, which is smaller than an action."""
    rows, no_tape = np.zeros((64, COLUMNS), np.int16), np.zeros(0, np.int32)
    return int(calls.apply(game.lexicon.book, game.state, seat, code, rows, no_tape))


@pytest.mark.uncompiled
@pytest.mark.parametrize("viewer", [1, 2, None])
def test_r11_3_a_payment_in_progress_is_invisible_to_others(viewer: int | None) -> None:
    game = read_position("""
        edition: europe
        turn: 0
        display: red blue green yellow locomotive
        seat 0: hand red*4 green*2
        seat 1: hand blue
        seat 2:
    """)
    before, own = bytes(game.view(viewer).buffer), bytes(game.view(0).buffer)
    assert apply(game, 0, ROUTE + game.lexicon.route("danzig-warszawa")) == breaches.FINE
    assert fields(game.state, STATE).phase == PAY  # red or green: the choice is not made yet
    assert bytes(view_of(game.lexicon, game.state, viewer).buffer) == before
    assert bytes(view_of(game.lexicon, game.state, 0).buffer) != own


@pytest.mark.uncompiled
def test_r11_3_nor_is_it_visible_in_the_count_of_passes() -> None:
    game = read_position("""
        edition: usa
        turn: 0
        display: red blue green yellow locomotive
        deck:
        tickets:
        seat 0:
        seat 1: hand red blue
    """)
    game.play(0, "pass")
    before = bytes(game.view(0).buffer)
    assert apply(game, 1, ROUTE + game.lexicon.route("dallas-houston")) == breaches.FINE
    assert fields(game.state, STATE).phase == PAY
    assert bytes(view_of(game.lexicon, game.state, 0).buffer) == before


@pytest.mark.uncompiled
def test_r11_3_why_an_action_is_refused_tells_nothing_of_another_hand() -> None:
    """Whoever is not to move hears the same, whatever anybody holds."""
    for hand in ("red*4", "blue*4"):
        game = read_position(f"""
            edition: europe
            turn: 0
            display: red blue green yellow locomotive
            seat 0: hand {hand}
            seat 1: hand green
        """)
        for action in ("claim bruxelles-paris red red", "station wien green", "tickets", "draw"):
            assert refused(game, 1, action) == "R2.4 not_your_turn"
