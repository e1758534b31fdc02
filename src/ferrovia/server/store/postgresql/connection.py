"""Connections to PostgreSQL: opened when they are needed, and cut when no answer comes."""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from math import inf
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from ferrovia.server.store.interface import StoreError, StoreFull, StoreGone, StoreLocked

T = TypeVar("T")
Connection = psycopg.Connection[tuple[Any, ...]]

ANSWER_SECONDS = 4.0
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


class PersistentConnection:
    """A connection for one thread at a time, opened at its first use and again when it was lost.

    Nobody waits for it longer than an answer may take. When no answer came, or no connection could
    be made, everybody is refused at once for a moment: a database that does not answer must not
    keep a queue of threads waiting.
    """

    def __init__(self, url: str, me: str, *setup: str, seconds: float) -> None:
        self._given = {**_DEFAULTS, "application_name": f"ferrovia {me}", **conninfo_to_dict(url)}
        self._setup = setup
        self._seconds = seconds
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

    def use(self, work: Callable[[Connection], T], seconds: float | None = None) -> T:
        """Return what `work` returns; raises `StoreError`, also if that takes too long."""
        seconds = self._seconds if seconds is None else seconds
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
            self._refusing_until = now + _FAILED_SECONDS
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
            self._db.close()
            self._db = None


class Watch:
    """A thread that cuts connections whose answer is overdue."""

    def __init__(self, *lines: PersistentConnection) -> None:
        self._lines = lines
        self._stopped = threading.Event()
        threading.Thread(target=self._run, name="database watch", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.wait(ANSWER_SECONDS / 8):
            for line in self._lines:
                line.cut_if_overdue(time.monotonic())


def without_password(url: str) -> str:
    """Return the address of a database as people may read it."""
    try:
        at = conninfo_to_dict(url)
    except psycopg.Error:
        return "postgresql://…"
    host, port, name = at.get("host", "localhost"), at.get("port", 5432), at.get("dbname", "")
    return f"postgresql://{host}:{port}/{name}"


def _explain(problem: psycopg.Error) -> StoreError:
    """Return our error for theirs, without the URL: it may hold a password."""
    if isinstance(problem, errors.DiskFull | errors.OutOfMemory):
        return StoreFull(f"the PostgreSQL store is full: {problem}")
    if isinstance(problem, errors.LockNotAvailable | errors.DeadlockDetected):
        return StoreLocked(f"the PostgreSQL store is locked: {problem}")
    return StoreGone(f"the PostgreSQL store cannot be used: {problem}")
