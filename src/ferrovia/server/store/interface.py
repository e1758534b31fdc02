"""What the server asks of a store, and what can go wrong with one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol


class StoreError(Exception):
    """The store cannot do what was asked. Nothing that it had confirmed is lost.

    The message is for the people who run the server; players are told the `code`.
    """

    code: ClassVar[Literal["store_unavailable", "store_full", "store_locked"]] = "store_unavailable"


class StoreFull(StoreError):
    """There is no room left, or the disk refuses to be written."""

    code = "store_full"


class StoreLocked(StoreError):
    """Another program keeps the store locked."""

    code = "store_locked"


class StoreGone(StoreError):
    """The store cannot be reached or read any more."""


class StoreInUse(StoreError):
    """Another server uses this store, and it is not one that servers can share."""


class StoreNewer(StoreError):
    """The store was written by a newer version of Ferrovia."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What can be asked of a table without reading its log.

    `due` is when the server has to do something at this table by itself (None: people are
    awaited, without a clock); `card` is what the list of tables shows, as JSON.
    """

    status: str
    listed: bool
    changed: float
    due: float | None
    card: bytes


@dataclass(frozen=True, slots=True)
class Append:
    """Consecutive entries of one table's log, the first of them with this number.

    Without a summary the table's last one stays.
    """

    table: str
    number: int
    entries: tuple[bytes, ...]
    summary: Summary | None


@dataclass(frozen=True, slots=True)
class News:
    """What another server says. About a table: it has written to its log, or with `said` something
    that is not kept. About none: it is alive.
    """

    sender: str
    table: str
    said: str = ""


class Store(Protocol):
    """An append-only log for every table. Every method may be called from any thread.

    All methods raise `StoreError` when the store fails.
    """

    shared: bool
    """Whether other servers may write to it as well; then `heard` tells what they wrote."""

    def append(self, batch: Sequence[Append]) -> list[bool]:
        """Write each append whole, or not at all where its number is not the next one.

        When it returns, what it answers True for is synced to disk and survives anything. When
        it raises, nothing of the batch may be relied upon: read again.
        """

    def entries(self, table: str, after: int = 0) -> list[bytes]:
        """The entries of a table in order, from number `after + 1` on; none if there is none."""

    def listing(self, since: float, limit: int) -> list[bytes]:
        """The cards of listed tables that wait or run and changed since, newest first."""

    def due(self, before: float, limit: int) -> list[tuple[str, float]]:
        """Tables at which the server has to act before a time, the earliest first."""

    def announce(self, table: str, said: str) -> None:
        """Say something to the other servers that is not kept; see `News`."""

    def heard(self, timeout: float) -> list[News] | None:
        """Wait for news from other servers; None: some may have been missed."""

    def close(self) -> None:
        """Let go of the store; nothing is lost when this is never called."""
