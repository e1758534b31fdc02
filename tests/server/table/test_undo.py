"""Taking back after the commit: by consent, where nothing was uncovered; anything in practice."""

import json
import random
from typing import Any

import pytest

from ferrovia.game import Game, read_record
from ferrovia.game.records.replay import replay, rewound
from ferrovia.server.protocol import from_client
from ferrovia.server.protocol.clock import Clock
from ferrovia.server.protocol.from_client import BotSeat, OpenSeat, PersonSeat
from ferrovia.server.protocol.state import UndoInfo
from ferrovia.server.refusals import Refusal
from ferrovia.server.table import entries, played
from ferrovia.server.table.entries import write_entry
from ferrovia.server.table.resume import resume
from ferrovia.server.table.verbs.decide import decide_for_bot
from ferrovia.server.table.verbs.undo import time_out as undo_time_out
from ferrovia.server.table.verbs.undo import undoable
from ferrovia.server.table.viewers import view
from tests.server.support.tabletop import Tabletop, facts

ADA, BOB, CLEO = PersonSeat("Ada"), PersonSeat("Bob"), PersonSeat("Cleo")


def refused(code: str) -> pytest.RaisesExc[Refusal]:
    return pytest.RaisesExc(Refusal, check=lambda refusal: refusal.code == code)


def game_of(top: Tabletop) -> Game:
    assert top.table.game is not None
    return top.table.game


def to_a_claim(*seats: object, **setup: Any) -> tuple[Tabletop, int]:
    """Play until somebody has claimed a route, and return who."""
    setup.setdefault("first", 0)
    top = Tabletop(*seats, **setup)
    for seat in range(len(top.table.seats)):
        top.write(decide_for_bot(top.table, seat, "keep 1 2 3", top.now))
    chance = random.Random(4)
    while True:
        (seat,) = top.table.awaited
        actions = [str(action) for action in game_of(top).legal_actions(seat)]
        claims = claims_of(top, seat)
        action = claims[0] if claims and not top.table.bot_of(seat) else "draw"
        if action == "draw" and action not in actions:
            action = chance.choice(actions)
        play(top, seat, action)
        if action.startswith("claim"):
            return top, seat


def claim_of(top: Tabletop, seat: int) -> str:
    """Return a claim that is legal now, and that ends the turn."""
    return claims_of(top, seat)[0]


def claims_of(top: Tabletop, seat: int) -> list[str]:
    """Return all claims that are legal now, but those of tunnels, which may take another answer."""
    tunnels = {route.id for route in game_of(top).edition.board.routes if route.tunnel}
    actions = (str(action) for action in game_of(top).legal_actions(seat))
    return [it for it in actions if it.startswith("claim") and it.split()[1] not in tunnels]


def play(top: Tabletop, seat: int, action: str) -> None:
    if top.table.bot_of(seat) is None:
        top.decide(seat, action)
    else:
        top.write(decide_for_bot(top.table, seat, action, top.now))


def undo(top: Tabletop, seat: int, **more: object) -> None:
    top.command(seat, from_client.Undo, **more)


def answer(top: Tabletop, seat: int, agree: bool) -> None:
    top.command(seat, from_client.AnswerUndo, agree=agree)


def kinds(top: Tabletop) -> list[str]:
    return [type(entry).__name__ for entry in top.log]


def same_from_its_log(top: Tabletop) -> bool:
    return facts(top.table) == facts(resume(top.table.id, map(write_entry, top.log)))


def test_all_people_agree_and_a_claim_has_not_happened() -> None:
    top, ada = to_a_claim(ADA, BOB, CLEO)
    others = [seat for seat in range(3) if seat != ada]
    assert undoable(top.table) == (ada,)
    undo(top, ada)
    assert top.table.undo.request is not None
    answer(top, others[0], True)
    assert top.table.awaited != (ada,)
    assert view.table_info(top.table).undo == UndoInfo(
        seat=ada, agreed=(others[0],), until=top.now + 30
    )
    answer(top, others[1], True)
    assert top.table.awaited == (ada,)
    assert kinds(top)[-4:] == ["UndoAsked", "UndoAgreed", "UndoAgreed", "Undone"]
    assert not game_of(top).view(None).owners
    assert same_from_its_log(top)
    tunnels = {route.id for route in game_of(top).edition.board.routes if route.tunnel}
    actions = map(str, game_of(top).legal_actions(ada))
    claims = [it for it in actions if it.startswith("claim") and it.split()[1] not in tunnels]
    top.decide(ada, claims[0])
    assert game_of(top).view(None).owners
    assert same_from_its_log(top)


