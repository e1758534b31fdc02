"""A store in one file that only grows: for a page, whose browser gives it a file and no database.

After a line that says what it is, the file is a row of frames: a head with the length and the
checksum of what follows, and what was written, in msgpack. What a crash has left unfinished at its
end is written over. In memory is only where the frames of each table begin.
"""

import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from os import SEEK_END
from typing import Protocol

import msgspec

from ferrovia.server.store.interface import (
    Append,
    Damage,
    StoreDamaged,
    StoreFull,
    StoreGone,
    StoreNewer,
    StoreReport,
    TableSummary,
)
from ferrovia.server.store.memory import MemoryStore

_FIRST_LINE = b"Ferrovia log 1\n"
_HEAD = struct.Struct("<II")
_AT_ONCE = 1 << 20


class File(Protocol):
    """A file that nobody else has open: what is used of a `BinaryIO`.

    What was written is on the disk when `flush` returns. All raise `OSError`.
    """

    def seek(self, offset: int, whence: int = 0, /) -> int: ...

    def read(self, size: int, /) -> bytes: ...

    def write(self, data: bytes, /) -> int: ...

    def truncate(self, size: int, /) -> int: ...

    def flush(self) -> None: ...

    def close(self) -> None: ...


class _Written(msgspec.Struct, frozen=True, tag=0, array_like=True):
    table: str
    number: int
    entries: tuple[bytes, ...]
    summary: tuple[str, bool, float, float | None, bytes] | None


class _Analysed(msgspec.Struct, frozen=True, tag=1, array_like=True):
    table: str
    body: bytes
    most: int


class _Shared(msgspec.Struct, frozen=True, tag=2, array_like=True):
    table: str
    seat: int
    share: bool


_Frame = _Written | _Analysed | _Shared
_BODY = re.compile(b"\x95\x00|\x94\x01|\x94\x02")  # how the three begin
_READ = msgspec.msgpack.Decoder(_Frame)
_WRITE = msgspec.msgpack.Encoder()


