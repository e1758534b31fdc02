"""Copies of whole stores, checked to the last entry: backup, restore, and a move to another kind.

Nothing is ever overwritten, and the store that is copied stays as it is.
"""

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from ferrovia.server.store import chain
from ferrovia.server.store.address import is_postgresql, open_archive, path_of
from ferrovia.server.store.interface import (
    SECRETS,
    Archive,
    Damage,
    Stored,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreGone,
    StoreInUse,
    StoreReport,
    TableSummary,
)
from ferrovia.server.store.maintenance.check import Progress, check
from ferrovia.server.store.sqlite.mark import mark_path
from ferrovia.server.store.sqlite.store import SqliteStore

A = TypeVar("A", bound=Archive)

_BATCH = 5000  # entries in one transaction

Mend = Callable[[str, Sequence[bytes]], TableSummary | None]
"""Returns the summary of a table whose log was cut; None if nothing can be made of it."""


@dataclass(slots=True)
class Copied:
    """What was copied, and of a damaged store what was cut off or left out."""

    report: StoreReport = field(default_factory=StoreReport)
    cut: list[Damage] = field(default_factory=list)
    dropped: list[Damage] = field(default_factory=list)


def backup(
    address: str | None, file: Path, progress: Progress = lambda _done, _all: None
) -> Copied:
    """Copy a store, while its servers use it, into one SQLite file that has passed its check."""
    with _new_file(file) as part:
        source = open_archive(address, "read")
        try:
            if isinstance(source, SqliteStore):
                for problem in source.problems():
                    raise StoreDamaged(None, None, f"the store {source.name}: {problem}")
                source.backup(part)
            else:
                with _opened(SqliteStore(part)) as target:
                    _copy(source, target, None, progress)
                _remove_companions(part)
        finally:
            source.close()
        return Copied(_require_sound(str(part), progress))


def restore(
    file: Path, address: str | None, progress: Progress = lambda _done, _all: None
) -> Copied:
    """Copy a backup, after its check, to where there is no store yet: its rows into a schema of
    ours, whatever else is in the file.
    """
    _require_sound(str(file), progress)
    return _copy_to(str(file), str(path_of(None)) if address is None else address, None, progress)


def move(
    source: str | None,
    target: str,
    mend: Mend | None,
    progress: Progress = lambda _done, _all: None,
) -> Copied:
    """Copy a store that no server uses to where there is none yet, in either kind.

    With `mend`, what is damaged is left out; without, damage is an error.
    """
    return _copy_to(source, target, mend, progress)


def _copy_to(source: str | None, target: str, mend: Mend | None, progress: Progress) -> Copied:
    with _opened(open_archive(source, "read")) as old:
        with _unused(old):
            if is_postgresql(target):
                with _opened(open_archive(target, "serve")) as new:
                    if new.tables():
                        raise StoreInUse(f"{new.name} has tables already: nothing is overwritten")
                    copied = _copy(old, new, mend, progress)
                    copied.report = check(new)
            else:
                with _new_file(path_of(target)) as part:
                    with _opened(SqliteStore(part)) as new:
                        copied = _copy(old, new, mend, progress)
                        copied.report = check(new)
                    _remove_companions(part)
        if not copied.report.ok:
            raise StoreDamaged(None, None, f"the copy in {target} did not pass its check")
    return copied


def _copy(source: Archive, target: Archive, mend: Mend | None, progress: Progress) -> Copied:
    """Copy all tables, as they are at the moment of the first query, and chain every entry."""
    copied = Copied()
    batch: list[tuple[Stored, list[chain.Row]]] = []
    size = 0
    tables = source.tables() if mend is None else _found(source)
    for done, stored in enumerate(tables, start=1):
        found = _taken(source, stored, mend, copied)
        if found is not None:
            batch.append(found)
            size += len(found[1])
        if size > _BATCH or done == len(tables):
            target.load(batch)
            for one, _ in batch:
                _copy_analyses(source, target, one.table, mend)
            batch, size = [], 0
        progress(done, len(tables))
    _copy_secrets(source, target, mend)
    return copied


def _copy_secrets(source: Archive, target: Archive, mend: Mend | None) -> None:
    """Copy the keys of the servers; from a damaged store, those that can be read."""
    for name in SECRETS:
        try:
            value = source.secret(name)
        except StoreError:
            if mend is None:
                raise
            continue
        if value is not None:
            target.keep_secret(name, value)


