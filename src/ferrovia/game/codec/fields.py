"""States and scores as plain Python numbers.

Reading one field at a time costs a microsecond for each. Views are read through this
instead: the numbers are unpacked together at once, each row when it is first read.
"""

import struct
from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any, ClassVar, Literal, NamedTuple

from ferrovia.kernel import Buffer, RecordLayout
from ferrovia.kernel.record import LETTERS, Field
from ferrovia.rules.state.layout import KINDS, SCORE, STATE

# Where fields of a state begin: reading a byte is many times faster than reading a field.
PHASE_AT, SEAT_AT, TURNS_AT, EXTRA_AT, OFFERED_AT = (
    STATE.fields[name].begin for name in ("phase", "seat", "turns", "extra", "offered")
)

Row = tuple[int, ...]
Rows = tuple[Row, ...]


class Reading:
    """The fields of a record that no longer changes: numbers, rows, rows of rows."""

    _numbers: ClassVar[tuple[str, ...]]
    _form: ClassVar[struct.Struct]
    _places: ClassVar[dict[str, slice]]

    def __init__(self, record: Buffer) -> None:
        self._bytes = data = bytes(record)
        self.__dict__.update(zip(self._numbers, self._form.unpack_from(data), strict=True))

    def __init_subclass__(cls, record: RecordLayout) -> None:
        cls._numbers, cls._form = _numbers(record)
        cls._places = {
            name: slice(field.begin, field.begin + field.size)
            for name, field in record.fields.items()
        }
        for name, field in record.fields.items():
            if field.shape:
                setattr(cls, name, _Rows(name, _reader(field)))

    def bytes_of(self, name: str) -> bytes:
        """Return a field as it is kept, which is quicker to compare than its numbers."""
        return self._bytes[self._places[name]]


class _Rows:
    """A row, or rows, that are read when they are first asked for."""

    def __init__(self, name: str, read: Callable[[bytes], Any]) -> None:
        self.name = name
        self.read = read

    def __get__(self, reading: Reading, _: type) -> Any:
        value = reading.__dict__[self.name] = self.read(reading._bytes)
        return value  # from now on it is an ordinary attribute, which comes before this one


def _row(form: struct.Struct, begin: int, data: bytes) -> Row:
    return form.unpack_from(data, begin)


def _rows(form: struct.Struct, begin: int, end: int, data: bytes) -> Rows:
    return tuple(form.iter_unpack(data[begin:end]))


def _letter(field: Field) -> str:
    assert isinstance(field.kind, str)
    return LETTERS[field.kind]


def _reader(field: Field) -> Callable[[bytes], Any]:
    form = struct.Struct(f"={field.shape[-1]}{_letter(field)}")
    if len(field.shape) > 1:
        return partial(_rows, form, field.begin, field.begin + field.size)
    return partial(_row, form, field.begin)


def _numbers(record: RecordLayout) -> tuple[tuple[str, ...], struct.Struct]:
    """Return the names of the fields that are one number, and the form that has only these."""
    names, form, at = [], "=", 0
    for name, field in record.fields.items():
        if not field.shape:
            names.append(name)
            form += f"{field.begin - at}x{_letter(field)}"
            at = field.begin + field.size
    return tuple(names), struct.Struct(form)


class StateReading(Reading, record=STATE):
    routes: Rows
    open: Rows
    tickets: Rows
    points: Row
    hand_size: Row
    deck_size: int
    ticket_left: int
    pending: int
    turns: int
    hand: Rows
    known: Rows
    discards: Row
    revealed: Row
    display: Row
    ticket_count: Row
    offer: Rows
    offered: Row
    trains: Row
    stations: Rows
    laid_color: int
    laid: int
    laid_locomotives: int
    extra: int
    players: int
    first: int
    seat: int
    phase: int
    turns_left: int

    def of_seat(self, seat: int) -> bytes:
        """Return what is kept of one seat, for `SeatReading`."""
        data = self._bytes
        return b"".join([data[at + seat * size : at + seat * size + size] for at, size in _OF_SEAT])

    def cards_of(self, name: Literal["hand", "known"], seat: int) -> int:
        """Return the cards of a seat as one number, in which each kind is a byte: all kinds are
        added and subtracted at once.
        """
        begin = self._places[name].start + seat * KINDS
        return int.from_bytes(self._bytes[begin : begin + KINDS], "little")


class SeatReading(NamedTuple):
    """What a state has of one seat and everybody may know, as far as the state shows it."""

    routes: Row
    open: Row
    points: int
    hand_size: int
    known: Row
    ticket_count: int
    trains: int
    stations: Row


def _seat_form() -> tuple[list[tuple[int, int]], list[struct.Struct]]:
    """Return where the fields of a seat begin and how long they are, and their forms."""
    places, forms = [], []
    for name in SeatReading._fields:
        field = STATE.fields[name]
        count = prod(field.shape[1:])
        places.append((field.begin, field.size // field.shape[0]))
        forms.append(struct.Struct(f"={count}{_letter(field)}"))
    return places, forms


_OF_SEAT, _SEAT_FORMS = _seat_form()


def read_seat(data: bytes) -> SeatReading:
    """Return the fields of a seat from `StateReading.of_seat`."""
    fields: list[Any] = []
    at = 0
    for name, form in zip(SeatReading._fields, _SEAT_FORMS, strict=True):
        row = form.unpack_from(data, at)
        fields.append(row if SeatReading.__annotations__[name] is Row else row[0])
        at += form.size
    return SeatReading(*fields)


class ScoreReading(Reading, record=SCORE):
    completed: Rows
    trail: Rows
    routes: Row
    tickets: Row
    stations: Row
    longest: Row
    bonus: Row
    total: Row
    borrowed: Rows
    winners: int
