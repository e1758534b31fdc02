"""Compiling without what the kernel does not need: the same results, and Numba as it was after."""

import gc
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite import binding
from numba.core import errors, targetconfig, types

from ferrovia.rules import compiler, passes
from ferrovia.rules.compiler import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


def parts() -> list[object]:
    """What is exchanged while the kernel is compiled."""
    return [
        types.BaseFunction.get_call_type,
        targetconfig.TargetConfig.values,
        errors.termcolor,
        binding.ffi.lib._lock._cblist,
        gc.isenabled(),
    ]


@pytest.fixture(autouse=True)
def _nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "cache_folder", lambda package="rules": None)


def kernel(function: Any) -> Any:
    function.__module__ = "ferrovia.tests"
    return compiler.kernel(function)


def add_up(numbers: Any) -> Any:
    total = 0
    for i in range(numbers.shape[0]):
        if numbers[i] % 2 == 0 and i != 3:
            total += max(numbers[i], -numbers[i])
    return total


def with_a_function_inside(numbers: Any) -> Any:
    return max([abs(number) for number in numbers])


def not_for_the_kernel(numbers: Any) -> Any:
    return numbers.no_such_thing


def test_the_kernel_needs_few_passes() -> None:
    assert passes.AVAILABLE  # with the version of Numba that is tested here
    compiled = kernel(add_up)
    numbers = np.array([4, -6, 7, 8], np.int64)
    assert compiled(numbers) == add_up(numbers) == 10
    assert compiled._compiler.pipeline_class is passes.Pipeline


def test_a_function_inside_is_compiled_as_numba_does_it() -> None:
    numbers = np.array([4, -6, 5], np.int64)
    assert kernel(with_a_function_inside)(numbers) == 6


def test_numba_is_as_it_was_after_compiling_and_after_a_mistake() -> None:
    before = parts()
    kernel(add_up)(np.array([1], np.int64))
    with pytest.raises(errors.TypingError):
        kernel(not_for_the_kernel)(np.array([1], np.int64))
    assert parts() == before


def test_no_garbage_is_collected_while_it_compiles() -> None:
    with passes.undisturbed():
        assert not gc.isenabled()
        with passes.undisturbed():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_everything_is_compiled_as_it_was_set_when_the_process_began(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else the folder of one setting has code of the other, for everybody who comes after."""

    def item(numbers: Any, place: int) -> Any:
        return numbers[place]

    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "0")  # tests begin with 1
    monkeypatch.setenv("NUMBA_OPT", "0")
    with pytest.raises(IndexError):
        kernel(item)(np.zeros(4, np.int64)[:1], 3)
    assert numba.config.BOUNDSCHECK == 0  # for Numba outside the kernel
