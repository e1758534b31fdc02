"""Scripts as opponents in a batch: they decide as from what the seat may see, on every device."""

from pathlib import Path

import numpy as np
import pytest

from ferrovia.boards import load_edition
from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.kernel.scripts import SCRIPTS, decide_by
from ferrovia.env.batch import BatchEnv, Kind
from ferrovia.env.batch_game import GAMES as GAMES_OVER
from ferrovia.env.batch_game import KEPT, TURNS
from ferrovia.kernel import gpu
from ferrovia.kernel.library import COMPILED
from ferrovia.rules import calls
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.layout import NONE, OVER, SEATS, STATE
from tests.memory import fields

SMALL = Path(__file__).parent.parent / "boards" / "small.json"
NAMES = ("passenger", "greedy", "stoker")
GAMES = 2 * len(NAMES)
STEPS = 150 if COMPILED else 8


def batch(device):
    kinds = [Kind(load_edition("europe"), 2), Kind(load_edition("europe"), 5)]
    return BatchEnv(kinds, np.arange(GAMES) % 2, key=9, device=device, advice=False, threads=1)


def moves(device, steps):
    """Every script in two games, for all seats: its decisions, and the states before them."""
    env = batch(device)
    wanted = (np.arange(GAMES) // 2).astype(np.uint8)
    arrays = [np.zeros((1, GAMES), kind) for kind in (np.int64, np.float32, np.uint8)]
    if device != "cpu":
        wanted = env._cuda.to_device(wanted)
        arrays = [env._cuda.to_device(each) for each in arrays]
    actions, rewards, dones = arrays
    host = np.array if device == "cpu" else lambda array: array.copy_to_host()
    env.reset()
    for _ in range(steps):
        for number, name in enumerate(NAMES):
            env.decide_by(name, wanted, number, actions, 0)
        yield host(env.arrays["whole"]), host(env.arrays["seeds"]), host(actions)[0]
        env.step(actions, rewards, dones, 0, 0.0, 0.0, rewarded=False)


@pytest.mark.uncompiled
def test_scripts_decide_as_from_what_the_seat_sees():
    env = batch("cpu")
    plans = np.zeros((GAMES, PLAN.size), np.uint8)
    rngs = np.zeros((GAMES, env.arrays["rngs"].shape[1]), np.uint32)
    book, view = env.books[:1].view(np.uint8).copy(), STATE.new()
    decisions = 0
    for step, (states, seeds, actions) in enumerate(moves("cpu", STEPS)):
        for game in range(GAMES):
            s = fields(states[game], STATE)
            if step == 0:
                calls.seed_generator(rngs[game], seeds[game], 1)
            seat = next_seat(s)
            if seat == NONE:
                continue
            calls.view(states[game], seat, view)
            plans[game] = 0
            kind = SCRIPTS.index(NAMES[game // 2])
            found = decide_by(kind, book, view, seat, plans[game], rngs[game])
            assert found == actions[game]
            decisions += 1
    assert decisions >= 4 * STEPS


@pytest.mark.skipif(not gpu.available(), reason="no NVIDIA GPU and driver here")
@pytest.mark.gpu
def test_decisions_on_a_gpu_are_those_of_the_cpu():
    for here, there in zip(moves("cpu", 250), moves("cuda", 250), strict=True):
        assert np.array_equal(here[0], there[0])
        assert np.array_equal(here[2], there[2])


@pytest.mark.uncompiled
def test_a_batch_says_how_games_stand():
    """While they are played by standings, which half-built ways are a part of; then by results, and
    by what is counted of them.
    """
    found = load_edition(SMALL)
    env = BatchEnv([Kind(found, 2)], np.zeros(4, np.int64), key=2, advice=False, threads=1)
    listed, out = np.array([2, 0]), np.zeros((2, 1 + SEATS))
    env.reset()
    actions, rewards, dones = (np.zeros((1, 4), k) for k in (np.int64, np.float32, np.uint8))
    seen_partial = False
    for _ in range(400):
        env.stand(listed, 0.0, out)
        plain = out.copy()
        env.stand(listed, 0.6, out)
        seen_partial = seen_partial or bool((out > plain).any())
        for row, game in zip(plain, listed, strict=True):
            s = env.arrays["states"][game]
            if s.phase == OVER:
                assert np.array_equal(row[:3], env.results()[game, :3])
            else:
                assert row[0] == NONE
                assert (row[1:3] <= s.points[:2] + 200).all()
        env.draw_actions(actions, 0)
        if (actions == NONE).all():
            break
        env.step(actions, rewards, dones, 0, 1.0, 0.0)
    assert (actions == NONE).all()
    assert seen_partial
    env.step(actions, rewards, dones, 0, 1.0, 0.0)
    kept = sum(int(count) for s in env.arrays["states"] for count in s.ticket_count[:2]) / 2
    turns = sum(int(s.turns) for s in env.arrays["states"])
    env.finish(np.zeros((1, 4, SEATS), np.float32), dones, 0, 1.0, 0.0)
    assert env.take_counts()[0, [GAMES_OVER, TURNS, KEPT]].tolist() == [4, turns, kept]
