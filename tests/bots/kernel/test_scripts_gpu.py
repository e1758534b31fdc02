"""Scripts decide on a GPU as they do on the CPU. Skipped where there is no GPU."""

import numpy as np
import pytest

from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.kernel.scripts import SCRIPTS, decide_by, script
from ferrovia.game import Game
from ferrovia.kernel import gpu
from ferrovia.kernel.gpu import cuda
from ferrovia.rules import calls
from ferrovia.rules.state.layout import BOOK, RNG_WORDS, STATE


def views_of_games(edition, players):
    """What the next seat sees before every decision of two games of random actions."""
    views, seats = [], []
    chance = np.random.default_rng(players)
    for seed in range(2):
        game = Game(edition, players, seed=seed)
        while not game.over:
            seat = game.awaited[0]
            views.append(game.view(seat).buffer.copy())
            seats.append(seat)
            actions = game.legal_actions(seat)
            game.play(seat, actions[chance.integers(len(actions))])
    return game.lexicon.book, np.array(views), np.array(seats, np.int64)


def generators(count):
    rngs = np.zeros((count, RNG_WORDS), np.uint32)
    for number in range(count):
        calls.seed_generator(rngs[number], bytes(range(32)), number)
    return rngs


@pytest.mark.skipif(not gpu.available(), reason="no NVIDIA GPU and driver here")
@pytest.mark.gpu
@pytest.mark.parametrize("name", SCRIPTS)
def test_decisions_equal_those_of_the_cpu(name):
    decide = script(name)

    def decide_all(books, views, seats, plans, rngs, codes):
        number = cuda.grid(1)
        if number < seats.shape[0]:
            codes[number] = decide(
                books[0], views[number], seats[number], plans[number], rngs[number]
            )

    for edition, players in (("usa", 2), ("europe", 4), ("mega-europe", 5)):
        book, views, seats = views_of_games(edition, players)
        here = [
            decide_by(SCRIPTS.index(name), book, view, seat, plan, rng)
            for view, seat, plan, rng in zip(
                views.copy(),
                seats,
                np.zeros((len(seats), PLAN.size), np.uint8),
                generators(len(seats)),
                strict=True,
            )
        ]
        there = np.zeros(len(seats), np.int64)
        gpu.program(decide_all)[len(seats) // 32 + 1, 32](
            np.frombuffer(book, BOOK.dtype),
            views.view(STATE.dtype)[:, 0].copy(),
            seats,
            np.zeros(len(seats), PLAN.dtype),
            generators(len(seats)),
            there,
        )
        assert there.tolist() == here
