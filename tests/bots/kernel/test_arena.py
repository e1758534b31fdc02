"""Games inside compiled code are the games that the bots play in words."""

import numpy as np
import pytest

from ferrovia.boards import editions
from ferrovia.bots import make
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.game import Game
from ferrovia.game.codec.events import events_of

ROWS = 2000


def game_in_words(edition, bots, seed):
    game = Game(edition, len(bots), seed=seed)
    players = [make(bot, seed) for bot in bots]
    while not game.over:
        seat = game.awaited[0]
        game.play(seat, players[seat].decide(game.view(seat)))
    return game


def assert_same_games(play_batch, edition, bots, seeds):
    batch = play_batch(edition, bots, seeds, ROWS)
    for number, seed in enumerate(seeds):
        game = game_in_words(edition, bots, seed)
        count = batch.rows[number, 0, 0]
        assert count < ROWS
        assert events_of(game.lexicon, batch.rows[number, 1 : count + 1]) == game.events
        assert np.array_equal(batch.states[number], game.state)
        assert batch.results["turns"][number] == game.view(None).turns


def seeds(*numbers):
    return [number.to_bytes(32, "big") for number in numbers]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("edition", editions())
@pytest.mark.parametrize("bot", SCRIPTS)
def test_twin_plays_the_games_of_the_bot(play_batch, bot, edition, players):
    assert_same_games(play_batch, edition, [bot] * players, seeds(3, 4))


@pytest.mark.uncompiled
def test_mixed_table_plays_the_same_in_words(play_batch):
    assert_same_games(play_batch, "europe", ["greedy", "random"], seeds(11))


def test_counts_what_was_done(play_batch):
    batch = play_batch("usa-classic", ["greedy", "random", "greedy"], seeds(1, 2, 3))
    assert (batch.results["decisions"] > batch.results["turns"]).all()
    assert (batch.results["turns"] > 20).all()


def test_tells_how_many_rows_were_needed(play_batch):
    full = play_batch("europe", ["greedy"] * 2, seeds(6), ROWS)
    short = play_batch("europe", ["greedy"] * 2, seeds(6), 10)
    assert short.rows[0, 0, 0] == full.rows[0, 0, 0] > 10
    assert np.array_equal(short.states, full.states)
    assert np.array_equal(short.rows[0, 1:], full.rows[0, 1:10])


def test_games_of_a_batch_do_not_depend_on_each_other(play_batch):
    bots = ["greedy", "random"]
    together = play_batch("mega-europe", bots, seeds(1, 2, 3))
    alone = play_batch("mega-europe", bots, seeds(3))
    assert np.array_equal(together.states[2], alone.states[0])
    assert np.array_equal(together.scores[2], alone.scores[0])
