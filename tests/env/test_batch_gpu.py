"""A batch on a GPU is the batch on the CPU. Skipped where there is no GPU."""

import numpy as np
import pytest

from ferrovia.boards import load_edition
from ferrovia.env.batch import BatchEnv, Kind
from ferrovia.kernel import gpu
from ferrovia.rules.state.layout import SEATS

STEPS = 600


def play(device, names, players, advice=True):
    """Planner's games, or games at random without its advice: what was seen, chosen and given."""
    kinds = [Kind(load_edition(name), n) for name in names for n in players]
    numbers = np.repeat(np.arange(len(kinds)), 4)
    env = BatchEnv(kinds, numbers, key=3, device=device, advice=advice)
    shape = (1, env.games)
    arrays = [
        np.zeros((1, env.columns.count, env.games), np.uint8),
        np.zeros(shape, np.int32),
        np.zeros(shape, np.uint8),
        np.zeros(shape, np.int64),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.uint8),
        np.zeros((*shape, SEATS), np.float32),
    ]
    if device != "cpu":
        from numba import cuda

        arrays = [cuda.to_device(array) for array in arrays]
    obs, seats, pilots, actions, rewards, dones, lasts = arrays
    env.reset()
    for _ in range(STEPS):
        env.observe(obs, seats, pilots, actions, 0)
        if not advice:
            env.draw_actions(actions, 0)
        env.step(actions, rewards, dones, 0, 1.0, 0.6)
        env.finish(lasts, dones, 0, 1.0, 1.0)
        yield [np.array(array) if device == "cpu" else array.copy_to_host() for array in arrays]


@pytest.mark.skipif(not gpu.available(), reason="no NVIDIA GPU and driver here")
@pytest.mark.gpu
@pytest.mark.parametrize("names", [("usa", "usa-classic"), ("europe", "mega-europe")])
@pytest.mark.parametrize("advice", [True, False])
def test_steps_equal_those_of_the_cpu(names, advice):
    here, there = (play(device, names, (2, 5), advice) for device in ("cpu", "cuda"))
    for mine, other in zip(here, there, strict=True):
        for one, two in zip(mine[:4], other[:4], strict=True):
            assert np.array_equal(one, two)
        for one, two in zip(mine[4:], other[4:], strict=True):
            assert np.allclose(one, two, atol=1e-3)