def test_one_who_refuses_is_enough() -> None:
    top, ada = to_a_claim(ADA, BOB, CLEO)
    undo(top, ada)
    other = (ada + 1) % 3
    answer(top, other, False)
    assert top.table.undo.request is None
    assert game_of(top).view(None).owners
    with refused("not_asked"):
        answer(top, other, True)
    assert same_from_its_log(top)


def test_what_was_refused_is_not_asked_again() -> None:
    top, seat = to_a_claim(ADA, BOB)
    top.command(seat, from_client.Undo)
    top.command(1 - seat, from_client.AnswerUndo, agree=False)
    assert seat not in undoable(top.table)
    with refused("nothing_to_undo"):
        top.command(seat, from_client.Undo)
    play(top, 1 - seat, claim_of(top, 1 - seat) if claims_of(top, 1 - seat) else "draw")


def test_whoever_asked_can_think_better_of_it_but_not_agree() -> None:
    top, ada = to_a_claim(ADA, BOB)
    undo(top, ada)
    with refused("undo_asked"):
        undo(top, 1 - ada)
    with refused("not_asked"):
        answer(top, ada, True)
    answer(top, ada, False)
    assert top.table.undo.request is None


def test_the_next_decision_is_an_answer_too() -> None:
    top, ada = to_a_claim(ADA, BOB)
    undo(top, ada)
    top.decide(1 - ada, "draw")
    assert top.table.undo.request is None
    with refused("uncovered"):
        undo(top, ada)
    assert undoable(top.table) == ()


def test_bots_wait_for_the_answer_and_nobody_waits_for_ever() -> None:
    top, seat = to_a_claim(ADA, BotSeat("random"), BOB)
    while seat != 0:  # Ada's claim, so that the bot is next
        top, seat = to_a_claim(ADA, BotSeat("random"), BOB, first=0)
    assert top.table.awaited_bot == 1
    undo(top, 0)
    assert top.table.awaited_bot is None
    assert top.table.due == top.now + 30
    assert undo_time_out(top.table, top.now + 29) == []
    top.now += 30
    top.write(*undo_time_out(top.table, top.now))
    assert top.table.awaited_bot == 1
    assert top.log[-1] == entries.UndoRefused(at=top.now, seat=-1)


def test_what_was_uncovered_is_not_taken_back() -> None:
    top = Tabletop(ADA, BOB, first=0)
    with refused("nothing_to_undo"):
        undo(top, 0)
    top.decide(0, "keep 1 2 3")
    assert undoable(top.table) == (0,)
    top.decide(1, "keep 1 2 3")
    with refused("uncovered"):
        undo(top, 0)  # Bob would have to choose again
    top.decide(0, "draw")
    with refused("uncovered"):
        undo(top, 0)
    with refused("not_seated"):
        top.command(None, from_client.Undo)


def test_a_choice_of_tickets_is_taken_back_and_the_offer_stays() -> None:
    top = Tabletop(ADA, BOB, first=0)
    for seat in (0, 1):
        top.decide(seat, "keep 1 2 3")
    top.decide(0, "tickets")
    offer = game_of(top).view(0).offer
    top.decide(0, "keep 1")
    undo(top, 0)
    answer(top, 1, True)
    assert game_of(top).view(0).offer == offer
    assert same_from_its_log(top)


def test_a_decision_that_did_not_know_of_it_is_stale_and_the_clock_begins_anew() -> None:
    top, ada = to_a_claim(ADA, BOB, clock=Clock("live", 60))
    known = top.table.number
    undo(top, ada)
    top.now += 5
    answer(top, 1 - ada, True)
    assert top.table.turn.deadline == top.now + 60
    with refused("stale"):
        top.decide(ada, "draw", known=known)


@pytest.mark.parametrize("practice", [False, True])
def test_alone_the_clock_goes_on_as_it_was(practice: bool) -> None:
    top, ada = to_a_claim(ADA, BotSeat("random"), clock=Clock("live", 60), practice=practice)
    for _ in range(3):  # however often: no time is won by taking back
        undo(top, ada)
        assert top.table.turn.deadline is not None
        left = top.table.turn.deadline - top.now
        top.now += 10
        top.decide(ada, claim_of(top, ada))
        assert top.table.turn.deadline == top.now + 60  # the turn of the bot
        top.now += 2
        undo(top, ada)
        assert top.table.turn.deadline == top.now + left - 10
        top.decide(ada, claim_of(top, ada))
    assert same_from_its_log(top)


