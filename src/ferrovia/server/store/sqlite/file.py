"""The file of an SQLite store: opening it, claiming it for one server, and what can go wrong."""

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from ferrovia.server.store.interface import (
    Mode,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreGone,
    StoreInUse,
    StoreLocked,
)
from ferrovia.server.store.migrations import Migrations, known

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


def explain(path: Path, problem: sqlite3.Error) -> StoreError:
    """Return our error for one of SQLite."""
    code = getattr(problem, "sqlite_errorcode", None)
    if code in _FULL or code in _UNWRITABLE:
        return StoreFull(f"no room for the store {path}, or its disk cannot be written: {problem}")
    if code is None:
        return StoreGone(f"the store {path} cannot be used: {problem}")
    if code & 0xFF in _LOCKED:
        return StoreLocked(f"another program keeps the store {path} locked")
    if code & 0xFF == sqlite3.SQLITE_CORRUPT:
        return StoreDamaged(None, None, f"the store {path} is damaged: {problem}")
    if code & 0xFF == sqlite3.SQLITE_NOTADB:
        return StoreGone(f"{path} is not a Ferrovia store, or its first page is damaged: {problem}")
    return StoreGone(f"the store {path} cannot be used: {problem}")


def connect(path: Path) -> sqlite3.Connection:
    """Open a store to write and read, and create it if there is none."""
    db = _open(str(path))
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")  # every commit is synced
    # 16 MiB: a page that is written again and again is copied into the file once.
    db.execute("PRAGMA wal_autocheckpoint = 4000")
    return db


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a store for reading only, even on a medium that cannot be written to."""
    unwritable = not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists()
    return _open(f"file:{quote(str(path))}?mode=ro" + ("&immutable=1" if unwritable else ""))


def _open(name: str) -> sqlite3.Connection:
    db = sqlite3.connect(
        name,
        uri=name.startswith("file:"),
        timeout=_BUSY_SECONDS,
        isolation_level=None,  # transactions begin and end with our own statements
        check_same_thread=False,
    )
    db.text_factory = lambda text: text.decode(errors="replace")  # what is damaged can be read
    return db


def require_file(path: Path, mode: Mode) -> None:
    """Check that there is a file that may be opened; raises `StoreGone` with what to do."""
    if not path.exists():
        raise StoreGone(f"there is no store {path}; ferrovia play and ferrovia serve begin one")
    if not path.is_file():
        raise StoreGone(f"{path} is not a file")
    if not os.access(path, os.R_OK | (os.W_OK if mode == "write" else 0)):
        raise StoreGone(f"no permission to {mode} the store {path}")


def version_of(path: Path) -> int:
    """Return the version of the store in a file, 0 if it is empty; raises `StoreGone` if it is
    something else.
    """
    db = connect_to_read(path)
    try:
        objects = dict(db.execute("SELECT name, type FROM sqlite_schema").fetchall())
        (version,) = db.execute("PRAGMA user_version").fetchone()
    finally:
        db.close()
    # A view under the name of a table may have no end.
    if objects and not objects.get("log") == objects.get("tables") == "table":
        raise StoreGone(f"{path} is a database of another program, not a Ferrovia store")
    return int(version)


def foreign_objects(db: sqlite3.Connection, steps: Migrations) -> list[str]:
    """Return what a store has in its schema beyond or instead of what our versions put there, as
    a trigger that a stranger has added to a backup; and what it lacks of that.
    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    with closing(sqlite3.connect(":memory:")) as ours:
        for _, statements in known(version, steps):
            for statement in statements:
                ours.execute(statement)
        wanted, found = _objects(ours), _objects(db)
    strange = [f"it has {kind} {name}, which is not ours" for kind, name, _ in found - wanted]
    missing = [f"its {kind} {name} is not as we made it" for kind, name, _ in wanted - found]
    return sorted(strange) + sorted(missing)


def _objects(db: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Return kind, name and definition of everything in a schema.

    A table is defined by its columns, whether they came at once or one after the other, and by the
    clauses that say what becomes of a row: with ON CONFLICT IGNORE a move is lost in silence.
    """
    found = db.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    return {
        (kind, name, _table(db, name, sql) if kind == "table" else " ".join(sql.split()))
        for kind, name, sql in found
    }


_CLAUSE = re.compile(r"check|collate|conflict|generated|references|strict|unique|without", re.I)


def _table(db: sqlite3.Connection, table: str, sql: str) -> str:
    columns = db.execute(
        "SELECT name, type, dflt_value, pk, hidden FROM pragma_table_xinfo(?)", (table,)
    )
    clauses = sorted(clause.lower() for clause in _CLAUSE.findall(sql))
    return repr((columns.fetchall(), clauses))


def claim(path: Path) -> sqlite3.Connection:
    """Lock a store for this server until the returned connection is closed.

    The lock is one of the operating system: it ends with the process, however that ends.
    """
    held = sqlite3.connect(
        f"{path}.server", timeout=0, isolation_level=None, check_same_thread=False
    )
    try:
        held.execute("CREATE TABLE IF NOT EXISTS server (pid INTEGER)")
        held.execute("DELETE FROM server")
        held.execute("INSERT INTO server VALUES (?)", (os.getpid(),))
        held.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as problem:
        if problem.sqlite_errorcode & 0xFF not in _LOCKED:
            raise
        process = _holder(held)
        held.close()
        address = _address_of(path, process)
        known = [f"process {process}"] if process else []
        holder = ", ".join(known + ([address] if address else []))
        raise StoreInUse(
            f"another Ferrovia server{f' ({holder})' if holder else ''} uses the store {path}. "
            "One server at a time can use an SQLite store: stop the other one, or give this one "
            "its own with --store; any number of servers can share a PostgreSQL store.",
            address,
        ) from None
    return held


def _holder(held: sqlite3.Connection) -> int | None:
    """Return the process that has locked a store, if it has written its number."""
    try:
        row = held.execute("SELECT pid FROM server").fetchone()
    except sqlite3.Error:
        return None
    return row[0] if row else None


def address_file(path: Path) -> Path:
    """Return the file in which the server that uses a store publishes its process and address."""
    return Path(f"{path}.address")


def _address_of(path: Path, process: int | None) -> str | None:
    """Return the address that this process has published for a store; None if it has not."""
    try:
        written = address_file(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    by, _, address = written.strip().partition(" ")
    return address if address and by == str(process) else None


def identity(path: Path) -> tuple[int, int]:
    """Return what tells the file at a path from another that takes its place."""
    found = os.stat(path)
    return found.st_dev, found.st_ino
