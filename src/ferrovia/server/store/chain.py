"""The chain of a log: the hash of an entry covers the entries before it as well.

An entry that was changed, moved, left out or added between others no longer leads to the hashes
that were stored after it. The last hash of a log, its head, is stored with the table too, so that
a missing end is found. The hash is the beginning of a SHA-256: it finds damage and edits by hand;
against somebody who rewrites a whole store, note its digest (`ferrovia store check`) elsewhere.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from ferrovia.server.store.interface import Stored, StoreDamaged, TableSummary

_LENGTH = 16
_CHANGED = "its hash is not the one that was written"

Row = tuple[bytes, bytes]
"""An entry and its hash."""


def origin(table: str) -> bytes:
    """Return the hash before the first entry of a table."""
    return hashlib.sha256(b"ferrovia log\0" + table.encode()).digest()[:_LENGTH]


def link(before: bytes, entry: bytes) -> bytes:
    """Return the hash of an entry that follows the one with the hash `before`."""
    return hashlib.sha256(before + entry).digest()[:_LENGTH]


@dataclass(frozen=True, slots=True)
class Head:
    """The number and the hash of the last entry of a log."""

    number: int
    hash: bytes


def head_of(table: str, entries: Sequence[bytes]) -> Head:
    """Return the head of a whole log."""
    hash = origin(table)
    for entry in entries:
        hash = link(hash, entry)
    return Head(len(entries), hash)


def verify(table: str, rows: Sequence[Row], head: Head | None) -> None:
    """Check a whole log, which may have grown beyond its head; raises `StoreDamaged`."""
    at_head = origin(table)
    for number, hash in enumerate(_verified(table, at_head, rows, 1), start=1):
        if head is not None and number == head.number:
            at_head = hash
    if head is None:
        return
    if not isinstance(head.number, int) or (at_head != head.hash and len(rows) >= head.number):
        raise StoreDamaged(table, None, _CHANGED)
    if len(rows) < head.number:
        raise StoreDamaged(table, len(rows) + 1, f"it is missing, of {head.number} entries")


def verified_entries(table: str, after: int, rows: Sequence[Row], head: Head | None) -> list[bytes]:
    """Return the entries of consecutive rows: of a whole log, or, where `after` is not 0, of what
    follows the first row, which has that number; raises `StoreDamaged`.
    """
    if after == 0:
        verify(table, rows, head)
        return [entry for entry, _ in rows]
    _verify_after(table, after, rows)
    return [entry for entry, _ in rows[1:]]


def _verify_after(table: str, after: int, rows: Sequence[Row]) -> None:
    """Check consecutive rows, of which the first has the number `after` and is the basis of the
    others; raises `StoreDamaged`.
    """
    if rows:
        for _ in _verified(table, rows[0][1], rows[1:], after + 1):
            pass


def _verified(table: str, before: bytes, rows: Sequence[Row], first: int) -> Iterator[bytes]:
    """Yield the hashes of rows, as long as they are those that are stored."""
    for number, (entry, stored) in enumerate(rows, start=first):
        if not isinstance(entry, bytes):  # SQLite stores a type with every value
            raise StoreDamaged(table, number, "it is not what was written")
        before = link(before, entry)
        if stored != before:
            raise StoreDamaged(table, number, _CHANGED)
        yield before


def seal(table: str, summary: TableSummary) -> bytes:
    """Return the hash of what is stored of a table besides its log."""
    due = summary.due
    times = (summary.changed * 1.0, None if due is None else due * 1.0)
    fields = (table, summary.status, bool(summary.listed), *times, summary.card)
    return hashlib.sha256(msgspec.msgpack.encode(fields)).digest()[:_LENGTH]


def verify_seal(stored: Stored) -> None:
    """Check what is stored of a table besides its log; raises `StoreDamaged`."""
    try:
        sound = stored.seal == seal(stored.table, stored.summary)
    except TypeError:  # SQLite stores a type with every value
        sound = False
    if not sound:
        raise StoreDamaged(stored.table, None, "its row in the list of tables was changed")
