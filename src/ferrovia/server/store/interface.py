"""The interface of a store, its data, and its errors."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from ferrovia.errors import FerroviaError


class StoreError(FerroviaError):
    """The store cannot do what was requested. Nothing that it had confirmed is lost.

    The message is for the people who run the server; players get the `code`.
    """

    code: ClassVar[Literal["store_unavailable", "store_full", "store_locked"]] = "store_unavailable"


class StoreFull(StoreError):
    """The store is full, or its disk cannot be written."""

    code = "store_full"


class StoreLocked(StoreError):
    """Another program holds a lock on the store."""

    code = "store_locked"


class StoreGone(StoreError):
    """The store cannot be reached or read."""


class StoreInUse(StoreError):
    """Another server uses this store, which servers cannot share."""


class StoreNewer(StoreError):
    """The store was written by a newer version of Ferrovia."""


@dataclass(frozen=True, slots=True)
class Summary:
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
    summary: Summary | None


@dataclass(frozen=True, slots=True)
class News:
    """A notification from another server. With a table: it has written to its log, or it sends a
    `message` that is not stored. Without a table: a heartbeat.
    """

    sender: str
    table: str
    message: str = ""


class Store(Protocol):
    """An append-only log for every table. Every method may be called from any thread.

    All methods raise `StoreError` when the store fails.
    """

    shared: bool
    """Whether other servers may write to it as well; then `heard` returns their notifications."""

    def append(self, batch: Sequence[Append]) -> list[bool]:
        """Write each append entirely, or not at all if its number is not the next one; return
        which were written.

        Those are synced to disk when this returns. When it raises, any of the batch may or may not
        have been written: read again.
        """

    def entries(self, table: str, after: int = 0) -> list[bytes]:
        """Return the entries of a table in order, from number `after + 1` on."""

    def listing(self, since: float, limit: int) -> list[bytes]:
        """Return the cards of listed tables that are not over and changed since, newest first."""

    def due(self, before: float, limit: int) -> list[tuple[str, float]]:
        """Return the tables at which the server has to act before a time, the earliest first."""

    def time(self) -> float:
        """Return the time by the clock that all servers on this store share, since 1970."""

    def announce(self, table: str, message: str) -> None:
        """Send the other servers a message that is not stored; see `News`."""

    def heard(self, timeout: float) -> list[News] | None:
        """Wait for notifications and return them; None: some may have been missed."""

    def close(self) -> None:
        """Close the store; nothing is lost if this is never called."""
