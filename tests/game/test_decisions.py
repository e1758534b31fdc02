"""The decisions of a recorded game, with the states between them."""

import random

import msgspec
import pytest

from ferrovia.game import Game, read_record
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
        again = Game.standing_at(game.words, game.names, game.seed, decision.before, [])
        happened = again.play(decision.seat, decision.action)
        assert (again.state == decision.after).all()
        recorded = game.events[decision.begin : decision.end]
        if decision.turn:
            assert happened == recorded
    ends = [it.after.tobytes() for it in decisions]
    starts = [it.before.tobytes() for it in decisions]
    assert starts == [start_state(replayed).tobytes(), *ends[:-1]]
    assert ends[-1] == game.state.tobytes()


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