class LogFileStore(MemoryStore):
    """Keeps the logs of tables in a file; what is asked for often stays in memory."""

    address = "file"

    def __init__(self, file: File) -> None:
        super().__init__()
        self._file = file
        self._places: dict[str, list[tuple[int, int]]] = {}  # of the frames of a table's log
        self._counts: dict[str, int] = {}
        try:
            self._end = self._open()
        except OSError as problem:
            raise StoreGone(f"the file of games cannot be read: {problem}") from problem

    def append(self, batch: Sequence[Append]) -> list[bool]:
        counts = dict(self._counts)
        fits = []
        for one in batch:
            fits.append(one.number == counts.get(one.table, 0) + 1)
            if fits[-1]:
                counts[one.table] = one.number - 1 + len(one.entries)
        kept = [one for one, fit in zip(batch, fits, strict=True) if fit]
        self._write([_written(one) for one in kept])
        return fits

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        found: list[bytes] = []
        for at, length in self._places.get(table, ()):
            frame = self._frame(at, length)
            if not isinstance(frame, _Written) or frame.number != len(found) + 1:
                raise StoreDamaged(table, len(found) + 1, "the file of games is damaged")
            found.extend(frame.entries)
        if len(found) != self._counts.get(table, 0):
            raise StoreDamaged(table, len(found) + 1, "the file of games is damaged")
        return found[after:][:limit]

    def keep_analysis(self, table: str, body: bytes, most: int) -> None:
        self._write([_Analysed(table, body, most)])

    def share_analysis(self, table: str, seat: int, share: bool) -> None:
        self._write([_Shared(table, seat, share)])

    def close(self) -> None:
        self._file.close()

    def _open(self) -> int:
        """Read what is in the file; return where it ends."""
        if self._file.seek(0, SEEK_END) == 0:
            self._file.write(_FIRST_LINE)
            self._file.flush()
        first = self._read(0, len(_FIRST_LINE))
        if first != _FIRST_LINE:
            if first.startswith(_FIRST_LINE[:-2]):
                raise StoreNewer("a newer version of Ferrovia has written these games")
            raise StoreDamaged(None, None, "the file of games begins with something else")
        end = len(_FIRST_LINE)
        damages = []
        for at, body, whole in self._frames(end):
            try:
                if not whole:
                    raise ValueError("other bytes than were written")
                self._know(_READ.decode(body), at, len(body))
            except (ValueError, msgspec.DecodeError) as problem:
                damages.append(Damage(None, None, f"at byte {at} of the file: {problem}"))
            else:
                end = at + _HEAD.size + len(body)
        # What is damaged at the end was never confirmed; what is whole behind a damage stays.
        report = StoreReport(tables=len(self._counts), entries=sum(self._counts.values()))
        report.damages = [it for it in damages if int(it.problem.split()[2]) < end]
        self.report = report
        return end

    def _frames(self, at: int) -> Iterator[tuple[int, bytes, bool]]:
        """Yield all frames: where each begins, what is in it, and whether it is whole.

        The length of one that is not whole may be what is wrong: the next that is whole is searched
        for, and where there is none, the end was not finished.
        """
        size = self._file.seek(0, SEEK_END)
        ahead, begin = b"", at
        while at + _HEAD.size <= size:
            if at + _HEAD.size > begin + len(ahead):
                ahead, begin = self._read(at, _AT_ONCE), at
            length, checksum = _HEAD.unpack_from(ahead, at - begin)
            end = at + _HEAD.size + length
            if begin + len(ahead) < end <= size:
                ahead, begin = self._read(at, max(_AT_ONCE, _HEAD.size + length)), at
            body = ahead[at - begin + _HEAD.size : end - begin] if end <= size else b""
            whole = end <= size and zlib.crc32(body) == checksum
            yield at, body, whole
            at = end if whole else self._next_whole(at + 1, size)

    def _next_whole(self, at: int, size: int) -> int:
        """Return where the next whole frame begins, from a place on; the size if none does."""
        while at + _HEAD.size < size:
            ahead = self._read(at, _AT_ONCE)
            for found in _BODY.finditer(ahead, _HEAD.size):
                begin = found.start() - _HEAD.size
                length, checksum = _HEAD.unpack_from(ahead, begin)
                if at + found.start() + length > size:
                    continue
                if zlib.crc32(self._read(at + found.start(), length)) == checksum:
                    return at + begin
            at += max(1, len(ahead) - _HEAD.size - 1)
        return size

    def _read(self, at: int, length: int) -> bytes:
        self._file.seek(at)
        return self._file.read(length)

    def _frame(self, at: int, length: int) -> _Frame | None:
        """Return what is written at a place, None if it is damaged."""
        try:
            data = self._read(at, _HEAD.size + length)
        except OSError as problem:
            raise StoreGone(f"the file of games cannot be read: {problem}") from problem
        body = data[_HEAD.size :]
        if data[: _HEAD.size] != _head(body):
            return None
        frame: _Frame = _READ.decode(body)
        return frame

    def _write(self, frames: Sequence[_Frame]) -> None:
        """Write frames, all or none, and then know what is in them."""
        bodies = [_WRITE.encode(frame) for frame in frames]
        data = b"".join(_head(body) + body for body in bodies)
        try:
            self._file.seek(self._end)
            if self._file.write(data) != len(data):  # Chromium tells of an error as a large number
                raise OSError("there is no room for it")
            self._file.flush()
        except OSError as problem:
            self._take_back()
            raise StoreFull(f"the browser keeps no more: {problem}") from problem
        for frame, body in zip(frames, bodies, strict=True):
            self._know(frame, self._end, len(body))
            self._end += _HEAD.size + len(body)

    def _take_back(self) -> None:
        """Leave nothing of what could not be written whole."""
        with suppress(OSError):  # then it is written over by what comes next
            self._file.truncate(self._end)
            self._file.flush()

    def _know(self, frame: _Frame, at: int, length: int) -> None:
        match frame:
            case _Written(table, number, entries, summary):
                self._places.setdefault(table, []).append((at, length))
                self._counts[table] = number - 1 + len(entries)
                if summary is not None:
                    self._summaries[table] = TableSummary(*summary)
            case _Analysed(table, body, most):
                super().keep_analysis(table, body, most)
            case _Shared(table, seat, share):
                super().share_analysis(table, seat, share)


def _written(append: Append) -> _Written:
    it = append.summary
    summary = None if it is None else (it.status, it.listed, it.changed, it.due, it.card)
    return _Written(append.table, append.number, append.entries, summary)


def _head(body: bytes) -> bytes:
    return _HEAD.pack(len(body), zlib.crc32(body))
