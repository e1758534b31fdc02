"""What every registered bot must keep to: one suite for all of them."""

import itertools

import numpy as np
import pytest

from ferrovia.boards import editions
from ferrovia.bots import LEVELS, make, names
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.game import Game
from ferrovia.game.views import view_of
from ferrovia.rules import calls
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import RNG_WORDS, STATE

SLOW = ["search:8", "net:8"]  # a game takes as long as fifty of the others
BOTS = [*SCRIPTS, "net", "driver:sociable", *SLOW]
TABLES = [(edition, players) for edition in editions() for players in (2, 3, 4, 5)]


def test_no_registered_bot_is_left_out():
    assert {bot.partition(":")[0] for bot in BOTS} | set(LEVELS) == set(names())


def play_out(game, bots):
    """Play to the end; an action that is not legal raises."""
    while not game.over:
        for seat in game.awaited:
            game.play(seat, bots[seat].decide(game.view(seat)))
    return game


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_plays_whole_games_legally(name, edition, players):
    """Slow ones sit at one seat, with quick ones of every kind."""
    others = itertools.cycle(["planner", "random", "greedy"] if name in SLOW else [name])
    for seed in range(1 if name in SLOW else 2):
        game = Game(edition, players, seed=seed)
        table = [name, *itertools.islice(others, players - 1)]
        play_out(game, [make(bot, seed) for bot in table])
        assert game.over


@pytest.mark.uncompiled
@pytest.mark.parametrize("name", [*SCRIPTS, "net"])
def test_plays_one_game_legally(name):
    assert play_out(Game("europe", 2, seed=1), [make(name, 1), make("random", 1)]).over


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("edition", ["usa", "mega-europe"])
def test_decides_the_same_from_the_same_views_and_seed(name, edition):
    """One that decides twice sits at each seat; of the slow ones only at the first."""
    game = Game(edition, 3, seed=5)
    table = [name, "planner", "random"] if name in SLOW else [name] * 3
    bots, others = ([make(bot, 5) for bot in table] for _ in range(2))
    while not game.over:
        for seat in game.awaited:
            view = game.view(seat)
            before = view.buffer.copy()
            action = bots[seat].decide(view)
            assert others[seat].decide(view) == action
            assert np.array_equal(view.buffer, before), "a bot changed its view"
            game.play(seat, action)


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize(("edition", "players"), [("usa", 2), ("europe", 4), ("mega-europe", 3)])
def test_does_not_depend_on_what_is_hidden(name, edition, players):
    """It sits at each seat, a slow one at the first, with planner at the others."""
    game = Game(edition, players, seed=8)
    rng = np.zeros(RNG_WORDS, np.uint32)
    seed_generator(rng, np.arange(32, dtype=np.uint8), 0)
    imagined = STATE.new()
    while not game.over:
        for seat in game.awaited:
            view = game.view(seat)
            calls.sample(game.lexicon.book, view.buffer, imagined, rng)
            other = view_of(game.lexicon, imagined, seat)
            bot = "planner" if name in SLOW and seat > 0 else name
            action = make(bot, 9).decide(view)
            assert make(bot, 9).decide(other) == action
            game.play(seat, action)


@pytest.mark.parametrize("name", BOTS)
def test_refuses_a_seat_of_which_nothing_is_awaited(name):
    game = Game("usa", 2, seed=1, first=0)
    for seat in (0, 1):
        game.play(seat, "keep 1 2")
    with pytest.raises(ValueError, match="no decision is awaited"):
        make(name, 1).decide(game.view(1))
    with pytest.raises(ValueError, match="no decision is awaited"):
        make(name, 1).decide(game.view(None))