def _copy_analyses(source: Archive, target: Archive, table: str, mend: Mend | None) -> None:
    """Copy what is kept next to the log; from a damaged store, whatever can be read, since it can
    be made again.
    """
    try:
        bodies, seats = source.analyses(table), source.shared_analyses(table)
    except StoreError:
        if mend is None:
            raise
        return
    for body in reversed(bodies):
        target.keep_analysis(table, body, len(bodies))
    for seat in seats:
        target.share_analysis(table, seat, share=True)


def _found(source: Archive) -> list[Stored]:
    """Return the tables of a damaged store: those that can be read, and those that have a log."""
    found = {stored.table: stored for stored in source.tables(partial=True)}
    nothing = TableSummary("", False, 0.0, None, b"")
    lost = (table for table in source.logged(partial=True) if table not in found)
    return [*found.values(), *(Stored(table, nothing, 0, b"", bytes(1)) for table in lost)]


def _taken(
    source: Archive, stored: Stored, mend: Mend | None, copied: Copied
) -> tuple[Stored, list[chain.Row]] | None:
    """Return a table with its log as it is to be copied; None if it is left out."""
    table = stored.table
    rows: list[chain.Row] = []
    try:
        rows = source.rows(table, partial=mend is not None)
        if stored.number:
            rows = rows[: stored.number]  # what was written since belongs to the next copy
        head = chain.Head(stored.number, stored.head) if stored.head else None
        chain.verify(table, rows, head)
        if stored.seal:
            chain.verify_seal(stored)
        if not rows:
            raise StoreDamaged(table, None, "it has no log")
    except StoreDamaged as damaged:
        if mend is None:
            raise
        damage = Damage(table, damaged.number, damaged.problem)
        whole = rows if damaged.number is None else rows[: damaged.number - 1]
        summary = mend(table, [entry for entry, _ in whole]) if whole else None
        if summary is None:
            copied.dropped.append(damage)
            return None
        copied.cut.append(damage)
        rows, stored = whole, replace(stored, summary=summary, seal=b"")
    hash = chain.origin(table)
    chained: list[chain.Row] = []
    for entry, _ in rows:
        hash = chain.link(hash, entry)
        chained.append((entry, hash))
    return replace(stored, number=len(rows), head=hash), chained


def _require_sound(address: str, progress: Progress) -> StoreReport:
    with _opened(open_archive(address, "read")) as store:
        report = check(store, progress)
    if not report.ok:
        first = report.damages[0]
        raise StoreDamaged(first.table, first.number, f"{first.problem} (in {address})")
    return report


@contextmanager
def _opened(store: A) -> Iterator[A]:
    try:
        yield store
    finally:
        store.close()


@contextmanager
def _unused(store: Archive) -> Iterator[None]:
    """Keep servers out of a store for a while, or find out that one was there."""
    before = {stored.table: stored.number for stored in store.tables()}
    with store.hold():
        yield
        if before != {stored.table: stored.number for stored in store.tables()}:
            raise StoreInUse(f"the store {store.name} was written while it was copied")


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    """Let a file be written under another name, and give it its own when it is whole."""
    path = path.absolute()
    for file in (path, *_companions(path)):
        if file.exists():
            raise StoreInUse(f"{file} exists already, and nothing is overwritten")
    if not path.parent.is_dir():
        raise StoreGone(f"there is no folder {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise StoreGone(f"no permission to write to {path.parent}")
    part = path.with_name(f"{path.name}.part")
    _remove(part, *_companions(part))
    try:
        yield part
        with part.open("rb+") as whole:
            os.fsync(whole.fileno())
        part.rename(path)
    except StoreError:
        raise
    except OSError as problem:
        kind = StoreFull if problem.errno == errno.ENOSPC else StoreGone
        raise kind(f"{path} cannot be written: {problem.strerror or problem}") from problem
    finally:
        _remove(part, *_companions(part))


def _companions(path: Path) -> list[Path]:
    """Return what may lie beside a store; left over from another, SQLite would take it for ours."""
    return [
        *(Path(f"{path}{end}") for end in ("-wal", "-shm", "-journal", ".server")),
        mark_path(path),
    ]


def _remove_companions(path: Path) -> None:
    _remove(*_companions(path))


def _remove(*files: Path) -> None:
    for file in files:
        file.unlink(missing_ok=True)