def test_nobody_is_shown_a_deadline_while_a_bot_decides() -> None:
    top, ada = to_a_claim(ADA, BotSeat("random"), clock=Clock("live", 60))
    assert top.table.awaited_people == ()
    assert top.table.turn.deadline is not None
    assert view.table_info(top.table).deadline is None
    play(top, 1, "draw")
    play(top, 1, "draw")
    assert top.table.awaited_people == (ada,)
    assert view.table_info(top.table).deadline == top.now + 60


def test_a_turn_taken_back_in_practice_has_what_was_left_of_its_time() -> None:
    top, ada = to_a_claim(ADA, BotSeat("random"), clock=Clock("live", 60), practice=True)
    play(top, 1, "draw")
    play(top, 1, "draw")
    top.now += 25
    top.decide(ada, "draw")
    top.now += 30
    undo(top, ada)
    assert top.table.turn.deadline == top.now + 35


def test_whoever_is_away_is_not_asked() -> None:
    top, ada = to_a_claim(ADA, BOB, stand_in="random")
    top.command(1 - ada, from_client.Leave)
    undo(top, ada)
    assert top.table.awaited == (ada,)


def test_alone_against_bots_without_practice_the_rule_is_the_same() -> None:
    top, ada = to_a_claim(ADA, BotSeat("random"))
    undo(top, ada)
    assert top.table.awaited == (ada,)
    top.decide(ada, "draw")
    with refused("uncovered"):
        undo(top, ada)


def test_in_practice_anything_is_taken_back_and_the_record_says_so() -> None:
    top, ada = to_a_claim(ADA, BotSeat("random"), practice=True)
    stood = [bytes(game_of(top).state)]
    play(top, 1, "draw")
    play(top, 1, "draw")
    undo(top, ada)
    assert top.table.awaited == (ada,)
    top.decide(ada, "draw")
    undo(top, ada)
    while undoable(top.table):
        undo(top, ada)
    assert len(game_of(top).events) == len(top.log[1].events)  # type: ignore[union-attr]
    assert stood[0] != bytes(game_of(top).state)
    assert same_from_its_log(top)
    assert view.table_info(top.table).practice
    text = view.record_text(top.table, 0)
    assert text is not None
    assert json.loads(text.splitlines()[0])["practice"] is True


def test_in_practice_the_end_is_taken_back_too_and_the_record_is_what_happened_in_the_end() -> None:
    top = Tabletop(ADA, BotSeat("random"), edition="compass", practice=True, first=0)
    chance = random.Random(2)

    def on() -> None:
        while not game_of(top).over:
            seat = chance.choice(game_of(top).awaited)
            play(top, seat, str(chance.choice(game_of(top).legal_actions(seat))))

    on()
    assert view.table_info(top.table).status == "over"
    undo(top, 0)
    assert view.table_info(top.table).status == "running"
    assert same_from_its_log(top)
    on()
    assert same_from_its_log(top)
    text = view.record_text(top.table, None)
    assert text is not None
    record = read_record(text)
    assert record.header.practice is True
    assert replay(record).result() == game_of(top).result()


def test_the_last_decisions_are_taken_back_without_a_replay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each undo replayed the whole game: 28 sockets at long games used a processor."""
    replays = []

    def counted(game: Game, count: int) -> Game:
        replays.append(count)
        return rewound(game, count)

    monkeypatch.setattr(played, "rewound", counted)
    top = Tabletop(ADA, BotSeat("random"), edition="europe", practice=True, first=0, seed="ab" * 32)
    chance = random.Random(3)

    def on(decisions: int) -> None:
        for _ in range(decisions):
            if game_of(top).over:
                return
            seat = chance.choice(game_of(top).awaited)
            play(top, seat, str(chance.choice(game_of(top).legal_actions(seat))))

    on(60)
    for _ in range(5):
        undo(top, 0)
        assert same_from_its_log(top)
        on(4)
    assert replays == []
    undone = 0
    while undoable(top.table):
        undo(top, 0)
        undone += 1
    assert undone > 16
    assert len(replays) < undone / 4
    assert same_from_its_log(top)


def test_other_records_do_not_say_practice() -> None:
    top, _ = to_a_claim(ADA, BOB)
    text = view.record_text(top.table, 0)
    assert text is not None
    assert "practice" not in text


@pytest.mark.parametrize("seats", [(ADA, BOB), (ADA, OpenSeat()), (BotSeat("random"),) * 2])
def test_practice_is_for_one_person_against_bots(seats: tuple[object, ...]) -> None:
    with refused("invalid_setup"):
        Tabletop(*seats, practice=True)
