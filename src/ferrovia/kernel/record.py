"""Records: fixed layouts of numbers, the memory that the kernel works on.

A layout is plain data, the same on every system: fields in order, each aligned to its own size. The
compiler and NumPy make their types from it; `RecordView` reads and writes a record in Python.
"""

from array import array
from collections.abc import Iterator
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

Buffer = Any
"""Memory of bytes: a bytearray, a memoryview of one, an array of NumPy."""

if TYPE_CHECKING:
    Ints = array[int]
else:
    Ints = array
"""An array of whole numbers."""

SIZES = {"i1": 1, "u1": 1, "i2": 2, "u2": 2, "i4": 4, "u4": 4, "i8": 8, "u8": 8, "f4": 4, "f8": 8}
"""The numbers that there are, by name, and their bytes."""

LETTERS = {
    "i1": "b",
    "u1": "B",
    "i2": "h",
    "u2": "H",
    "i4": "i",
    "u4": "I",
    "i8": "q",
    "u8": "Q",
    "f4": "f",
    "f8": "d",
}
"""The same as `struct`, `array` and `memoryview` name them."""

_ALIGNMENT = 8  # of a record inside another one


class Field(NamedTuple):
    """A field of a record: where it begins, and its numbers, or the record that it is."""

    begin: int
    kind: "str | RecordLayout"
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """The bytes of the field."""
        one = SIZES[self.kind] if isinstance(self.kind, str) else self.kind.size
        return one * prod(self.shape)


class RecordLayout:
    """A layout: fields by name, and the bytes of the whole."""

    def __init__(self, name: str, *fields: tuple[Any, ...]) -> None:
        self.name = name
        self.fields: dict[str, Field] = {}
        end, widest = 0, 1
        for field, kind, *shape in fields:
            alignment = SIZES[kind] if isinstance(kind, str) else _ALIGNMENT
            widest = max(widest, alignment)
            begin = -(-end // alignment) * alignment
            self.fields[field] = Field(begin, kind, shape[0] if shape else ())
            end = begin + self.fields[field].size
        self.size = -(-end // widest) * widest

    @cached_property
    def dtype(self) -> Any:
        """The layout as a type of NumPy."""
        import numpy as np

        def kind(field: Field) -> Any:
            one = field.kind if isinstance(field.kind, str) else field.kind.dtype
            return (one, field.shape) if field.shape else one

        layout: Any = {
            "names": list(self.fields),
            "formats": [kind(field) for field in self.fields.values()],
            "offsets": [field.begin for field in self.fields.values()],
            "itemsize": self.size,
        }
        return np.dtype((np.record, np.dtype(layout, align=True)))

    def new(self, count: int = 1) -> bytearray:
        """Return memory for records, all zero."""
        return bytearray(self.size * count)

    def of(self, memory: Buffer, place: int = 0) -> "RecordView":
        """Return the fields of a record in memory, by its place among others of its kind."""
        return RecordView(self, memory, place)

    def __repr__(self) -> str:
        return self.name


class Rows:
    """An array of several dimensions in memory: by one number a row of it, by several a number."""

    __slots__ = ("_flat", "shape")

    def __init__(self, flat: memoryview, shape: tuple[int, ...]) -> None:
        self._flat, self.shape = flat, shape

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, tuple):
            row = self[place[0]]
            return row[place[1] if len(place) == 2 else place[1:]]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        width = len(self._flat) // len(self)
        begin = place % len(self) * width
        row = self._flat[begin : begin + width]
        return row if len(self.shape) == 2 else Rows(row, self.shape[1:])

    def __setitem__(self, place: Any, value: Any) -> None:
        *outer, last = place if isinstance(place, tuple) else (place,)
        row = self[tuple(outer) if len(outer) > 1 else outer[0]] if outer else self[last]
        if outer:
            row[last] = value
        else:
            _write(row, value)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self)))

    def tolist(self) -> list[Any]:
        """Return the numbers as lists of lists."""
        return [row.tolist() for row in self]


def _write(flat: Any, values: Any) -> None:
    """Write numbers over a row."""
    flat[:] = array(flat.format, values)


class RecordView:
    """A record as an object: its numbers are attributes, its arrays views of the same memory."""

    __slots__ = ("_memory", "_record")

    def __init__(self, record: RecordLayout, memory: Buffer, place: int = 0) -> None:
        data = memoryview(memory).cast("B")[place * record.size : (place + 1) * record.size]
        if data.nbytes != record.size:
            raise ValueError(f"{record.name} has {record.size} bytes, not {data.nbytes}")
        object.__setattr__(self, "_memory", data)
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        field = self._record.fields.get(name)
        if field is None:
            raise AttributeError(f"{self._record.name} has no field '{name}'")
        part = self._memory[field.begin : field.begin + field.size]
        if not isinstance(field.kind, str):
            return RecordView(field.kind, part)
        numbers = part.cast(LETTERS[field.kind])
        if not field.shape:
            return numbers[0]
        return numbers if len(field.shape) == 1 else Rows(numbers, field.shape)

    def __setattr__(self, name: str, value: Any) -> None:
        field = self._record.fields.get(name)
        if field is None or not isinstance(field.kind, str):
            raise AttributeError(f"{self._record.name} has no numbers '{name}'")
        numbers = self._memory[field.begin : field.begin + field.size].cast(LETTERS[field.kind])
        if field.shape:
            _write(numbers, value)
        else:
            numbers[0] = value
