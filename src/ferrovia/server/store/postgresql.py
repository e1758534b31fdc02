"""The store in PostgreSQL, for any number of servers on one database."""

import secrets
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

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

_ANSWER_SECONDS = 4.0
"""The time for an answer of the database. Its own timeouts help against slow statements, those of
TCP against a lost machine; against a database that is stopped, only a watch of our own does."""
_FAILED_SECONDS = 0.5  # in which, after a failure, everybody is refused at once
_DEFAULTS: dict[str, Any] = {
    "connect_timeout": 3,
    "tcp_user_timeout": 4000,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
_STATEMENT = "SET statement_timeout = '4s'"
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
        self._writer = _Line(
            url,
            "SET synchronous_commit = on",
            "SET lock_timeout = '3s'",
            "SET idle_in_transaction_session_timeout = '10s'",
            _STATEMENT,
        )
        self._reader = _Line(url, _STATEMENT)
        self._listener = _Line(url, f"LISTEN {_CHANNEL}")
        self._writer.use(lambda db: _migrate(db, steps), seconds=inf)
        self._watch = _Watch(self._writer, self._reader, self._listener)

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

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        query = """SELECT entry FROM ferrovia_log WHERE game = %s AND number > %s
            ORDER BY number LIMIT %s"""
        return self._reader.use(
            lambda db: [row[0] for row in db.execute(query, (table, after, limit))]
        )

    def listing(self, since: float, limit: int) -> list[bytes]:
        query = """SELECT card FROM ferrovia_tables
            WHERE listed AND status <> 'over' AND changed > %s ORDER BY changed DESC LIMIT %s"""
        return self._reader.use(lambda db: [row[0] for row in db.execute(query, (since, limit))])

    def due(self, before: float, limit: int) -> list[tuple[str, float]]:
        query = "SELECT game, due FROM ferrovia_tables WHERE due <= %s ORDER BY due LIMIT %s"
        return self._reader.use(
            lambda db: [(row[0], row[1]) for row in db.execute(query, (before, limit))]
        )

    def probe(self) -> None:
        self._writer.use(lambda db: db.execute("UPDATE ferrovia_schema SET version = version"))

    def announce(self, table: str, message: str) -> None:
        self._writer.use(lambda db: _notify(db, self._me, table, message))

    def heard(self, timeout: float) -> list[News] | None:
        fresh = self._listener.lost

        def listen(db: Connection) -> list[str]:
            return [news.payload for news in db.notifies(timeout=timeout, stop_after=1)]

        heard = [News(*payload.split(" ", 2)) for payload in self._listener.use(listen)]
        return None if fresh else [news for news in heard if news.sender != self._me]

    def close(self) -> None:
        self._watch.stop()
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
        db.execute("SET LOCAL statement_timeout = 0")  # a large store takes its time
        db.execute("SET LOCAL lock_timeout = 0")
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
    """A connection for one thread at a time, opened at the first use and after it was lost.

    Nobody waits for it longer than an answer may take, and after a failure everybody is refused at
    once for a moment: a database that does not answer must not keep a queue of threads waiting.
    """

    def __init__(self, url: str, *setup: str) -> None:
        self._given = {**_DEFAULTS, **conninfo_to_dict(url)}
        self._setup = setup
        self._lock = threading.Lock()
        self._db: Connection | None = None
        self._closed = False
        self._refusing_until = -inf
        self._cutting = threading.Lock()
        self._due = inf  # when the work that is being done has to be over

    @property
    def lost(self) -> bool:
        """Whether the next use opens a new connection."""
        return self._db is None

    def use(self, work: Callable[[Connection], T], seconds: float = _ANSWER_SECONDS) -> T:
        """Return what `work` returns; raises `StoreError`, also if it takes too many seconds."""
        if not self._lock.acquire(timeout=-1 if seconds == inf else seconds):
            raise StoreGone("the PostgreSQL store is busy and has not answered in time")
        try:
            if time.monotonic() < self._refusing_until:
                raise StoreGone("the PostgreSQL store has not answered a moment ago")
            try:
                with self._cutting:
                    self._due = time.monotonic() + seconds
                try:
                    return work(self._open())
                finally:
                    with self._cutting:
                        self._due = inf
            except psycopg.Error as problem:
                self._drop_if_broken()
                raise _explain(problem) from problem
        finally:
            self._lock.release()

    def cut_if_overdue(self, now: float) -> None:
        """Cut the connection if an answer is overdue; whoever waits for it gets an error."""
        with self._cutting:
            if now < self._due or self._db is None:
                return
            self._due = inf
            with (
                suppress(OSError, psycopg.Error),
                socket.fromfd(self._db.fileno(), socket.AF_INET, socket.SOCK_STREAM) as line,
            ):
                line.shutdown(socket.SHUT_RDWR)

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
            try:
                self._db = psycopg.connect(**self._given, autocommit=True)
                for statement in self._setup:
                    self._db.execute(statement.encode())
            except psycopg.Error:
                self._refusing_until = time.monotonic() + _FAILED_SECONDS
                db, self._db = self._db, None
                if db is not None:
                    db.close()
                raise
        return self._db

    def _drop_if_broken(self) -> None:
        if self._db is not None and (self._db.broken or self._db.closed):
            self._refusing_until = time.monotonic() + _FAILED_SECONDS
            self._db.close()
            self._db = None


class _Watch:
    """A thread that cuts connections whose answer is overdue."""

    def __init__(self, *lines: _Line) -> None:
        self._lines = lines
        self._stopped = threading.Event()
        threading.Thread(target=self._run, name="database watch", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.wait(_ANSWER_SECONDS / 8):
            for line in self._lines:
                line.cut_if_overdue(time.monotonic())


def _explain(problem: psycopg.Error) -> StoreError:
    """Return our error for theirs, without the URL: it may hold a password."""
    if isinstance(problem, errors.DiskFull | errors.OutOfMemory):
        return StoreFull(f"the PostgreSQL store is full: {problem}")
    if isinstance(problem, errors.LockNotAvailable | errors.DeadlockDetected):
        return StoreLocked(f"the PostgreSQL store is locked: {problem}")
    return StoreGone(f"the PostgreSQL store cannot be used: {problem}")
