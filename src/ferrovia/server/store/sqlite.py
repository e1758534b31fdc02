"""The store in an SQLite file: the default, for one server."""

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ferrovia.server.store import migrations
from ferrovia.server.store.interface import (
    Append,
    News,
    StoreError,
    StoreFull,
    StoreGone,
    StoreInUse,
    StoreLocked,
    StoreNewer,
)

_BUSY_SECONDS = 5.0

_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_TOOBIG}
_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
# The disk cannot be written: a quota or a limit on the size of files looks like this.
_UNWRITABLE = {
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_SHMSIZE,
}

_APPEND = """INSERT INTO log (game, number, entry) SELECT ?1, ?2, ?3
    WHERE (SELECT coalesce(max(number), 0) FROM log WHERE game = ?1) = ?2 - 1"""
_SUMMARIZE = """INSERT OR REPLACE INTO tables (game, status, listed, changed, due, card)
    VALUES (?, ?, ?, ?, ?, ?)"""


class SqliteStore:
    """A file with write-ahead log, synced at every commit; one connection writes, one reads."""

    shared = False

    def __init__(
        self, path: str | os.PathLike[str], steps: migrations.Migrations = migrations.SQLITE
    ) -> None:
        self.path = Path(path).absolute()
        self._writing, self._reading = threading.Lock(), threading.Lock()
        with self._explained():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._claim = _claim(self.path)
            try:
                self._writer = _connect(self.path)
                self._migrate(steps)
                self._reader = _connect(self.path)
                self._file = _identity(self.path)
            except BaseException:
                self._claim.close()
                raise

    def append(self, batch: Sequence[Append]) -> list[bool]:
        with self._writing, self._explained():
            if _identity(self.path) != self._file:
                raise StoreGone(f"the store {self.path} was moved or deleted while in use")
            db = self._writer
            db.execute("BEGIN IMMEDIATE")
            try:
                written = [self._append(append) for append in batch]
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            return written

    def _append(self, append: Append) -> bool:
        db, summary = self._writer, append.summary
        for number, entry in enumerate(append.entries, start=append.number):
            if db.execute(_APPEND, (append.table, number, entry)).rowcount == 0:
                return False  # the first one: after it, all others are the next in turn
        if summary is None:
            return True
        row = (summary.status, summary.listed, summary.changed, summary.due, summary.card)
        db.execute(_SUMMARIZE, (append.table, *row))
        return True

    def entries(self, table: str, after: int = 0) -> list[bytes]:
        query = "SELECT entry FROM log WHERE game = ? AND number > ? ORDER BY number"
        with self._reading, self._explained():
            return [entry for (entry,) in self._reader.execute(query, (table, after))]

    def listing(self, since: float, limit: int) -> list[bytes]:
        query = """SELECT card FROM tables WHERE listed AND status <> 'over' AND changed > ?
            ORDER BY changed DESC LIMIT ?"""
        with self._reading, self._explained():
            return [card for (card,) in self._reader.execute(query, (since, limit))]

    def due(self, before: float, limit: int) -> list[tuple[str, float]]:
        query = "SELECT game, due FROM tables WHERE due <= ? ORDER BY due LIMIT ?"
        with self._reading, self._explained():
            return self._reader.execute(query, (before, limit)).fetchall()

    def time(self) -> float:
        return time.time()

    def announce(self, table: str, message: str) -> None:
        pass

    def heard(self, timeout: float) -> list[News] | None:
        return []

    def close(self) -> None:
        with self._writing, self._reading:
            self._reader.close()
            self._writer.close()
            self._claim.close()

    def _migrate(self, steps: migrations.Migrations) -> None:
        db = self._writer
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version > len(steps):
            raise StoreNewer(migrations.too_new(f"the store {self.path}", version, len(steps)))
        for number, statements in enumerate(steps[version:], start=version + 1):
            db.execute("BEGIN IMMEDIATE")
            try:
                for statement in statements:
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {number}")
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn errors of SQLite and the system into ours."""
        try:
            yield
        except sqlite3.Error as problem:
            raise _explain(self.path, problem) from problem
        except OSError as problem:
            raise StoreGone(f"the store {self.path} cannot be used: {problem}") from problem


def _explain(path: Path, problem: sqlite3.Error) -> StoreError:
    code = getattr(problem, "sqlite_errorcode", None)
    if code in _FULL or code in _UNWRITABLE:
        return StoreFull(f"no room for the store {path}, or its disk cannot be written: {problem}")
    if code is not None and code & 0xFF in _LOCKED:
        return StoreLocked(f"another program keeps the store {path} locked")
    return StoreGone(f"the store {path} cannot be used: {problem}")


def _connect(path: Path) -> sqlite3.Connection:
    # Autocommit: transactions begin and end with our own statements.
    db = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")  # every commit is synced
    return db


def _claim(path: Path) -> sqlite3.Connection:
    """Lock a store for this server until the returned connection is closed.

    The lock is one of the operating system: it ends with the process, however that ends.
    """
    claim = sqlite3.connect(
        f"{path}.server", timeout=0, isolation_level=None, check_same_thread=False
    )
    try:
        claim.execute("CREATE TABLE IF NOT EXISTS server (pid INTEGER)")
        claim.execute("DELETE FROM server")
        claim.execute("INSERT INTO server VALUES (?)", (os.getpid(),))
        claim.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as problem:
        if problem.sqlite_errorcode & 0xFF not in _LOCKED:
            raise
        holder = _holder(claim)
        claim.close()
        raise StoreInUse(
            f"another Ferrovia server{holder} uses the store {path}. One server at a time can use "
            "an SQLite store: stop the other one, or give this one its own with --store; any "
            "number of servers can share a PostgreSQL store."
        ) from None
    return claim


def _holder(claim: sqlite3.Connection) -> str:
    try:
        row = claim.execute("SELECT pid FROM server").fetchone()
    except sqlite3.Error:
        return ""
    return f" (process {row[0]})" if row else ""


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino
