"""The GPU plays the same games as the CPU, byte for byte. Skipped where there is no GPU."""

import numpy as np
import pytest

from ferrovia.boards import editions, load_edition
from ferrovia.errors import MissingExtra
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.kernel.gpu import NoGpu, available
from ferrovia.rules import calls, gpu
from ferrovia.rules.chapters.turn import play, start
from ferrovia.rules.playout import next_seat, random_action
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import BOOK, NONE, RNG_WORDS, SCORE, STATE
from ferrovia.rules.state.log import NO_LOG
from tests.memory import fields

needs_gpu = pytest.mark.skipif(not available(), reason="no NVIDIA GPU and driver here")


@needs_gpu
@pytest.mark.gpu
@pytest.mark.parametrize("name", editions())
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_final_states_and_scores_equal_those_of_the_cpu(name: str, players: int) -> None:
    book = lexicon_of(load_edition(name)).book
    seeds = np.random.default_rng(players).integers(0, 256, (512, 32), dtype=np.uint8)
    states = np.zeros((len(seeds), STATE.size), np.uint8)
    scores = np.zeros((len(seeds), SCORE.size), np.uint8)
    decisions = calls.play_random_games(book, states, scores, seeds, players)
    on_gpu = gpu.play_random_games(book, seeds, players)
    assert (on_gpu[0] == states).all()
    assert (on_gpu[1] == scores).all()
    assert on_gpu[2] == decisions


@pytest.mark.skipif(available(), reason="there is a GPU here")
def test_without_a_gpu_the_reason_is_told() -> None:
    with pytest.raises((NoGpu, MissingExtra), match=r"\[gpu\]'|no NVIDIA GPU"):
        gpu.play_random_games(lexicon_of(load_edition("usa")).book, np.zeros((1, 32), np.uint8), 2)


@pytest.mark.inside
@pytest.mark.parametrize(("name", "players"), [("usa", 2), ("mega-europe", 5)])
def test_every_decision_and_every_action_is_some_kind_of_work(name: str, players: int) -> None:
    book = fields(lexicon_of(load_edition(name)).book, BOOK)
    s = fields(STATE.new(), STATE)
    seed, rng = np.arange(32, dtype=np.uint8), np.zeros(RNG_WORDS, np.uint32)
    start(book, s, seed, players, NONE, NO_LOG)
    seed_generator(rng, seed, 1)
    choices, actions = set(), set()
    while (seat := next_seat(s)) != NONE:
        choices.add(gpu._kind_of_choice(s, rng))
        action = random_action(book, s, seat, rng)
        actions.add(gpu._kind_of_action(book, s, action))
        play(book, s, seat, action, NO_LOG)
    assert choices | actions <= set(range(gpu.NO_WORK))
    assert len(choices) > 5
    assert len(actions) > 5
