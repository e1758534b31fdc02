"""Retention: which tables are old enough to be deleted, and their deletion."""

import re
from collections.abc import Iterable, Sequence

import msgspec

from ferrovia.server.store.interface import Archive, Stored

_BATCH = 100
_UNITS = {"h": 3600.0, "d": 86400.0, "w": 7 * 86400.0, "y": 365 * 86400.0}


def seconds_of(age: str) -> float:
    """Return an age in seconds: 12h, 90d, 8w, 1y; raises `ValueError`."""
    match = re.fullmatch(r"(\d{1,6})([hdwy])", age)
    if match is None:
        raise ValueError(f"'{age}' is not an age such as 12h, 90d, 8w or 1y")
    return int(match[1]) * _UNITS[match[2]]


class _Dated(msgspec.Struct):
    """The time of an entry, whatever else it holds."""

    at: float


def last_change(store: Archive, stored: Stored) -> float:
    """Return when the last entry of a table was written; its summary may be older."""
    rows = store.rows(stored.table, stored.number)
    try:
        return msgspec.json.decode(rows[-1][0], type=_Dated).at
    except (IndexError, msgspec.DecodeError, UnicodeDecodeError):
        return stored.summary.changed


def expired(store: Archive, before: float, states: Iterable[str]) -> list[Stored]:
    """Return the tables in one of these states at which nothing has happened since a time."""
    found = [
        stored
        for stored in store.tables()
        if stored.summary.status in states and stored.summary.changed < before
    ]
    return [stored for stored in found if last_change(store, stored) < before]


def prune(store: Archive, tables: Sequence[Stored]) -> int:
    """Delete tables, except those at which something has happened meanwhile; return how many."""
    removed = 0
    for first in range(0, len(tables), _BATCH):
        some = tables[first : first + _BATCH]
        removed += len(store.remove([(stored.table, stored.number) for stored in some]))
    return removed
