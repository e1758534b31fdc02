"""States and scores as plain Python numbers.

Reading a field of a NumPy record costs microseconds every time. Views are read through this
instead: each field is unpacked once, when it is first read.
"""

import struct
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ferrovia.game.codec.lexicon import Buffer
from ferrovia.rules.state.layout import SCORE, STATE

_LETTERS = {1: "b", 2: "h", 4: "i", 8: "q"}  # the forms of `struct`, by size

_Row = tuple[int, ...]
_Rows = tuple[_Row, ...]


class Reading:
    """The fields of a record that does not change any more: numbers, rows, rows of rows."""

    _readers: ClassVar[dict[str, Callable[[bytes], Any]]]

    def __init__(self, record: Buffer) -> None:
        self._bytes = record.tobytes()

    def __getattr__(self, name: str) -> Any:
        read = self._readers.get(name)
        if read is None:
            raise AttributeError(f"there is no field '{name}'")
        value = read(self._bytes)
        setattr(self, name, value)  # from now on an ordinary attribute
        return value


def _number(form: struct.Struct, begin: int, data: bytes) -> int:
    value: int = form.unpack_from(data, begin)[0]
    return value


def _row(form: struct.Struct, begin: int, data: bytes) -> _Row:
    return form.unpack_from(data, begin)


def _rows(form: struct.Struct, begin: int, end: int, data: bytes) -> _Rows:
    return tuple(form.iter_unpack(data[begin:end]))


def _reader(kind: np.dtype[Any], begin: int) -> Callable[[bytes], Any]:
    shape, letter = kind.shape, _LETTERS[kind.base.itemsize]
    if kind.base.kind == "u":
        letter = letter.upper()
    form = struct.Struct(f"={shape[-1] if shape else 1}{letter}")
    if len(shape) > 1:
        return partial(_rows, form, begin, begin + kind.itemsize)
    return partial(_row if shape else _number, form, begin)


def _readers(record: np.dtype[Any]) -> dict[str, Callable[[bytes], Any]]:
    return {name: _reader(*record.fields[name][:2]) for name in record.names or ()}  # type: ignore[index]


class StateReading(Reading):
    _readers = _readers(STATE)

    routes: _Rows
    open: _Rows
    tickets: _Rows
    points: _Row
    hand_size: _Row
    deck_size: int
    ticket_left: int
    pending: int
    turns: int
    hand: _Rows
    known: _Rows
    discards: _Row
    revealed: _Row
    display: _Row
    ticket_count: _Row
    offer: _Rows
    offered: _Row
    trains: _Row
    stations: _Rows
    laid_color: int
    laid: int
    laid_locomotives: int
    extra: int
    players: int
    first: int
    seat: int
    phase: int
    turns_left: int


class ScoreReading(Reading):
    _readers = _readers(SCORE)

    completed: _Rows
    trail: _Rows
    routes: _Row
    tickets: _Row
    stations: _Row
    longest: _Row
    bonus: _Row
    total: _Row
    borrowed: _Rows
    winners: int
