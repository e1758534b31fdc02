"""Memory that is passed together: a named tuple, and its addresses as compiled code reads them.

The addresses are found once, not at every call; so a pack keeps its memory, and nobody may resize
what is in it.
"""

from array import array
from typing import Any, Generic, TypeVar

from ferrovia.kernel.library import LIBRARY
from ferrovia.kernel.record import Ints
from ferrovia.kernel.signature import FLOAT, Array, Bundle, Grid, Number, One

T = TypeVar("T", bound=tuple[Any, ...])


class Pack(Ints, Generic[T]):
    """A named tuple `of` memory and numbers, ready to be passed as an argument of its kind.

    As an array it holds the addresses and numbers, one after another.
    """

    def __new__(cls, kind: Bundle, of: T) -> "Pack[T]":
        return super().__new__(cls, "q")

    def __init__(self, kind: Bundle, of: T) -> None:
        self.kind, self.of = kind, of
        self._held: list[Any] = []
        if LIBRARY is not None:
            self._add(kind, of)

    def _add(self, kind: Any, value: Any) -> None:
        if isinstance(kind, Bundle):
            for one, part in zip(kind.kinds, value, strict=True):
                self._add(one, part)
        elif isinstance(kind, Number):
            whole = array("q", array("d", [value]).tobytes()) if kind is FLOAT else [value]
            self.extend(whole)
        else:
            self._add_memory(kind, value)

    def _add_memory(self, kind: Any, value: Any) -> None:
        assert LIBRARY is not None
        memory = memoryview(value)
        self._held.append(memory)
        self.append(LIBRARY.address(memory))
        if isinstance(kind, One):
            if memory.nbytes != kind.record.size:
                raise ValueError(f"{kind.record} has not {memory.nbytes} bytes")
        elif isinstance(kind, Array):
            count, left = divmod(memory.nbytes, kind.bytes_of_row)
            if left or kind.count not in (None, count) or not memory.c_contiguous:
                raise ValueError(f"{memory.nbytes} bytes are not {kind}")
            self.append(count)
        elif isinstance(kind, Grid):
            if memory.ndim != kind.dimensions or memory.itemsize != kind.bytes_of_item:
                raise ValueError(f"{memory.ndim} dimensions of {memory.itemsize} are not {kind}")
            if not kind.strided and not memory.c_contiguous:
                raise ValueError("this memory has gaps")
            self.extend(memory.shape or ())
            if kind.strided:
                self.extend(memory.strides or ())
