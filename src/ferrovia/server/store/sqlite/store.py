"""The store in an SQLite file: the default, for one server."""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from ferrovia.server.store import chain, migrations
from ferrovia.server.store.interface import (
    Append,
    Mode,
    Notification,
    Stored,
    StoreDamaged,
    StoreGone,
    StoreReport,
    TableSummary,
)
from ferrovia.server.store.sqlite.appends import Appends, write_log, write_tables
from ferrovia.server.store.sqlite.file import (
    address_file,
    claim,
    connect,
    connect_to_read,
    explain,
    foreign_objects,
    identity,
    require_file,
    version_of,
)
from ferrovia.server.store.sqlite.mark import Confirmed, Mark, mark_path, read_mark

T = TypeVar("T")

# By the primary key from game to game: a scan would read every entry.
_LOGGED = """WITH RECURSIVE found (game) AS (SELECT min(game) FROM log UNION ALL
    SELECT (SELECT min(game) FROM log WHERE log.game > found.game) FROM found
        WHERE found.game IS NOT NULL)
    SELECT game FROM found WHERE game IS NOT NULL"""


class SqliteStore:
    """A file with write-ahead log, synced at every commit; one connection writes, one reads.

    To `serve`, the store is claimed, and created or migrated. Tools open one that exists, also
    beside its server: to `write`, or only to `read`.
    """

    shared = False
    report: StoreReport | None = None

    def __init__(
        self,
        path: str | os.PathLike[str],
        steps: migrations.Migrations = migrations.SQLITE,
        *,
        mode: Mode = "serve",
    ) -> None:
        self.path = Path(path).absolute()
        self.name = self.address = str(self.path)
        self._writing, self._reading = threading.Lock(), threading.Lock()
        self._claim: sqlite3.Connection | None = None
        self._mark: Mark | None = None
        self._appends: Appends | None = None
        self._steps = steps
        self._data_version = 0
        with self._explained():
            if mode == "serve":
                self._open_to_serve(steps)
            else:
                self._open_for_tools(steps, mode)

    def _open_to_serve(self, steps: migrations.Migrations) -> None:
        if self.path.is_dir():
            raise StoreGone(f"the store {self.path} is a folder: name a file in it")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        existed = self.path.exists()
        self._claim = claim(self.path)
        try:
            if existed:
                version_of(self.path)  # what is not ours stays as it is
            self._writer = connect(self.path)
            self._migrate(steps)
            self._reader = connect(self.path)
            for problem in self._foreign_objects():
                raise StoreDamaged(
                    None,
                    None,
                    f"the store {self.path} is not one that Ferrovia made: {problem}. Nothing was "
                    "changed. ferrovia store move --salvage takes only its rows into a new one",
                )
            self._file = identity(self.path)
            self._mark = Mark(self.path)
            if existed:
                self._require_confirmed(self._mark.read())
        except BaseException:
            self._claim.close()
            raise

    def _open_for_tools(self, steps: migrations.Migrations, mode: Mode) -> None:
        require_file(self.path, mode)
        found = version_of(self.path)
        if found == 0:
            raise StoreGone(f"{self.path} is empty, not a Ferrovia store")
        if migrations.missing(f"the store {self.path}", found, steps) and mode == "write":
            SqliteStore(self.path, steps).close()
        self._reader = connect_to_read(self.path)
        self._writer = connect(self.path) if mode == "write" else self._reader
        self._file = identity(self.path)

    def _require_confirmed(self, confirmed: Confirmed | None) -> None:
        """Check that the store has the last entry that it had confirmed."""
        if confirmed is not None and not self._has(confirmed):
            raise StoreDamaged(
                None,
                None,
                f"the store {self.path} has lost what it had confirmed: {_missing(confirmed)}. "
                "Nothing was changed. Restore a backup (ferrovia store restore), keep what is left "
                "(ferrovia store move --salvage), or, if the older copy is meant, delete "
                f"{mark_path(self.path)}",
            )

    def _has(self, confirmed: Confirmed) -> bool:
        query = "SELECT chain FROM log WHERE game = ? AND number = ?"
        return self._read(query, confirmed[:2]) == [(confirmed.hash,)]

    def append(self, batch: Sequence[Append]) -> list[bool]:
        with self._writing, self._explained():
            self._require_file()
            if self._appends is None:
                self._appends = Appends(self._writer)
            written, last = self._appends.write(batch)
        if last is not None and self._mark is not None:
            self._mark.write(last)
        return written

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        # The head first: what is written meanwhile is beyond it.
        head = self._head(table) if after == 0 and limit is None else None
        rows = self.rows(table, after, None if limit is None else limit + (after > 0))
        return chain.verified_entries(table, after, rows, head)

    def rows(
        self, table: str, after: int = 0, limit: int | None = None, *, partial: bool = False
    ) -> list[chain.Row]:
        query = """SELECT entry, chain FROM log WHERE game = ? AND number >= ?
            ORDER BY number LIMIT ?"""
        most = -1 if limit is None else limit
        return self._read(query, (table, after, most), partial=partial)

    def _head(self, table: str) -> chain.Head | None:
        rows = self._read("SELECT number, head FROM tables WHERE game = ?", (table,))
        return chain.Head(*rows[0]) if rows else None

    def listing(self, since: float, limit: int) -> list[bytes]:
        query = """SELECT CAST(card AS BLOB) FROM tables
            WHERE listed AND status <> 'over' AND changed > ? ORDER BY changed DESC LIMIT ?"""
        return [card for (card,) in self._read(query, (since, limit))]

    def cards(self, tables: Sequence[str]) -> list[bytes]:
        places = ", ".join("?" * len(tables))
        query = f"""SELECT CAST(card AS BLOB) FROM tables
            WHERE game IN ({places}) AND listed AND status <> 'over'"""
        return [card for (card,) in self._read(query, tables)]

    def rooms(self, card: bytes) -> list[str]:
        query = """SELECT game FROM tables
            WHERE NOT listed AND status <> 'over' AND card <> x'' AND card = ?
            ORDER BY changed DESC LIMIT 2"""
        return [table for (table,) in self._read(query, (card,))]

    def due(self, before: float, limit: int) -> list[tuple[str, float]]:
        query = "SELECT game, due FROM tables WHERE due <= ? ORDER BY due LIMIT ?"
        return self._read(query, (before, limit))

    def time(self) -> float:
        return time.time()

    def probe(self) -> None:
        def write(db: sqlite3.Connection) -> None:
            (version,) = db.execute("PRAGMA user_version").fetchone()
            db.execute(f"PRAGMA user_version = {version}")  # the same, but it is written

        self._write(write)

    def analyses(self, table: str) -> list[bytes]:
        query = "SELECT body FROM analyses WHERE game = ? ORDER BY id DESC"
        return [body for (body,) in self._read(query, (table,))]

    def keep_analysis(self, table: str, body: bytes, most: int) -> None:
        def write(db: sqlite3.Connection) -> None:
            db.execute("INSERT INTO analyses (game, body) VALUES (?, ?)", (table, body))
            db.execute(
                """DELETE FROM analyses WHERE game = ?1 AND id NOT IN
                    (SELECT id FROM analyses WHERE game = ?1 ORDER BY id DESC LIMIT ?2)""",
                (table, most),
            )

        self._write(write)

    def shared_analyses(self, table: str) -> list[int]:
        query = "SELECT seat FROM shared_analyses WHERE game = ? ORDER BY seat"
        return [seat for (seat,) in self._read(query, (table,))]

    def share_analysis(self, table: str, seat: int, share: bool) -> None:
        query = (
            "INSERT OR IGNORE INTO shared_analyses (game, seat) VALUES (?, ?)"
            if share
            else "DELETE FROM shared_analyses WHERE game = ? AND seat = ?"
        )
        self._write(lambda db: db.execute(query, (table, seat)))

    def secret(self, name: str) -> bytes | None:
        if not self._read("SELECT 1 FROM sqlite_schema WHERE name = 'secrets'"):
            return None  # a tool reads an older store as it is
        rows = self._read("SELECT value FROM secrets WHERE name = ?", (name,))
        return rows[0][0] if rows else None

    def keep_secret(self, name: str, value: bytes) -> bytes:
        query = "INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)"
        self._write(lambda db: db.execute(query, (name, value)))
        return self.secret(name) or value

    def announce(self, table: str, message: str) -> None:
        pass

    def heard(
        self, timeout: float, wanted: Callable[[str], bool] = lambda _: True
    ) -> list[Notification] | None:
        # It changes with what other connections write: the tools of whoever runs the server.
        with self._writing, self._explained():
            [version] = self._writer.execute("PRAGMA data_version").fetchone()
        before, self._data_version = self._data_version, version
        return [] if version == before else None

    def publish_address(self, address: str) -> None:
        with self._explained():
            address_file(self.path).write_text(f"{os.getpid()} {address}\n", encoding="utf-8")

    def close(self) -> None:
        with self._writing, self._reading:
            if self._claim is not None:
                with suppress(OSError):
                    address_file(self.path).unlink(missing_ok=True)
            for open in (self._reader, self._writer, self._mark, self._claim):
                if open is not None:
                    open.close()

    # For the people who run a server.

    def tables(self, *, partial: bool = False) -> list[Stored]:
        query = "SELECT game, status, listed, changed, due, card, number, head, seal FROM tables"
        found = self._read(f"{query} ORDER BY game", partial=partial)
        if partial:  # what lies behind the damage is reached from the other end
            known = {game for game, *_ in found}
            behind = self._read(f"{query} ORDER BY game DESC", partial=True)
            found += [row for row in behind if row[0] not in known]
        return [
            Stored(game, TableSummary(status, bool(listed), changed, due, card), *hashed)
            for game, status, listed, changed, due, card, *hashed in found
        ]

    def logged(self, *, partial: bool = False) -> list[str]:
        if not partial:
            return [game for (game,) in self._read(_LOGGED)]
        query = "SELECT DISTINCT game FROM log ORDER BY game"
        ways = (query, f"{query} DESC")
        found = (game for way in ways for (game,) in self._read(way, partial=True))
        return list(dict.fromkeys(found))

    def load(self, batch: Sequence[tuple[Stored, Sequence[chain.Row]]]) -> None:
        def write(db: sqlite3.Connection) -> None:
            for stored, rows in batch:
                write_log(db, stored.table, rows)
                write_tables(db, [stored])

        self._write(write)

    def remove(self, tables: Sequence[tuple[str, int]]) -> list[str]:
        def write(db: sqlite3.Connection) -> list[str]:
            removed = []
            for table, number in tables:
                query = "DELETE FROM tables WHERE game = ? AND number = ?"
                if db.execute(query, (table, number)).rowcount:
                    for of in ("log", "analyses", "shared_analyses"):
                        db.execute(f"DELETE FROM {of} WHERE game = ?", (table,))
                    removed.append(table)
            return removed

        removed = self._write(write)
        self._forget_mark_of(removed)
        return removed

    def _forget_mark_of(self, removed: Sequence[str]) -> None:
        """Let the mark name nothing if it names an entry that was deleted on purpose."""
        if not mark_path(self.path).exists():
            return
        mark = Mark(self.path)
        confirmed = mark.read()
        if confirmed is not None and confirmed.table in removed:
            mark.write(None)
        mark.close()

    def problems(self) -> list[str]:
        # The mark before the log: what is confirmed meanwhile is in the log as well.
        confirmed = self._confirmed()
        found = [str(line) for (line,) in self._read("PRAGMA integrity_check")]
        problems = [] if found == ["ok"] else found
        problems += self._foreign_objects()
        if confirmed is not None and not self._has(confirmed):
            problems.append(f"it has lost what it had confirmed: {_missing(confirmed)}")
        return problems

    def _foreign_objects(self) -> list[str]:
        with self._reading, self._explained():
            return foreign_objects(self._reader, self._steps)

    def _confirmed(self) -> Confirmed | None:
        return read_mark(self.path) if mark_path(self.path).exists() else None

    def size(self) -> int:
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def hold(self) -> AbstractContextManager[object]:
        with self._explained():
            return closing(claim(self.path))

    def backup(self, target: Path) -> None:
        """Copy the store as it is at one moment into a new file, while others may write to it."""
        copy = sqlite3.connect(target, isolation_level=None)
        try:
            with self._reading:
                self._reader.backup(copy)  # in one step: no writer can make it begin again
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without companions
        except sqlite3.Error as problem:
            raise explain(target, problem) from problem
        finally:
            copy.close()

    def _read(self, query: str, values: Sequence[Any] = (), *, partial: bool = False) -> list[Any]:
        with self._reading, self._explained():
            if not partial:
                return self._reader.execute(query, values).fetchall()
            found: list[Any] = []
            with suppress(sqlite3.DatabaseError):
                found.extend(self._reader.execute(query, values))  # keeps what came before
            return found

    def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do work in one transaction, which is synced when this returns."""
        with self._writing, self._explained():
            self._require_file()
            db = self._writer
            db.execute("BEGIN IMMEDIATE")
            try:
                done = work(db)
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            return done

    def _require_file(self) -> None:
        """Check that the file is still the one that was opened; raises `StoreGone`."""
        if identity(self.path) != self._file:
            raise StoreGone(f"the store {self.path} was moved or deleted while in use")

    def _migrate(self, steps: migrations.Migrations) -> None:
        db = self._writer
        (version,) = db.execute("PRAGMA user_version").fetchone()
        for number, statements in migrations.missing(f"the store {self.path}", version, steps):
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
            raise explain(self.path, problem) from problem
        except UnicodeDecodeError as problem:
            raise StoreDamaged(
                None, None, f"the store {self.path} is damaged: {problem.object!r} is no text"
            ) from problem
        except OSError as problem:
            reason = f"{problem.strerror}: {problem.filename}" if problem.filename else problem
            raise StoreGone(f"the store {self.path} cannot be used: {reason}") from problem


def _missing(confirmed: Confirmed) -> str:
    return (
        f"entry {confirmed.number} of table {confirmed.table[:6]}… is missing; its write-ahead log "
        "was cut, damaged or deleted, or an older copy was put in its place"
    )
