"""The store in PostgreSQL, for any number of servers on one database."""

import secrets
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import psycopg
from psycopg import errors

from ferrovia.server.store import migrations
from ferrovia.server.store.interface import (
    Append,
    News,
    StoreError,
    StoreFull,
    StoreGone,
    StoreLocked,
    StoreNewer,
)

T = TypeVar("T")
Connection = psycopg.Connection[tuple[Any, ...]]

_CHANNEL = "ferrovia"
_MIGRATING = 0x0FE440  # the advisory lock for migrations

_APPEND = """INSERT INTO ferrovia_log (game, number, entry) SELECT %(game)s, %(number)s, %(entry)s
    WHERE (SELECT coalesce(max(number), 0) FROM ferrovia_log WHERE game = %(game)s)
        = %(number)s - 1
    ON CONFLICT DO NOTHING"""
_SUMMARIZE = """INSERT INTO ferrovia_tables (game, status, listed, changed, due, card)
    VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (game) DO UPDATE SET
        status = excluded.status, listed = excluded.listed, changed = excluded.changed,
        due = excluded.due, card = excluded.card"""


class PostgresqlStore:
    """One connection to write, one to read and one to listen; each is reopened when it is lost."""

    shared = True

    def __init__(self, url: str, steps: migrations.Migrations = migrations.POSTGRESQL) -> None:
        self._me = secrets.token_hex(8)
        self._writer = _Line(url, "SET synchronous_commit = on", "SET lock_timeout = '5s'")
        self._reader = _Line(url)
        self._listener = _Line(url, f"LISTEN {_CHANNEL}")
        self._writer.use(lambda db: _migrate(db, steps))

    def append(self, batch: Sequence[Append]) -> list[bool]:
        # Always in the same order, so that two servers cannot deadlock.
        order = sorted(range(len(batch)), key=lambda place: batch[place].table)

        def write(db: Connection) -> list[bool]:
            written = [False] * len(batch)
            with db.transaction():
                for place in order:
                    written[place] = _append(db, batch[place], self._me)
            return written

        return self._writer.use(write)

    def entries(self, table: str, after: int = 0) -> list[bytes]:
        query = "SELECT entry FROM ferrovia_log WHERE game = %s AND number > %s ORDER BY number"
        return self._reader.use(lambda db: [row[0] for row in db.execute(query, (table, after))])

    def listing(self, since: float, limit: int) -> list[bytes]:
        query = """SELECT card FROM ferrovia_tables
            WHERE listed AND status <> 'over' AND changed > %s ORDER BY changed DESC LIMIT %s"""
        return self._reader.use(lambda db: [row[0] for row in db.execute(query, (since, limit))])

    def due(self, before: float, limit: int) -> list[tuple[str, float]]:
        query = "SELECT game, due FROM ferrovia_tables WHERE due <= %s ORDER BY due LIMIT %s"
        return self._reader.use(
            lambda db: [(row[0], row[1]) for row in db.execute(query, (before, limit))]
        )

    def time(self) -> float:
        query = "SELECT extract(epoch FROM clock_timestamp())::double precision"
        rows = self._reader.use(lambda db: db.execute(query.encode()).fetchall())
        return float(rows[0][0])

    def announce(self, table: str, message: str) -> None:
        self._writer.use(lambda db: _notify(db, self._me, table, message))

    def heard(self, timeout: float) -> list[News] | None:
        fresh = self._listener.lost

        def listen(db: Connection) -> list[str]:
            return [news.payload for news in db.notifies(timeout=timeout, stop_after=1)]

        heard = [News(*payload.split(" ", 2)) for payload in self._listener.use(listen)]
        return None if fresh else [news for news in heard if news.sender != self._me]

    def close(self) -> None:
        for line in (self._listener, self._reader, self._writer):
            line.close()


def _append(db: Connection, append: Append, me: str) -> bool:
    for number, entry in enumerate(append.entries, start=append.number):
        row = {"game": append.table, "number": number, "entry": entry}
        if db.execute(_APPEND, row).rowcount == 0:
            return False  # the first one: after it, all others are the next in turn
    summary = append.summary
    if summary is not None:
        fields = (summary.status, summary.listed, summary.changed, summary.due, summary.card)
        db.execute(_SUMMARIZE, (append.table, *fields))
    _notify(db, me, append.table)
    return True


def _notify(db: Connection, me: str, table: str, message: str = "") -> None:
    db.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, f"{me} {table} {message}"))


def _migrate(db: Connection, steps: migrations.Migrations) -> None:
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
        db.execute("CREATE TABLE IF NOT EXISTS ferrovia_schema (version integer NOT NULL)")
        row = db.execute("SELECT max(version) FROM ferrovia_schema").fetchone()
        version = row[0] if row and row[0] is not None else 0
        if version > len(steps):
            raise StoreNewer(migrations.too_new("the PostgreSQL store", version, len(steps)))
        for number, statements in enumerate(steps[version:], start=version + 1):
            for statement in statements:
                db.execute(statement.encode())
            db.execute("INSERT INTO ferrovia_schema VALUES (%s)", (number,))


class _Line:
    """A connection for one thread at a time, opened at the first use and after it was lost."""

    def __init__(self, url: str, *setup: str) -> None:
        self._url = url
        self._setup = setup
        self._lock = threading.Lock()
        self._db: Connection | None = None
        self._closed = False

    @property
    def lost(self) -> bool:
        """Whether the next use opens a new connection."""
        return self._db is None

    def use(self, work: Callable[[Connection], T]) -> T:
        with self._lock:
            try:
                return work(self._open())
            except psycopg.Error as problem:
                self._drop_if_broken()
                raise _explain(problem) from problem

    def close(self) -> None:
        """Close the connection; a thread that waits on it stops waiting."""
        self._closed = True
        db = self._db
        if db is not None:
            db.close()

    def _open(self) -> Connection:
        if self._closed:
            raise StoreGone("the store is closed")
        if self._db is not None and self._db.closed:
            self._db = None
        if self._db is None:
            self._db = psycopg.connect(self._url, autocommit=True, connect_timeout=5)
            for statement in self._setup:
                self._db.execute(statement.encode())
        return self._db

    def _drop_if_broken(self) -> None:
        if self._db is not None and (self._db.broken or self._db.closed):
            self._db.close()
            self._db = None


def _explain(problem: psycopg.Error) -> StoreError:
    """Return our error for theirs, without the URL: it may hold a password."""
    if isinstance(problem, errors.DiskFull | errors.OutOfMemory):
        return StoreFull(f"the PostgreSQL store is full: {problem}")
    if isinstance(problem, errors.LockNotAvailable | errors.DeadlockDetected):
        return StoreLocked(f"the PostgreSQL store is locked: {problem}")
    return StoreGone(f"the PostgreSQL store cannot be used: {problem}")
