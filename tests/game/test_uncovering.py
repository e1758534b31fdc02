"""A decision that uncovers nothing teaches nothing: in any possible world it leads to the same."""

import random

import numpy as np
import pytest

from ferrovia.game import Game
from ferrovia.game.records.replay import rewound
from ferrovia.rules import calls
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import RNG_WORDS, STATE


@pytest.mark.parametrize("edition", ["usa", "europe", "mega-europe"])
def test_what_uncovers_nothing_is_the_same_whatever_is_hidden(edition: str) -> None:
    chance = random.Random(edition)
    rng = np.zeros(RNG_WORDS, np.uint32)
    seed_generator(rng, np.frombuffer(chance.randbytes(32), np.uint8).copy(), 0)
    game = Game(edition, 3, seed=7)
    kinds, covered = set(), 0
    for _ in range(120):
        if game.over:
            break
        seat = chance.choice(game.awaited)
        actions = game.legal_actions(seat)
        action = chance.choice(
            [it for it in actions if str(it).startswith(("claim", "station"))] or actions
        )
        before = game.copy()
        happened = game.play(seat, action)
        if any(event.uncovers for event in happened):
            continue
        covered += 1
        kinds |= {type(event).__name__ for event in happened}
        for _ in range(3):
            state = STATE.new()
            calls.sample(game.lexicon.book, before.view(seat).buffer, state, rng)
            world = Game.standing_at(game.lexicon, game.names, bytes(32), state, [])
            assert world.play(seat, action) == happened
    assert covered > 10
    assert {"Claim", "Keep"} <= kinds


def test_a_game_is_rewound_to_where_it_stood_with_its_chances() -> None:
    chance = random.Random(1)
    game = Game("europe", 2, seed=1)
    stood = [(game.copy(), "")]
    while len(stood) < 60:
        seat = chance.choice(game.awaited)
        action = str(chance.choice(game.legal_actions(seat)))
        stood[-1] = (stood[-1][0], f"{seat} {action}")
        game.play(seat, action)
        stood.append((game.copy(), ""))
    for before, decision in chance.sample(stood[:-1], 8):
        again = rewound(game, len(before.events))
        assert bytes(again.state) == bytes(before.state)
        assert again.events == before.events
        assert again.events_for(0) == before.events_for(0)
        whose, action = decision.split(" ", 1)
        assert again.play(int(whose), action) == before.play(int(whose), action)
