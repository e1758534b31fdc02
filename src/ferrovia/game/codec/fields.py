"""States and scores as plain Python numbers.

Reading a field of a NumPy record costs microseconds every time. Views are read through this
instead: the numbers are unpacked together at once, each row when it is first read.
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

    _numbers: ClassVar[tuple[str, ...]]
    _form: ClassVar[struct.Struct]
    _readers: ClassVar[dict[str, Callable[[bytes], Any]]]

    def __init__(self, record: Buffer) -> None:
        self._bytes = data = record.tobytes()
        self.__dict__.update(zip(self._numbers, self._form.unpack_from(data), strict=True))

    def __getattr__(self, name: str) -> Any:
        read = self._readers.get(name)
        if read is None:
            raise AttributeError(f"there is no field '{name}'")
        value = self.__dict__[name] = read(self._bytes)  # from now on an ordinary attribute
        return value


def _row(form: struct.Struct, begin: int, data: bytes) -> _Row:
    return form.unpack_from(data, begin)


def _rows(form: struct.Struct, begin: int, end: int, data: bytes) -> _Rows:
    return tuple(form.iter_unpack(data[begin:end]))


def _letter(kind: np.dtype[Any]) -> str:
    letter = _LETTERS[kind.base.itemsize]
    return letter.upper() if kind.base.kind == "u" else letter


def _reader(kind: np.dtype[Any], begin: int) -> Callable[[bytes], Any]:
    form = struct.Struct(f"={kind.shape[-1]}{_letter(kind)}")
    if len(kind.shape) > 1:
        return partial(_rows, form, begin, begin + kind.itemsize)
    return partial(_row, form, begin)


def _fields(record: np.dtype[Any]) -> list[tuple[str, np.dtype[Any], int]]:
    """Return the names, kinds and places of the fields, in the order of the bytes."""
    fields: Any = record.fields or {}
    return sorted(((name, *fields[name][:2]) for name in fields), key=lambda field: field[2])


def _readers(record: np.dtype[Any]) -> dict[str, Callable[[bytes], Any]]:
    return {name: _reader(kind, begin) for name, kind, begin in _fields(record) if kind.shape}


def _numbers(record: np.dtype[Any]) -> tuple[tuple[str, ...], struct.Struct]:
    """Return the names of the fields that are one number, and the form that has only these."""
    names, form, at = [], "=", 0
    for name, kind, begin in _fields(record):
        if not kind.shape:
            names.append(name)
            form += f"{begin - at}x{_letter(kind)}"
            at = begin + kind.itemsize
    return tuple(names), struct.Struct(form)


class StateReading(Reading):
    _numbers, _form = _numbers(STATE)
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
    _numbers, _form = _numbers(SCORE)
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
