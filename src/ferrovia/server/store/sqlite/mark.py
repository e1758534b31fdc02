"""The mark of an SQLite store: a small file beside it that names the last entry it has confirmed.

SQLite takes a write-ahead log that was cut, or damaged in the middle, for one that ends there, and
opens without what came after. The mark is written after every commit and not synced: a process that
is killed leaves the latest one, a power cut perhaps an older one, never one ahead of the disk.
"""

import os
import zlib
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_SIZE = 256


class Confirmed(NamedTuple):
    """An entry that is in the store for certain."""

    table: str
    number: int
    hash: bytes


class Mark:
    """The file of one store; `write` costs a few microseconds."""

    def __init__(self, store: Path) -> None:
        self.path = mark_path(store)
        self._file = self.path.open("r+b" if self.path.exists() else "w+b", buffering=0)

    def write(self, confirmed: Confirmed | None) -> None:
        """Name the last entry that was confirmed; None: name nothing."""
        text = b""
        if confirmed is not None:
            text = f"{confirmed.table} {confirmed.number} {confirmed.hash.hex()}".encode()
            text += f" {zlib.crc32(text):08x}".encode()
        line = text.ljust(_SIZE - 1) + b"\n"
        with suppress(OSError):  # what was confirmed is in the store all the same
            if hasattr(os, "pwrite"):
                os.pwrite(self._file.fileno(), line, 0)
            else:
                self._file.seek(0)
                self._file.write(line)

    def read(self) -> Confirmed | None:
        """Return the last entry that was confirmed; None if the mark names none."""
        self._file.seek(0)
        return _parse(self._file.read(_SIZE))

    def close(self) -> None:
        self._file.close()


def mark_path(store: Path) -> Path:
    """Return the path of the mark of a store."""
    return store.with_name(f"{store.name}.mark")


def read_mark(store: Path) -> Confirmed | None:
    """Return what the mark of a store names, if anything; the mark is not touched."""
    with mark_path(store).open("rb") as file:
        return _parse(file.read(_SIZE))


def _parse(line: bytes) -> Confirmed | None:
    text, _, sum = line.strip().rpartition(b" ")
    try:
        if int(sum, 16) != zlib.crc32(text):
            return None
        table, number, hash = text.decode().split(" ")
        return Confirmed(table, int(number), bytes.fromhex(hash))
    except ValueError:
        return None  # empty, or half written at a power cut
