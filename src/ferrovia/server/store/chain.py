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

from ferrovia.server.store.interface import StoreDamaged, Summary

_LENGTH = 16

Row = tuple[bytes, bytes | None]
"""An entry and its hash; None for an entry from before the chain, which its head covers."""


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
    for number, (hash, stored) in enumerate(_compared(at_head, rows), start=1):
        if stored is not None and stored != hash:
            raise StoreDamaged(table, number, "its hash is not the one that was written")
        if head is not None and number == head.number:
            at_head = hash
    if head is None:
        return
    if len(rows) < head.number:
        raise StoreDamaged(table, len(rows) + 1, f"it is missing, of {head.number} entries")
    if at_head != head.hash:
        raise StoreDamaged(table, None, "its hash is not the one that was written")


def verify_after(table: str, after: int, rows: Sequence[Row]) -> None:
    """Check consecutive rows, of which the first has the number `after` and is the basis of the
    others; raises `StoreDamaged`.
    """
    if not rows or rows[0][1] is None:
        return  # from before the chain: the whole log has to be read to check it
    for number, (hash, stored) in enumerate(_compared(rows[0][1], rows[1:]), start=after + 1):
        if stored is not None and stored != hash:
            raise StoreDamaged(table, number, "its hash is not the one that was written")


def _compared(before: bytes, rows: Sequence[Row]) -> Iterator[tuple[bytes, bytes | None]]:
    for entry, stored in rows:
        before = link(before, entry)
        yield before, stored


def seal(table: str, summary: Summary) -> bytes:
    """Return the hash of what is stored of a table besides its log."""
    fields = (table, summary.status, bool(summary.listed), float(summary.changed))
    due = None if summary.due is None else float(summary.due)
    return hashlib.sha256(msgspec.msgpack.encode((*fields, due, summary.card))).digest()[:_LENGTH]
