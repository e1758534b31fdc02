"""What entries of the kernel take: kinds of arguments as plain data.

An argument reaches compiled code as one or more words of 64 bits: a number as itself, memory as its
address and the lengths of its free dimensions (and, if strided, its strides in bytes).
"""

from dataclasses import dataclass
from functools import cached_property
from math import prod

from ferrovia.errors import FerroviaError
from ferrovia.kernel.record import SIZES, RecordLayout


@dataclass(frozen=True)
class Number:
    """A number: an `int` of 64 bits with its sign, or a `float`."""

    name: str

    words = 1


INT, FLOAT = Number("int"), Number("float")


@dataclass(frozen=True)
class Array:
    """Numbers or records without gaps, written to unless they are `constant`.

    `row` are the lengths of all dimensions but the first, which is free unless `count` sets it.
    """

    item: "str | RecordLayout"
    row: tuple[int, ...] = ()
    count: int | None = None
    constant: bool = False

    words = 2

    @property
    def bytes_of_row(self) -> int:
        """The bytes of one row."""
        one = SIZES[self.item] if isinstance(self.item, str) else self.item.size
        return one * prod(self.row)


@dataclass(frozen=True)
class Grid:
    """Numbers in some dimensions, all of them free; `strided` with whatever lies between them.

    They are written to unless they are `constant`.
    """

    item: "str | RecordLayout"
    dimensions: int
    strided: bool = False
    constant: bool = False

    @property
    def words(self) -> int:
        return 1 + self.dimensions * (2 if self.strided else 1)

    @property
    def bytes_of_item(self) -> int:
        """The bytes of one number or record."""
        return SIZES[self.item] if isinstance(self.item, str) else self.item.size


@dataclass(frozen=True)
class One:
    """A record, written to unless it is `constant`."""

    record: RecordLayout
    constant: bool = False

    words = 1


@dataclass(frozen=True)
class Scratch:
    """Memory that the call brings along, with whatever is in it: the caller passes nothing.

    It is one record, or `count` rows of numbers or records.
    """

    item: "str | RecordLayout"
    count: int | None = None
    row: tuple[int, ...] = ()

    words = 1

    @property
    def size(self) -> int:
        """Its bytes."""
        return Array(self.item, self.row).bytes_of_row * (self.count or 1)


@dataclass(frozen=True)
class Bundle:
    """A named tuple of such arguments; the caller passes it packed (see `Pack`)."""

    of: type
    kinds: tuple["Kind", ...]

    @cached_property
    def words(self) -> int:
        return sum(kind.words for kind in self.kinds)


Kind = Number | Array | Grid | One | Scratch | Bundle


def bytes_of(count: int, *, constant: bool = False) -> Array:
    """Return the kind of exactly `count` bytes."""
    return Array("u1", (), count, constant)


class KernelError(FerroviaError, RuntimeError):
    """Compiled code stopped: it was given what the rules do not allow, or has a fault."""
