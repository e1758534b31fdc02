"""A run on disk: what is played, and every batch that was finished, in one SQLite file.

What was committed stays, whatever happens to the program or the machine; what was not is played
again. So a run can be stopped at any moment; when it is continued, its results are those of a run
that was not stopped.
"""

import hashlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, Self

import msgspec

from ferrovia import __version__
from ferrovia.boards import (
    BoardError,
    Edition,
    edition_from_document,
    packs_from_header,
    packs_header,
    with_packs,
)
from ferrovia.errors import FerroviaError
from ferrovia.lab.accumulators import Accumulator, Totals
from ferrovia.lab.results import RESULT, Results
from ferrovia.lab.run.batches import Batch
from ferrovia.lab.run.plan import Plan

SUFFIX = ".run"
_FORMAT = 0x46525256  # "FRRV", the application id of the file
_PATIENCE = 1.0  # seconds of games that a power cut may cost

_TABLES = """
CREATE TABLE run (head BLOB);
CREATE TABLE games (plan INTEGER PRIMARY KEY, asked INTEGER);
CREATE TABLE batches (plan INTEGER, first INTEGER, games INTEGER, results BLOB,
    PRIMARY KEY (plan, first));
CREATE TABLE totals (statistic TEXT PRIMARY KEY, sums BLOB);
"""


class RunFileError(FerroviaError):
    """A run file cannot be used; the message is the reason."""


class Series(msgspec.Struct, frozen=True):
    """A plan in a run file: the bots, one a seat, and where their games come from."""

    bots: tuple[str, ...]
    seed: int
    first: int


class RunHead(msgspec.Struct, frozen=True):
    """What is played: two runs with the same head and as many games have the same results."""

    kind: str
    version: str
    program: str
    edition: dict[str, Any]
    packs: dict[str, Any]
    series: tuple[Series, ...]
    statistics: tuple[str, ...]


def head_of(kind: str, plans: Sequence[Plan], accumulators: Sequence[Accumulator]) -> RunHead:
    """Return the head of a run of these plans, all of one edition."""
    edition = plans[0].edition
    return RunHead(
        kind,
        __version__,
        _program(),
        edition.document(),
        packs_header(edition.packs),
        tuple(Series(plan.bots, plan.seed, plan.first) for plan in plans),
        tuple(accumulator.id for accumulator in accumulators),
    )


@cache
def _program() -> str:
    """Return a hash of the source of everything that decides what happens in a game."""
    digest = hashlib.sha256()
    for package in ("ferrovia.rules", "ferrovia.bots"):
        folder = Path(str(import_module(package).__file__)).parent
        for path in sorted(folder.glob("**/*.py")):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


