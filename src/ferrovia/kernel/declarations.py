"""Which functions are part of the kernel, and which of them Python calls.

A `kernel` function is called by compiled code; an `entry` by Python, with the kinds of arguments
that it declares. All are plain Python, written so that Numba compiles them too: they allocate
nothing, raise nothing, and know neither texts nor objects.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any, TypeVar, cast

from ferrovia.kernel.library import LIBRARY
from ferrovia.kernel.signature import Kind

F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")


@dataclass(frozen=True, eq=False)
class EntryPoint:
    """A function that Python calls: what it takes, and whether other threads run meanwhile."""

    name: str
    function: FunctionType
    kinds: tuple[Kind, ...]
    long: bool


entries: dict[str, EntryPoint] = {}
"""What the modules imported so far have declared, by name."""

functions: set[FunctionType] = set()
"""The functions of the kernel."""

intrinsics: dict[FunctionType, str] = {}
"""Those for which the compiler has something better than their Python, by its name for it."""


def kernel(function: F) -> F:
    """Make a function part of the kernel; it stays the plain function that it is."""
    functions.add(cast(FunctionType, function))
    return function


def intrinsic(name: str) -> Callable[[F], F]:
    """Make a function part of the kernel whose Python is for debuggers: compiled, it is one
    instruction or a few (see ferrovia.kernel.translation)."""

    def add(function: F) -> F:
        intrinsics[cast(FunctionType, function)] = name
        return function

    return add


def entry(*kinds: Kind, long: bool = False) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Make a function part of the kernel that Python calls with arguments of these kinds.

    What is returned calls the compiled one where there is a library, else the function itself.
    While a `long` one runs, other threads of Python run too.
    """

    def add(function: Callable[..., R]) -> Callable[..., R]:
        plain = cast(FunctionType, function)
        name = plain.__name__
        if name in entries:
            raise ValueError(f"two functions that Python calls are named '{name}'")
        entries[name] = EntryPoint(name, plain, kinds, long)
        if LIBRARY is not None:
            return LIBRARY.function(name)
        from ferrovia.kernel.plain import taking_memory

        return taking_memory(entries[name])

    return add
