"""The numbers of kernel functions: whole numbers of a fixed width, and constant arrays.

Where these functions run as plain Python the types are NumPy's, which wrap around as compiled code
does. Where compiled code runs instead, nothing is computed with them in Python, and they only say
what a constant is: NumPy is not loaded.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ferrovia.kernel.library import LIBRARY
from ferrovia.kernel.record import RecordLayout


class Constant:
    """An array that compiled code has as a constant. Its `values` are made when they are needed."""

    def __init__(
        self, item: str, shape: tuple[int, ...], values: Callable[[], Iterable[float]]
    ) -> None:
        self.item, self.shape, self.values = item, shape, values

    def array(self) -> Any:
        """Return it as an array of NumPy."""
        import numpy as np

        return np.array([*self.values()], self.item).reshape(self.shape)


if TYPE_CHECKING or LIBRARY is None:
    from numpy import int16, int32, int64, uint8, uint32, uint64

    def record(memory: Any, kind: RecordLayout, place: int = 0) -> Any:
        """Return the record in some bytes, by its place among others of its kind."""
        return memory.view(kind.dtype)[place]

    def constant(
        item: str, shape: tuple[int, ...], values: Callable[[], Iterable[float]] = tuple
    ) -> Any:
        """Return a constant array of numbers (see `SIZES` in record.py), in the order of memory."""
        return Constant(item, shape, values).array()

else:

    class int16(int):
        pass

    class int32(int):
        pass

    class int64(int):
        pass

    class uint8(int):
        pass

    class uint32(int):
        pass

    class uint64(int):
        pass

    def record(memory: Any, kind: RecordLayout, place: int = 0) -> Any:
        return kind.of(memory, place)

    def constant(
        item: str, shape: tuple[int, ...], values: Callable[[], Iterable[float]] = tuple
    ) -> Any:
        return Constant(item, shape, values)


TYPES = (int16, int32, int64, uint8, uint32, uint64)

__all__ = [
    "TYPES",
    "Constant",
    "constant",
    "int16",
    "int32",
    "int64",
    "record",
    "uint8",
    "uint32",
    "uint64",
]
