"""How the kernel is compiled: once per machine, into a folder named after its own sources.

Numba's disk cache does not notice a change in a function of another file, so the name of the folder
has a hash of every kernel source: new rules never run with old machine code. Where no folder can be
written the functions are compiled in memory, which costs time and nothing else.

A function that only the kernel calls is a `kernel`. One that Python calls is an `entry`: it
declares the types it is called with and what it is needed for, and everything that is compiled
ahead of its first use is derived from these declarations (see ferrovia.machine.compile).
"""

import hashlib
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Flag, auto
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs
from numba.core import caching

from ferrovia.rules import inner, passes

F = TypeVar("F", bound=Callable[..., Any])

_settings: Any = numba.config
_types: Any = numba.types
_njit: Any = numba.njit
_locator: Any = caching._CacheLocator

# How everything is compiled, as it was set when this process began; the name of the folder has it.
_AS_BEGUN = {name: getattr(_settings, name) for name in ("BOUNDSCHECK", "OPT")}

_KERNEL_PACKAGES = ("rules", "bots", "env")  # each builds on those before it
_FORGET_AFTER = 30 * 24 * 3600

COMPILED = not _settings.DISABLE_JIT

# The types of arguments that Python calls the kernel with.
INT: Any = _types.int64
INTS: Any = _types.int64[::1]
SHORTS: Any = _types.int16[::1]  # a list of actions
ROWS: Any = _types.int16[:, ::1]  # of a log
TAPE: Any = _types.int32[::1]  # of a log
RNG: Any = _types.uint32[::1]
BYTES: Any = _types.uint8[::1]  # a record, or a seed
BYTES_BY_GAME: Any = _types.uint8[:, ::1]

# Numba calls functions as arguments experimental; tests/bots/kernel/test_arena.py tests them.
warnings.simplefilter("ignore", numba.NumbaExperimentalFeatureWarning)

if not COMPILED:
    # Machine words wrap around in the kernel by design (ChaCha8, bit sets).
    np.seterr(over="ignore")


