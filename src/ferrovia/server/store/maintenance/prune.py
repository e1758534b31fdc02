"""Retention: which tables are old enough to be deleted, and their deletion."""

from collections.abc import Iterable, Sequence

import msgspec

from ferrovia.server.store.interface import Archive, Stored

_BATCH = 100


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
