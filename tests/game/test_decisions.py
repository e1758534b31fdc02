"""The decisions of a recorded game, with the states between them."""

import random

import msgspec
import pytest

from ferrovia.game import DrawTickets, Game, KeepTickets, Phase, read_record
from ferrovia.game.codec.actions import action_behind
from ferrovia.game.records.decisions import decisions_of, start_state
from ferrovia.game.records.replay import replay


def random_game(edition: str, players: int, seed: int) -> Game:
    game, chance = Game(edition, players, seed=seed), random.Random(seed)
    while not game.over:
        seat = game.awaited[0]
        actions = game.legal_actions(seat)
        claims = [it for it in actions if str(it).startswith("claim")]
        game.play(seat, chance.choice(claims or actions))
    return game


@pytest.mark.parametrize(
    ("edition", "players"), [("usa", 2), ("europe", 3), ("mega-europe", 2), ("big-cities", 4)]
)
def test_every_decision_leads_from_one_state_to_the_next(edition: str, players: int) -> None:
    game = random_game(edition, players, seed=7)
    replayed = replay(read_record(game.record().text()))
    decisions = list(decisions_of(replayed))
    for decision in decisions:
        again = Game.standing_at(game.lexicon, game.names, game.seed, decision.before, [])
        happened = again.play(decision.seat, decision.action)
        assert again.state == decision.after
        recorded = game.events[decision.begin : decision.end]
        if decision.turn:
            assert happened == recorded
    ends = [bytes(it.after) for it in decisions]
    starts = [bytes(it.before) for it in decisions]
    assert starts == [bytes(start_state(replayed)), *ends[:-1]]
    assert ends[-1] == bytes(game.state)


def test_tickets_given_back_in_another_order_are_the_action_again() -> None:
    game, chance, others = Game("usa", 2, seed=5), random.Random(5), 0
    while not game.over and others < 5:
        seat, before = game.awaited[0], game.state.copy()
        actions = game.legal_actions(seat)
        tickets = [it for it in actions if isinstance(it, DrawTickets)]
        keeps = [it for it in actions if isinstance(it, KeepTickets)]
        action = tickets[0] if tickets else chance.choice(actions)
        if keeps and game.phase is Phase.TICKETS:
            back = [n for n in (1, 2, 3) if n != 2]
            chance.shuffle(back)
            action = KeepTickets((2,), () if back == sorted(back) else tuple(back))
            others += action.back != ()
        decided = [it for it in game.play(seat, action) if it.decides]
        assert action_behind(game.lexicon, before, seat, decided[0]) == action
    assert others == 5


def test_a_record_without_its_seed_has_the_same_decisions() -> None:
    game = random_game("europe", 2, seed=3)
    record = read_record(game.record().text())
    hidden = msgspec.structs.replace(
        record, header=msgspec.structs.replace(record.header, seed=None)
    )
    one, other = (list(decisions_of(replay(it))) for it in (record, hidden))
    assert [(it.seat, it.turn, it.action) for it in one] == [
        (it.seat, it.turn, it.action) for it in other
    ]