class RunFile:
    """An open run file. Another process may read it meanwhile, but not write it."""

    def __init__(self, path: Path, database: sqlite3.Connection, head: RunHead) -> None:
        self.path = path
        self.head = head
        self.unproved = False
        """Whether another version has played the games in it, which may differ from ours."""
        self._database = database
        self._saved = time.monotonic()
        self._unsaved: list[Accumulator] = []

    @classmethod
    def begin(cls, path: Path, head: RunHead, games: Sequence[int]) -> Self:
        """Create a run file for a number of games of each plan; it must not exist yet."""
        with _database_errors(path):
            if path.exists() and path.stat().st_size:
                raise RunFileError(f"{path} exists already")
            database = _opened(path, "rwc")
            database.execute(f"PRAGMA application_id = {_FORMAT}")
            database.execute("BEGIN IMMEDIATE")
            for statement in _TABLES.split(";")[:-1]:
                database.execute(statement)
            database.execute("INSERT INTO run VALUES (?)", (msgspec.json.encode(head),))
            database.executemany("INSERT INTO games VALUES (?, ?)", enumerate(games))
            file = cls(path, database, head)
            file._commit()
        return file

    @classmethod
    def resume(cls, path: Path, head: RunHead, games: Sequence[int]) -> Self:
        """Open a run file to continue it, or create it; RunFileError if it is of another run, or
        has more games than are asked for now.

        Nothing is written before the next batch is added or the file is closed.
        """
        if not path.exists() or not path.stat().st_size:
            return cls.begin(path, head, games)
        file = cls.read(path)
        with _database_errors(path):
            if (difference := _difference(file.head, head)) is not None:
                raise RunFileError(f"{path} cannot be continued: {difference}")
            for plan, asked in enumerate(games):
                if (there := file.asked(plan)) > asked:
                    raise RunFileError(f"{path} is a run of {there} games, not of {asked}")
            file._database.execute("BEGIN IMMEDIATE")
            file._database.executemany("REPLACE INTO games VALUES (?, ?)", enumerate(games))
            file._take_over(head)
        return file

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open an existing run file."""
        with _database_errors(path):
            if not path.is_file():
                raise RunFileError(f"there is no run file {path}")
            database = _opened(path, "rw")
            [(format,)] = database.execute("PRAGMA application_id")
            if format != _FORMAT:
                raise RunFileError(f"{path} is not a run file of ferrovia simulate or tournament")
            [(packed,)] = database.execute("SELECT head FROM run")
            return cls(path, database, msgspec.json.decode(packed, type=RunHead))

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        try:
            bare = edition_from_document(self.head.edition, name=str(self.path))
            return with_packs(bare, packs_from_header(self.head.packs, bare.board))
        except BoardError as problem:
            raise RunFileError(f"{self.path} is damaged: {problem}") from None

    def asked(self, plan: int) -> int:
        """Return the number of games of a plan that were asked for."""
        [(asked,)] = self._database.execute("SELECT asked FROM games WHERE plan = ?", (plan,))
        return int(asked)

    def done(self, plan: int) -> list[range]:
        """Return the games of a plan that are finished."""
        found = self._database.execute(
            "SELECT first, games FROM batches WHERE plan = ? ORDER BY first", (plan,)
        )
        return [range(first, first + games) for first, games in found]

    def add(self, batch: Batch, accumulators: Sequence[Accumulator]) -> None:
        """Keep a batch, and with it what the accumulators have counted."""
        with _database_errors(self.path):
            self._database.execute(
                "INSERT INTO batches VALUES (?, ?, ?, ?)",
                (batch.plan, batch.games.start, len(batch.games), batch.results.tobytes()),
            )
            self._unsaved = list(accumulators)
            if time.monotonic() - self._saved >= _PATIENCE:
                self._commit()

    def results(self, plan: int) -> Iterator[tuple[range, Results]]:
        """Yield the finished games of a plan in their order, batch by batch."""
        with _database_errors(self.path):
            for first, games, results in self._database.execute(
                "SELECT first, games, results FROM batches WHERE plan = ? ORDER BY first", (plan,)
            ):
                if len(results) != games * RESULT.size:
                    raise RunFileError(f"{self.path} was written by another version")
                yield range(first, first + games), Results(results)

    def totals(self, statistic: str) -> Totals:
        """Return what an accumulator has counted."""
        with _database_errors(self.path):
            kept = "SELECT sums FROM totals WHERE statistic = ?"
            for (sums,) in self._database.execute(kept, (statistic,)):
                return _unpack(sums)
            return Totals()

    def refuse(self, reason: str) -> NoReturn:
        """Raise RunFileError for a run that cannot be continued, and leave the file as it was."""
        self._database.rollback()
        raise RunFileError(f"{self.path} cannot be continued: {reason}")

    def close(self) -> None:
        """Save everything and close the file."""
        with _database_errors(self.path):
            if self._database.in_transaction:
                self._commit()
                self._database.rollback()
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take_over(self, head: RunHead) -> None:
        """Replace the head by that of this version."""
        there = self.head.version, self.head.program
        self.unproved = there != (head.version, head.program)
        self.head = head
        self._database.execute("UPDATE run SET head = ?", (msgspec.json.encode(head),))

    def _commit(self) -> None:
        """Save what was added, and lock the file for writing again."""
        for accumulator in self._unsaved:
            self._database.execute(
                "REPLACE INTO totals VALUES (?, ?)", (accumulator.id, _pack(accumulator.totals))
            )
        self._unsaved = []
        self._database.execute("COMMIT")
        self._database.execute("BEGIN IMMEDIATE")
        self._saved = time.monotonic()


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, timeout=1.0, isolation_level=None, uri=True)


@contextmanager
def _database_errors(path: Path) -> Iterator[None]:
    """Raise RunFileError, in words for the person who named the file, for errors of SQLite."""
    try:
        yield
    except sqlite3.OperationalError as problem:
        if "locked" in str(problem):
            raise RunFileError(f"{path} is being written by another process") from None
        raise RunFileError(f"{path}: {problem}") from None
    except (sqlite3.DatabaseError, msgspec.DecodeError, ValueError) as problem:
        raise RunFileError(f"{path} is not a run file, or is damaged: {problem}") from None


def _difference(there: RunHead, asked: RunHead) -> str | None:
    """Return why a run is not the one that is asked for; None if it is."""
    if there.kind != asked.kind:
        return f"it was begun with ferrovia {there.kind}"
    if (there.edition, there.packs) != (asked.edition, asked.packs):
        name = there.edition.get("edition", {}).get("name", "")
        return f"it is of another edition or another version of the board ({name})"
    if there.series != asked.series:
        one, other = there.series[0], asked.series[0]
        if one.bots == other.bots and one.seed != other.seed:
            return f"its seed is {one.seed}"
        if one.bots == other.bots and one.first != other.first:
            return f"its first game is number {one.first}"
        return "its bots are different"
    if there.statistics != asked.statistics:
        return "it has other statistics"
    return None


def _pack(totals: Totals) -> bytes:
    return msgspec.msgpack.encode({name: _packed(value) for name, value in totals.items()})


def _packed(value: Any) -> tuple[list[int], bytes]:
    """Return the shape of a total and its numbers."""
    if isinstance(value, int):
        return [], value.to_bytes(8, "little", signed=True)
    return list(value.shape), value.astype("<i8").tobytes()


def _unpack(packed: bytes) -> Totals:
    found = msgspec.msgpack.decode(packed, type=dict[str, tuple[tuple[int, ...], bytes]])
    return Totals({name: _unpacked(shape, data) for name, (shape, data) in found.items()})


def _unpacked(shape: tuple[int, ...], data: bytes) -> Any:
    if not shape:
        return int.from_bytes(data, "little", signed=True)
    import numpy as np

    return np.frombuffer(data, "<i8").reshape(shape)
