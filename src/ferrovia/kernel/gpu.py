"""The functions of the kernel on an NVIDIA GPU. Needs the extra `gpu`.

A `program` is what a GPU runs: a plain function that calls functions of the kernel, and `cuda` for
what only a GPU has. It is compiled at its first use.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import FunctionType, SimpleNamespace
from typing import Any, cast

import platformdirs

from ferrovia import kernel_libraries
from ferrovia.errors import FerroviaError, MissingExtra

cuda: Any = SimpleNamespace()
"""`numba.cuda`, in functions that run on a GPU."""


class NoGpu(FerroviaError, RuntimeError):
    """There is no GPU to play on."""


def cuda_module() -> Any:
    """Return `numba.cuda`; NoGpu where it is missing or finds no GPU."""
    try:
        found: Any = import_module("numba.cuda")
    except ImportError as problem:
        raise MissingExtra("gpu", problem) from None
    if not found.is_available():
        raise NoGpu("no NVIDIA GPU and driver were found")
    return found


def available() -> bool:
    """Return whether there is a GPU here."""
    try:
        cuda_module()
    except (NoGpu, MissingExtra):
        return False
    return True


def device_name() -> str:
    """Return the name of the GPU."""
    name = cuda_module().get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


@cache
def _translation() -> Any:
    """Return the functions of the kernel as a GPU runs them."""
    from ferrovia.kernel.translation import Translation

    found = cuda_module()
    return Translation(lambda function: found.jit(device=True)(function), {id(cuda): found})


def helper(function: Callable[..., Any]) -> Any:
    """Make a function one that programs call, and no other part of the kernel."""
    from ferrovia.kernel.declarations import functions

    functions.add(cast(FunctionType, function))
    return function


@cache
def program(function: Callable[..., Any], registers: int | None = None) -> Any:
    """Return a program, which a grid of threads runs, each with no more than `registers` registers.

    What was compiled is kept in the user's cache folder, under a name that has the sources.
    """
    found = cuda_module()
    plain = _translation().over_kernel(cast(FunctionType, function))
    with _cache_in(_folder()):
        return found.jit(plain, max_registers=registers, cache=True)


@cache
def _folder() -> str:
    """Return the folder for programs that were compiled from these sources."""
    digest = hashlib.sha256()
    for package in ("boards", "bots", "env", "kernel", "rules"):
        for path in sorted((kernel_libraries.PACKAGE / package).glob("**/*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    base = platformdirs.user_cache_path("ferrovia", appauthor=False)
    return str(base / f"gpu-{digest.hexdigest()[:16]}")


@contextmanager
def _cache_in(folder: str) -> Iterator[None]:
    """Let Numba keep what is made in this block in a folder."""
    found: list[Any] = []
    for name in ("numba.core.config", "numba.cuda.core.config"):  # the second of newer numba-cuda
        try:
            found.append(import_module(name))
        except ImportError:
            continue
    before = [module.CACHE_DIR for module in found]
    try:
        for module in found:
            module.CACHE_DIR = folder
        yield
    finally:
        for module, was in zip(found, before, strict=True):
            module.CACHE_DIR = was