def source_hash(package: str) -> str:
    """Return a short name for the exact text of a package and of those that it builds on."""
    root = Path(__file__).parent.parent
    versions = (numba.__version__, np.__version__, *_AS_BEGUN.values())
    digest = hashlib.sha256(" ".join(map(str, versions)).encode())
    known = package in _KERNEL_PACKAGES
    end = _KERNEL_PACKAGES.index(package) + 1 if known else len(_KERNEL_PACKAGES)
    for folder in (*_KERNEL_PACKAGES[:end], *(() if known else (package,))):
        for path in sorted((root / folder).glob("**/*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    """Return whether files can be written to a folder, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"0" * 4096)
    except OSError:
        return False
    return True


@cache
def cache_folder(package: str = "rules") -> Path | None:
    """Return where the compiled functions of a package are kept; None if nothing can be written.

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
    """Remove what was compiled for other versions and has not been used for long."""
    for other in base.glob(f"{package}-*"):
        try:
            if time.time() - other.stat().st_mtime > _FORGET_AFTER:
                shutil.rmtree(other, ignore_errors=True)
        except OSError:
            continue


def _widen(kind: Any) -> Any:
    """Return int64 for every whole number, and for a literal its type."""
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


class Locator(_locator):  # type: ignore[misc]
    """Where Numba keeps a function of ours: by its name, in the folder of exactly these sources.

    So another checkout or environment with the same sources finds it too.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        place = f"{function.__module__}:{function.__code__.co_firstlineno}"
        self._place = hashlib.sha256(place.encode()).hexdigest()[:8]
        self._folder = _settings.CACHE_DIR

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return ""  # the name of the folder has a hash of the sources

    def get_disambiguator(self) -> str:
        return self._place

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "Locator":
        return cls(py_func)


@contextmanager
def _options(module: str, subfolder: str = "") -> Iterator[dict[str, Any]]:
    """Return Numba's options for functions of a module, with its cache in the package's folder."""
    options: dict[str, Any] = {"error_model": "numpy", "pipeline_class": passes.Pipeline}
    before = _settings.CACHE_DIR, _settings.CACHE_LOCATOR_CLASSES
    folder = cache_folder(module.split(".")[1])
    if folder is not None:
        _settings.CACHE_DIR = str(folder / subfolder)
        _settings.CACHE_LOCATOR_CLASSES = f"{__name__}.{Locator.__name__}"
        options["cache"] = True
    try:
        yield options
    finally:
        _settings.CACHE_DIR, _settings.CACHE_LOCATOR_CLASSES = before


def kernel(function: F) -> F:
    """Make `function` part of the kernel: compiled for the CPU, callable from GPU code.

    With `NUMBA_DISABLE_JIT=1` it stays the plain Python function that it is.
    """
    if not COMPILED:
        return function
    if not inner.AVAILABLE:
        return cast(F, _compile_once(_for_python(function)))
    # Compiled code calls the inner function; this one is compiled only where Python calls it.
    dispatcher, called = _for_python(function), _compile_once(_inner(function))
    dispatcher.get_call_template = called.get_call_template
    dispatcher.get_overload = called.get_overload
    return cast(F, dispatcher)


def _for_python(function: Callable[..., Any]) -> Any:
    """Return the compiled form of a function that Python calls."""
    with _options(function.__module__) as options:
        return _compiling(_njit(function, nogil=True, no_cfunc_wrapper=True, **options), False)


def _inner(function: Callable[..., Any]) -> Any:
    """Return the compiled form of a function that only compiled code calls."""
    with _options(function.__module__, "inner") as options:
        options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return _compiling(_njit(function, nogil=True, **options), True)


@contextmanager
def _as_begun() -> Iterator[None]:
    """Compile in this block as the folder's name says.

    Numba reads the environment again before it compiles, and a test or a program may have changed
    it since: code with bounds checks would slow down everybody who finds it in the folder.
    """
    _settings.reload_config()
    now = {name: getattr(_settings, name) for name in _AS_BEGUN}
    vars(_settings).update(_AS_BEGUN)
    try:
        yield
    finally:
        vars(_settings).update(now)


def _compiling(dispatcher: Any, is_inner: bool) -> Any:
    """Return the dispatcher, which notes what it compiles (see inner.py)."""
    compile = dispatcher._compiler.compile

    def noted(args: Any, return_type: Any) -> Any:
        with _as_begun(), passes.undisturbed(), inner.compiling(is_inner):
            return compile(args, return_type)

    dispatcher._compiler.compile = noted
    return dispatcher


def callback(function: F, signature: Any) -> F:
    """Compile `function` now, as one that kernel functions can take as an argument."""
    if not COMPILED:
        return function
    with _as_begun(), _options(function.__module__) as options:
        return cast(F, numba.cfunc(signature, **options)(function))


class Need(Flag):
    """What entries are needed for."""

    PLAY = auto()  # a game in Python: its state, its views and its bots
    REPLAY = auto()  # a record that is read and checked
    BATCH = auto()  # many games inside compiled code
    SEARCH = auto()  # a bot that searches
    NET = auto()  # the bot that has learned
    RESEARCH = auto()  # positions set up by hand, sampled states, random games
    ENVIRONMENT = auto()  # batches of games for learning


@dataclass(frozen=True, eq=False)
class Entry:
    """A function that Python calls, as it was declared.

    `load` compiles it for the types that were declared, or loads it from the cache; it returns what
    `direct` returns.
    """

    name: str
    function: Callable[..., Any]
    needed_for: Need
    load: Callable[[], Any]

    def is_cached(self) -> bool:
        """Return whether it is in the cache on disk."""
        package, *_, module = self.function.__module__.split(".")[1:]
        folder = cache_folder(package)
        if folder is None:
            return False
        return next(folder.glob(f"{module}.{self.function.__name__}-*.nbi"), None) is not None


_entries: dict[str, Entry] = {}


def entries() -> tuple[Entry, ...]:
    """Return what the modules imported so far have declared, in the order of declaration."""
    return tuple(_entries.values())


def declare(
    name: str, function: Callable[..., Any], needed_for: Need, load: Callable[[], Any]
) -> None:
    """Add an entry. ValueError if there is another one of this name."""
    if name in _entries:
        raise ValueError(f"two functions that Python calls are named '{name}'")
    _entries[name] = Entry(name, function, needed_for, load)


def entry(*types: Any, needed_for: Need) -> Callable[[F], F]:
    """Make a function part of the kernel, and declare that Python calls it with these types.

    A type that takes long to make can be given as a function that returns it. Entries are for
    Python alone: a call from the kernel would compile them again, for the types at that place.
    """

    def add(function: F) -> F:
        compiled: Any = _for_python(function) if COMPILED else function

        def load() -> Any:
            if not COMPILED:
                return function
            return compiled.compile(
                tuple(it() if isinstance(it, FunctionType) else it for it in types)
            )

        declare(function.__name__, function, needed_for, load)
        return cast(F, compiled)

    return add


@cache
def direct(name: str) -> Callable[..., Any]:
    """Return an entry as it is called fastest: with exactly the types that it declares.

    Numba looks at the types of all arguments before it calls: 4 microseconds for the arrays of a
    net, 12 for a function. For callers whose arguments are their own.
    """
    function: Callable[..., Any] = _entries[name].load()
    return function
