"""How the kernel is compiled: once per machine, into a folder named after its own sources.

Numba's disk cache does not notice a change in a function of another file, so the folder carries
a hash of every kernel source: new rules never meet old machine code. Where no folder can be
written the functions are compiled in memory, which costs time and nothing else.
"""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs

F = TypeVar("F", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT

if not COMPILED:
    # Machine words wrap around in the kernel by design (ChaCha8, bit sets).
    np.seterr(over="ignore")


def source_hash() -> str:
    """A short name for the exact text of all functions that go through `kernel`."""
    package = Path(__file__).parent.parent
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for folder in ("rules", "bots"):
        for path in sorted((package / folder).glob("**/*.py")):
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


def cache_folder() -> Path | None:
    """Where compiled rules are kept, or None when no folder can be written.

    `FERROVIA_CACHE` names another folder; an empty value turns the cache off.
    """
    named = os.environ.get("FERROVIA_CACHE")
    if named == "":
        return None
    base = Path(named) if named else platformdirs.user_cache_path("ferrovia")
    folder = base / f"kernel-{source_hash()}"
    return folder if _writable(folder) else None


CACHE = cache_folder() if COMPILED else None


def kernel(function: F) -> F:
    """Make `function` part of the kernel: compiled for the CPU, callable from GPU code.

    With `NUMBA_DISABLE_JIT=1` it stays the plain Python function that it is.
    """
    if not COMPILED:
        return function
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    before = numba.config.CACHE_DIR
    if CACHE is not None:
        numba.config.CACHE_DIR = str(CACHE)
        options["cache"] = True
    try:
        return cast(F, numba.njit(function, **options))
    finally:
        numba.config.CACHE_DIR = before
