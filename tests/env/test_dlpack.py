"""Arrays of a batch in other libraries, without a copy."""

import ctypes
import gc
import re
from pathlib import Path

import numpy as np
import pytest

from ferrovia.env import dlpack
from ferrovia.env.dlpack import CUDA, Exchanged
from ferrovia.kernel import gpu


@pytest.mark.uncompiled
@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int32, np.int64, np.float32, np.float64])
def test_numpy_sees_the_same_numbers_in_the_same_place(kind):
    array = np.arange(24).astype(kind).reshape(2, 3, 4)
    for some in (array, array.transpose(0, 2, 1), array[:, 1:, ::2], array[0, 0]):
        taken = np.from_dlpack(Exchanged(some))
        assert taken.dtype == some.dtype
        assert np.array_equal(taken, some)
        assert np.shares_memory(taken, some)


@pytest.mark.uncompiled
def test_an_array_lives_as_long_as_somebody_has_it():
    before = len(dlpack._held)
    taken = np.from_dlpack(Exchanged(np.full(1000, 7)))
    gc.collect()
    assert len(dlpack._held) == before + 1
    assert (taken == 7).all()
    del taken
    gc.collect()
    assert len(dlpack._held) == before
    capsule = Exchanged(np.zeros(3)).__dlpack__()  # nobody takes it
    assert len(dlpack._held) == before + 1
    del capsule
    gc.collect()
    assert len(dlpack._held) == before


class OnGpu:
    """What Numba tells of an array on a GPU."""

    def __init__(self, strides):
        self.__cuda_array_interface__ = {
            "shape": (2, 5),
            "strides": strides,
            "typestr": "<f4",
            "data": (0xABC00, False),
            "version": 3,
        }


@pytest.mark.uncompiled
@pytest.mark.parametrize(("strides", "told"), [(None, [5, 1]), ((4, 8), [1, 2])])
def test_an_array_on_a_gpu_is_told_with_its_address_when_its_work_is_done(strides, told):
    waited = []
    exchanged = Exchanged(OnGpu(strides), lambda: waited.append(1))
    assert exchanged.__dlpack_device__() == (CUDA, 0)
    capsule = exchanged.__dlpack__(stream=1, max_version=(1, 0))
    assert waited == [1]
    pointer = ctypes.pythonapi.PyCapsule_GetPointer(id(capsule), b"dltensor")
    tensor = dlpack._Tensor.from_address(pointer)
    assert (tensor.data, tensor.device, tensor.device_number) == (0xABC00, CUDA, 0)
    assert (tensor.kind, tensor.bits, tensor.lanes) == (2, 32, 1)
    assert tensor.shape[:2] == [2, 5]
    assert tensor.strides[:2] == told


@pytest.mark.uncompiled
def test_records_are_refused():
    with pytest.raises(ValueError, match="only of numbers"):
        Exchanged(np.zeros(2, [("a", "i4")]))


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_other_libraries_see_a_batch(library):
    pytest.importorskip(library)
    from ferrovia.boards import load_edition
    from ferrovia.env.batch import BatchEnv, Kind

    env = BatchEnv([Kind(load_edition("usa"), 2)], np.zeros(8, np.int64), key=1, advice=False)
    obs = env.observations()
    if library == "torch":
        from torch import from_dlpack
    else:
        from jax.dlpack import from_dlpack
    seats, actions = np.zeros((1, 8), np.int32), np.zeros((1, 8), np.int64)
    env.reset()
    env.observe(obs, seats, np.zeros((1, 8), np.uint8), actions, 0)
    assert np.array_equal(np.asarray(from_dlpack(env.exchanged(obs))), obs)
    assert np.array_equal(
        np.asarray(from_dlpack(env.exchanged(env.arrays["seeds"]))), env.arrays["seeds"]
    )


@pytest.mark.skipif(not gpu.available(), reason="no NVIDIA GPU and driver here")
@pytest.mark.gpu
@pytest.mark.parametrize("library", ["torch", "jax"])
def test_a_policy_of_another_library_plays_a_batch_on_a_gpu(library):
    """The first legal action by the other library, on the GPU: the games of NumPy on the CPU."""
    pytest.importorskip(library)
    from ferrovia.boards import load_edition
    from ferrovia.env.batch import BatchEnv, Kind

    kinds = [Kind(load_edition("usa"), 2), Kind(load_edition("usa"), 4)]

    def games(device, first_legal):
        env = BatchEnv(kinds, np.arange(64) % 2, key=1, advice=False, device=device)
        obs, shape = env.observations(), (1, 64)
        zeros = [np.zeros(shape, kind) for kind in (np.int32, np.uint8, np.int64)]
        given = [np.zeros(shape, kind) for kind in (np.float32, np.uint8)]
        if device != "cpu":
            zeros, given = ([env._cuda.to_device(each) for each in some] for some in (zeros, given))
        env.reset()
        for _ in range(60):
            env.observe(obs, *zeros, 0)
            actions = first_legal(env, obs)
            env.step(actions, *given, 0, 1.0, 0.0)
        return env.results(), obs if device == "cpu" else obs.copy_to_host()

    def by_numpy(env, obs):
        return np.argmax(obs[:, : env.columns.actions], axis=1)

    def by_torch(env, obs):
        import torch

        seen = torch.from_dlpack(env.exchanged(obs))
        assert seen.is_cuda
        return env.array(seen[:, : env.columns.actions].int().argmax(1))

    def by_jax(env, obs):
        import jax
        from jax import numpy as jnp

        jax.config.update("jax_enable_x64", True)
        seen = jax.dlpack.from_dlpack(env.exchanged(obs))
        assert next(iter(seen.devices())).platform == "gpu"
        chosen = jnp.argmax(seen[:, : env.columns.actions], axis=1)
        return env.array(chosen.block_until_ready())

    here = games("cpu", by_numpy)
    there = games("cuda", by_torch if library == "torch" else by_jax)
    for one, other in zip(here, there, strict=True):
        assert np.array_equal(one, other)


def test_the_example_of_the_documentation_runs():
    pytest.importorskip("jax")
    page = (Path(__file__).parents[2] / "docs" / "learning.md").read_text(encoding="utf-8")
    [example] = re.findall(r"^```python\n(import jax\n.*?)^```", page, re.M | re.S)
    names = {}
    exec(example, names)
    assert names["seen"].shape == (1, names["env"].columns.count, 256)
