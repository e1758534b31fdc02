"""Following a game by the events of its record, decision by decision."""

import random

import pytest

from ferrovia.game import Game, RecordError
from ferrovia.game.records.replay import follow


@pytest.mark.parametrize("edition", ["europe", "usa", "mega-europe"])
def test_a_game_follows_another_by_its_events(edition: str) -> None:
    chance = random.Random(edition)
    game, other = Game(edition, 3, seed=7), Game(edition, 3, seed=7)
    while not game.over:
        seat = chance.choice(game.awaited)
        events = game.play(seat, chance.choice(game.legal_actions(seat)))
        follow(other, events, game.result() if game.over else None)
        assert bytes(other.state) == bytes(game.state)
    assert other.record() == game.record()
    assert other.events_for(0) == game.events_for(0)


def test_what_does_not_follow_changes_nothing() -> None:
    game, other = Game("usa", 2, seed=7), Game("usa", 2, seed=8)
    kept = game.play(0, "keep 1 2")
    state, events = bytes(other.state), list(other.events)
    for told, result in ((kept, None), (other.copy().play(0, "keep 1 2"), other.result())):
        with pytest.raises(RecordError):
            follow(other, told, result)
        assert bytes(other.state) == state
        assert other.events == events
