"""How the kernel is compiled: once per machine, into a folder named after its own sources.

Numba's disk cache does not notice a change in a function of another file, so the folder carries
a hash of every kernel source: new rules never meet old machine code. Where no folder can be
written the functions are compiled in memory, which costs time and nothing else.
"""

import hashlib
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs

F = TypeVar("F", bound=Callable[..., Any])

_settings: Any = numba.config
_types: Any = numba.types

_KERNEL_PACKAGES = ("rules", "bots", "env")  # each builds on those before it
_FORGET_AFTER = 30 * 24 * 3600

COMPILED = not _settings.DISABLE_JIT

# Numba calls functions as arguments experimental; tests/bots/test_arena.py looks after them.
warnings.simplefilter("ignore", numba.NumbaExperimentalFeatureWarning)

if not COMPILED:
    # Machine words wrap around in the kernel by design (ChaCha8, bit sets).
    np.seterr(over="ignore")


def source_hash(package: str) -> str:
    """A short name for the exact text of a package and of those that it builds on."""
    root = Path(__file__).parent.parent
    versions = f"{numba.__version__} {np.__version__} {_settings.BOUNDSCHECK}"
    digest = hashlib.sha256(versions.encode())
    known = package in _KERNEL_PACKAGES
    end = _KERNEL_PACKAGES.index(package) + 1 if known else len(_KERNEL_PACKAGES)
    for folder in (*_KERNEL_PACKAGES[:end], *(() if known else (package,))):
        for path in sorted((root / folder).glob("**/*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"0" * 4096)
    except OSError:
        return False
    return True


@cache
def cache_folder(package: str = "rules") -> Path | None:
    """Where the compiled functions of a package are kept, or None when nothing can be written.

    `FERROVIA_CACHE` names another folder; an empty value turns the cache off.
    """
    named = os.environ.get("FERROVIA_CACHE")
    if named == "":
        return None
    base = Path(named) if named else platformdirs.user_cache_path("ferrovia", appauthor=False)
    folder = base / f"{package}-{source_hash(package)}"
    if not _writable(folder):
        return None
    _forget_old(base, package)
    return folder


def _forget_old(base: Path, package: str) -> None:
    """Remove what was compiled for other versions and not been used for long."""
    for other in base.glob(f"{package}-*"):
        try:
            if time.time() - other.stat().st_mtime > _FORGET_AFTER:
                shutil.rmtree(other, ignore_errors=True)
        except OSError:
            continue


def _widen(kind: Any) -> Any:
    """Every whole number as 64 bits, every literal as its type."""
    kind = _types.unliteral(kind)
    narrow = isinstance(kind, _types.Integer) and (kind.signed or kind.bitwidth < 32)
    return _types.int64 if narrow else kind


def _compile_once(dispatcher: Any) -> Any:
    """Let calls inside the kernel share one compiled version, whatever width their numbers have.

    Numba would compile each function again for every mixture of int8, int16 and constants that it
    is called with, which took more than twice as long and made nothing faster.
    """
    for_types = dispatcher.get_call_template

    def for_wide_types(args: Any, kws: Any) -> Any:
        return for_types([_widen(a) for a in args], {name: _widen(k) for name, k in kws.items()})

    dispatcher.get_call_template = for_wide_types
    return dispatcher


@contextmanager
def _options(module: str) -> Iterator[dict[str, Any]]:
    """Numba's options for functions of a module, and its cache in the folder of the package."""
    options: dict[str, Any] = {"error_model": "numpy"}
    before, folder = _settings.CACHE_DIR, cache_folder(module.split(".")[1])
    if folder is not None:
        _settings.CACHE_DIR = str(folder)
        options["cache"] = True
    try:
        yield options
    finally:
        _settings.CACHE_DIR = before


def kernel(function: F) -> F:
    """Make `function` part of the kernel: compiled for the CPU, callable from GPU code.

    With `NUMBA_DISABLE_JIT=1` it stays the plain Python function that it is.
    """
    if not COMPILED:
        return function
    with _options(function.__module__) as options:
        return cast(F, _compile_once(numba.njit(function, nogil=True, **options)))


def callback(function: F, signature: Any) -> F:
    """Compile `function` now, as one that kernel functions can be handed as an argument."""
    if not COMPILED:
        return function
    with _options(function.__module__) as options:
        return cast(F, numba.cfunc(signature, **options)(function))
