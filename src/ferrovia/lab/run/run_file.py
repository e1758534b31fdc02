"""A run on disk: what is played, and every batch that was finished, in one SQLite file.

What was committed stays, whatever happens to the program or the machine; what was not is played
again. So a run can be stopped at any moment, and continued it gives what it would have given.
"""

import hashlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Self

import msgspec
import numpy as np

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
    """A run file that cannot be used, with the reason."""


class Series(msgspec.Struct, frozen=True):
    """A plan in a run file: the bots, one a seat, and where their games come from."""

    bots: tuple[str, ...]
    seed: int
    first: int


class Head(msgspec.Struct, frozen=True):
    """What is played: two runs with the same head and as many games have the same results."""

    kind: str
    version: str
    program: str
    edition: dict[str, Any]
    packs: dict[str, Any]
    series: tuple[Series, ...]
    statistics: tuple[str, ...]


def head_of(kind: str, plans: Sequence[Plan], accumulators: Sequence[Accumulator]) -> Head:
    """The head of a run of these plans, all of one edition."""
    edition = plans[0].edition
    return Head(
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
    """A short name for the exact text of everything that decides what happens in a game."""
    digest = hashlib.sha256()
    for package in ("ferrovia.rules", "ferrovia.bots"):
        folder = Path(str(import_module(package).__file__)).parent
        for path in sorted(folder.glob("**/*.py")):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


class RunFile:
    """An open run file. Another program may read it meanwhile, but not write it."""

    def __init__(self, path: Path, database: sqlite3.Connection, head: Head) -> None:
        self.path = path
        self.head = head
        self._database = database
        self._saved = time.monotonic()
        self._unsaved: list[Accumulator] = []

    @classmethod
    def begin(cls, path: Path, head: Head, games: Sequence[int]) -> Self:
        """A new run file of so many games of each plan; it must not be there yet."""
        with _trouble(path):
            if path.exists() and path.stat().st_size:
                raise RunFileError(f"{path} is there already")
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
    def resume(cls, path: Path, head: Head, games: Sequence[int]) -> Self:
        """A run file to continue, begun anew if it is not there; RunFileError if it is of
        another run, or has more games than are asked for now.
        """
        if not path.exists() or not path.stat().st_size:
            return cls.begin(path, head, games)
        file = cls.read(path)
        with _trouble(path):
            if (difference := _difference(file.head, head)) is not None:
                raise RunFileError(f"{path} cannot be continued: {difference}")
            for plan, asked in enumerate(games):
                if (there := file.asked(plan)) > asked:
                    raise RunFileError(f"{path} is a run of {there} games, not of {asked}")
            file._database.execute("BEGIN IMMEDIATE")
            file._database.executemany("REPLACE INTO games VALUES (?, ?)", enumerate(games))
            file._commit()
        return file

    @classmethod
    def read(cls, path: Path) -> Self:
        """A run file that is there."""
        with _trouble(path):
            if not path.is_file():
                raise RunFileError(f"there is no run file {path}")
            database = _opened(path, "rw")
            [(format,)] = database.execute("PRAGMA application_id")
            if format != _FORMAT:
                raise RunFileError(f"{path} is not a run file of ferrovia simulate or tournament")
            [(head,)] = database.execute("SELECT head FROM run")
            return cls(path, database, msgspec.json.decode(head, type=Head))

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        try:
            bare = edition_from_document(self.head.edition, name=str(self.path))
            return with_packs(bare, packs_from_header(self.head.packs, bare.board))
        except BoardError as problem:
            raise RunFileError(f"{self.path} is damaged: {problem}") from None

    def asked(self, plan: int) -> int:
        """The games of a plan that were asked for."""
        [(asked,)] = self._database.execute("SELECT asked FROM games WHERE plan = ?", (plan,))
        return int(asked)

    def done(self, plan: int) -> list[range]:
        """The games of a plan that are finished."""
        found = self._database.execute(
            "SELECT first, games FROM batches WHERE plan = ? ORDER BY first", (plan,)
        )
        return [range(first, first + games) for first, games in found]

    def add(self, batch: Batch, accumulators: Sequence[Accumulator]) -> None:
        """Keep a batch, and what the accumulators have counted together with it."""
        with _trouble(self.path):
            self._database.execute(
                "INSERT INTO batches VALUES (?, ?, ?, ?)",
                (batch.plan, batch.games.start, len(batch.games), batch.results.tobytes()),
            )
            self._unsaved = list(accumulators)
            if time.monotonic() - self._saved >= _PATIENCE:
                self._commit()

    def results(self, plan: int) -> Iterator[tuple[range, Results]]:
        """The finished games of a plan in their order, batch by batch."""
        with _trouble(self.path):
            for first, games, results in self._database.execute(
                "SELECT first, games, results FROM batches WHERE plan = ? ORDER BY first", (plan,)
            ):
                if len(results) != games * RESULT.itemsize:
                    raise RunFileError(f"{self.path} was written by another version")
                yield range(first, first + games), np.frombuffer(results, RESULT)

    def totals(self, statistic: str) -> Totals:
        """What an accumulator has counted."""
        with _trouble(self.path):
            found = self._database.execute(
                "SELECT sums FROM totals WHERE statistic = ?", (statistic,)
            ).fetchone()
            return _unpack(found[0]) if found else Totals()

    def close(self) -> None:
        """Save everything and let go of the file."""
        with _trouble(self.path):
            if self._database.in_transaction:
                self._commit()
                self._database.rollback()
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _commit(self) -> None:
        """Save what was added, and take the file for writing again."""
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
def _trouble(path: Path) -> Iterator[None]:
    """What SQLite says, in words for the person who named the file."""
    try:
        yield
    except sqlite3.OperationalError as problem:
        if "locked" in str(problem):
            raise RunFileError(f"{path} is being written by another program") from None
        raise RunFileError(f"{path}: {problem}") from None
    except (sqlite3.DatabaseError, msgspec.DecodeError, ValueError) as problem:
        raise RunFileError(f"{path} is not a run file, or damaged: {problem}") from None


def _difference(there: Head, asked: Head) -> str | None:
    """Why a run is not the one that is asked for; None if it is."""
    if there.kind != asked.kind:
        return f"it was begun with ferrovia {there.kind}"
    if (there.edition, there.packs) != (asked.edition, asked.packs):
        name = there.edition.get("edition", {}).get("name", "")
        return f"it is of another edition or another version of the board ({name})"
    if there.series != asked.series:
        one, other = there.series[0], asked.series[0]
        for field in Series.__struct_fields__:
            if getattr(one, field) != getattr(other, field):
                return f"its {field} are others" if field == "bots" else f"its {field} is another"
        return "its bots are others"
    if there.statistics != asked.statistics:
        return "it has other statistics"
    if (there.version, there.program) != (asked.version, asked.program):
        return "it was begun with another version of Ferrovia, whose games may differ"
    return None


def _pack(totals: Totals) -> bytes:
    return msgspec.msgpack.encode(
        {
            name: [list(np.shape(value)), np.asarray(value, "<i8").tobytes()]
            for name, value in totals.items()
        }
    )


def _unpack(packed: bytes) -> Totals:
    told = msgspec.msgpack.decode(packed, type=dict[str, tuple[tuple[int, ...], bytes]])
    arrays = {
        name: np.frombuffer(data, "<i8").reshape(shape) for name, (shape, data) in told.items()
    }
    return Totals({name: array if array.shape else int(array) for name, array in arrays.items()})
