"""Entries as plain Python functions, for the debugger and where there is no library: memory is
given to them as arrays of NumPy, which is all that compiled code would do differently.
"""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from ferrovia.kernel.pack import Pack
from ferrovia.kernel.record import RecordLayout
from ferrovia.kernel.signature import Array, Bundle, Grid, Kind, One, Scratch

if TYPE_CHECKING:
    from ferrovia.kernel.declarations import EntryPoint


def taking_memory(entry: "EntryPoint") -> Callable[..., Any]:
    """Return an entry as a function of what Python passes."""

    @wraps(entry.function)
    def call(*given: Any) -> Any:
        rest = iter(given)
        arguments = [
            _scratch(kind) if isinstance(kind, Scratch) else as_argument(kind, next(rest))
            for kind in entry.kinds
        ]
        if next(rest, None) is not None:
            raise TypeError(f"{entry.name} takes fewer than {len(given)} arguments")
        with np.errstate(over="ignore"):  # words wrap around by design (ChaCha8, sets of bits)
            return _as_python(entry.function(*arguments))

    return call


def as_argument(kind: Kind, given: Any) -> Any:
    """Return what Python passes as what a kernel function takes."""
    if isinstance(kind, Bundle):
        values = given.of if isinstance(given, Pack) else given
        return kind.of(*map(as_argument, kind.kinds, values))
    if isinstance(kind, One):
        return np.frombuffer(given, kind.record.dtype)[0]
    if isinstance(kind, Array):
        array = np.frombuffer(given, _dtype(kind.item)) if len(memoryview(given)) else None
        if array is None:
            return np.zeros((0, *kind.row), _dtype(kind.item))
        if array.nbytes % kind.bytes_of_row or kind.count not in (
            None,
            array.nbytes // kind.bytes_of_row,
        ):
            raise ValueError(f"{array.nbytes} bytes are not {kind}")
        return array.reshape(-1, *kind.row)
    if isinstance(kind, Grid):
        return np.asarray(given)
    return given


def _scratch(kind: Scratch) -> Any:
    memory = np.zeros((kind.count or 1, *kind.row), _dtype(kind.item))
    return memory[0] if kind.count is None else memory


def _dtype(item: "str | RecordLayout") -> Any:
    return np.dtype(item) if isinstance(item, str) else item.dtype


def _as_python(found: Any) -> Any:
    """Return a result as compiled code does: with Python's numbers."""
    if isinstance(found, tuple):
        return tuple(map(_as_python, found))
    return found.item() if isinstance(found, np.generic) else found
