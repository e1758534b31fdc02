"""The interface of a store, its data, and its errors."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Protocol

from ferrovia.errors import FerroviaError

Mode = Literal["serve", "write", "read"]
"""What a store is opened for: by a server, or by a tool, to change or only to read it."""


PUSH_KEY = "push"
"""The name of the key with which servers sign what they tell browsers."""

WORD_KEY = "word"
"""The name of the secret from which, with the word of the house, follows what browsers keep."""

SECRETS = (PUSH_KEY, WORD_KEY)


class StoreError(FerroviaError):
    """The store cannot do what was requested. Nothing that it had confirmed is lost.

    The message is for the people who run the server; players get the `code`.
    """

    code: ClassVar[
        Literal["store_unavailable", "store_full", "store_locked", "unreadable_game"]
    ] = "store_unavailable"


class StoreFull(StoreError):
    """The store is full, or its disk cannot be written."""

    code = "store_full"


class StoreLocked(StoreError):
    """Another program holds a lock on the store."""

    code = "store_locked"


class StoreGone(StoreError):
    """The store cannot be reached or read."""


class StoreInUse(StoreError):
    """Another server uses this store, which servers cannot share; `address` is its, if known."""

    def __init__(self, message: str, address: str | None = None) -> None:
        super().__init__(message)
        self.address = address


class StoreNewer(StoreError):
    """The store was written by a newer version of Ferrovia."""


class StoreDamaged(StoreError):
    """The store does not hold what was written to it: at an entry of a table's log, in the log as a
    whole (no `number`), or in the store itself (no `table`).
    """

    code = "unreadable_game"

    def __init__(self, table: str | None, number: int | None, problem: str) -> None:
        # Of a table's id only the beginning, by which nobody can find the table: logs have this.
        where = "" if table is None else f"the log of table {table[:6]}… is damaged"
        where += f" at entry {number}: " if number is not None else ": " if where else ""
        super().__init__(where + problem)
        self.table = table
        self.number = number
        self.problem = problem


@dataclass(frozen=True, slots=True)
class TableSummary:
    """What is stored of a table besides its log, to be queried.

    `due` is when the server has to act at this table itself (None: people are awaited, without a
    clock); `card` is the table's line in the list of tables, as JSON.
    """

    status: str
    listed: bool
    changed: float
    due: float | None
    card: bytes


@dataclass(frozen=True, slots=True)
class Append:
    """Consecutive entries for one table's log, the first of them with this number.

    Without a summary, the one that is stored stays.
    """

    table: str
    number: int
    entries: tuple[bytes, ...]
    summary: TableSummary | None


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification from another server. With a table: it has written to its log, or it sends a
    `message` that is not stored. Without a table: a heartbeat.
    """

    sender: str
    table: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table as it is stored, without its log: the number and hash of the last entry, and the
    seal of the summary.
    """

    table: str
    summary: TableSummary
    number: int
    head: bytes
    seal: bytes


@dataclass(frozen=True, slots=True)
class Damage:
    """Something that is not as it was written; `table` is None for the store itself."""

    table: str | None
    number: int | None
    problem: str


@dataclass(slots=True)
class StoreReport:
    """What a check of a whole store has found. `digest` is the same for the same contents, in both
    kinds of store.
    """

    tables: int = 0
    entries: int = 0
    digest: str = ""
    damages: list[Damage] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.damages

    @property
    def broken(self) -> Damage | None:
        """The first damage to the store itself, on which nothing should be written."""
        return next((damage for damage in self.damages if damage.table is None), None)


class Store(Protocol):
    """An append-only log for every table. Every method may be called from any thread.

    All methods raise `StoreError` when the store fails.
    """

    shared: bool
    """Whether other servers may write to it as well; then `heard` returns their notifications."""

    address: str
    """Where it is, as `open_store` takes it; it may hold a password."""

    report: StoreReport | None
    """What the check at the opening has found; None: it has not been checked."""

    def append(self, batch: Sequence[Append]) -> list[bool]:
        """Write each append entirely, or not at all if its number is not the next one; return
        which were written.

        Those are synced to disk when this returns. When it raises, any of the batch may or may not
        have been written: read again.
        """

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        """Return the entries of a table in order, from number `after + 1` on, `limit` at most.

        Raises `StoreDamaged` if they are not what was written.
        """

    def listing(self, since: float, limit: int) -> list[bytes]:
        """Return the cards of listed tables that are not over and changed since, newest first."""

    def cards(self, tables: Sequence[str]) -> list[bytes]:
        """Return the cards of those of these tables that are listed and not over."""

    def rooms(self, card: bytes) -> list[str]:
        """Return the tables that are not listed and not over and have this card, newest first."""

    def due(self, before: float, limit: int) -> list[tuple[str, float]]:
        """Return the tables at which the server has to act before a time, the earliest first."""

    def probe(self) -> None:
        """Make a write that changes nothing."""

    def time(self) -> float:
        """Return the time by the clock that all servers on this store share, since 1970."""

    def analyses(self, table: str) -> list[bytes]:
        """Return the analyses of a table, the newest first."""

    def keep_analysis(self, table: str, body: bytes, most: int) -> None:
        """Keep an analysis of a table as the newest; the `most` newest stay."""

    def shared_analyses(self, table: str) -> list[int]:
        """Return the seats of a table that have opened what is said about them."""

    def share_analysis(self, table: str, seat: int, share: bool) -> None:
        """Open what is said about a seat to the others, or close it again."""

    def secret(self, name: str) -> bytes | None:
        """Return what is kept under a name for all servers of this store; None: nothing yet."""

    def keep_secret(self, name: str, value: bytes) -> bytes:
        """Keep a value under a name that has none yet; return the one that is kept."""

    def announce(self, table: str, message: str) -> None:
        """Send the other servers a message that is not stored; see `Notification`."""

    def heard(
        self, timeout: float, wanted: Callable[[str], bool] = lambda _: True
    ) -> list[Notification] | None:
        """Return notifications; None: some may have been missed. A shared store waits for them, and
        keeps back that something was written to tables that are not wanted.
        """

    def publish_address(self, address: str) -> None:
        """Write where people reach this server, for another one that finds the store in use."""

    def close(self) -> None:
        """Close the store; nothing is lost if this is never called."""


class Journal(Protocol):
    """The way into a store for a running server: nothing is shown before it is written."""

    async def append(self, *appends: Append) -> list[bool]:
        """Write appends in one transaction; returns and raises as `Store.append`."""

    async def close(self) -> None:
        """Write all that was handed over; nothing is taken any more."""


Took = Callable[[float, int], None]
"""Called with the seconds and the number of appends of each transaction."""


class Archive(Store, Protocol):
    """A store with what the people who run a server do to it.

    `partial`: of files that are damaged, return what can be read instead of raising.
    """

    name: str
    """The path or the address, without a password."""

    def tables(self, *, partial: bool = False) -> list[Stored]:
        """Return all tables, without their logs."""

    def logged(self, *, partial: bool = False) -> list[str]:
        """Return the tables that have a log."""

    def rows(
        self,
        table: str,
        after: int = 0,
        limit: int | None = None,
        *,
        partial: bool = False,
    ) -> list[tuple[bytes, bytes]]:
        """Return the log of a table from number `after` on, with the hashes, unchecked."""

    def load(self, batch: Sequence[tuple[Stored, Sequence[tuple[bytes, bytes]]]]) -> None:
        """Write whole tables as another store has them; there must be none of these ids."""

    def remove(self, tables: Sequence[tuple[str, int]]) -> list[str]:
        """Delete tables that still have this number of entries, with their analyses; return which
        were deleted.
        """

    def problems(self) -> list[str]:
        """Return what the database itself finds wrong with its files."""

    def size(self) -> int:
        """Return how many bytes the store takes."""

    def hold(self) -> AbstractContextManager[object]:
        """Keep servers out while a block runs; raises `StoreInUse` if one uses the store."""
