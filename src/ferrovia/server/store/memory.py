"""A store in memory: for one process, and for as long as that lasts."""

import time
from collections.abc import Callable, Sequence

from ferrovia.server.store.interface import (
    Append,
    Notification,
    Store,
    StoreReport,
    TableSummary,
    Took,
)


class MemoryStore:
    """Keeps the logs of tables in memory. Nothing is synced, and nobody else writes to it."""

    shared = False
    address = "memory"

    def __init__(self) -> None:
        self.report: StoreReport | None = StoreReport()
        self._logs: dict[str, list[bytes]] = {}
        self._summaries: dict[str, TableSummary] = {}
        self._analyses: dict[str, list[bytes]] = {}
        self._open_seats: dict[str, set[int]] = {}
        self._secrets: dict[str, bytes] = {}

    def append(self, batch: Sequence[Append]) -> list[bool]:
        return [self._append(append) for append in batch]

    def _append(self, append: Append) -> bool:
        log = self._logs.setdefault(append.table, [])
        if append.number != len(log) + 1:
            return False
        log.extend(append.entries)
        if append.summary is not None:
            self._summaries[append.table] = append.summary
        return True

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        return self._logs.get(table, [])[after:][:limit]

    def listing(self, since: float, limit: int) -> list[bytes]:
        found = [one for one in self._lasting() if one[1].listed and one[1].changed > since]
        return [summary.card for _, summary in found[:limit]]

    def cards(self, tables: Sequence[str]) -> list[bytes]:
        found = [(table, it) for table, it in self._lasting() if it.listed]
        return [summary.card for table, summary in found if table in tables]

    def rooms(self, card: bytes) -> list[str]:
        found = self._lasting()
        return [table for table, it in found if not it.listed and it.card == card]

    def _lasting(self) -> list[tuple[str, TableSummary]]:
        """Return the tables that are not over, newest first."""
        found = [one for one in self._summaries.items() if one[1].status != "over"]
        return sorted(found, key=lambda one: -one[1].changed)

    def due(self, before: float, limit: int) -> list[tuple[str, float]]:
        dues = [(table, it.due) for table, it in self._summaries.items() if it.due is not None]
        return sorted((it for it in dues if it[1] <= before), key=lambda it: it[1])[:limit]

    def probe(self) -> None:
        pass

    def time(self) -> float:
        return time.time()

    def analyses(self, table: str) -> list[bytes]:
        return self._analyses.get(table, [])[::-1]

    def keep_analysis(self, table: str, body: bytes, most: int) -> None:
        self._analyses[table] = [*self._analyses.get(table, []), body][-most:]

    def shared_analyses(self, table: str) -> list[int]:
        return sorted(self._open_seats.get(table, ()))

    def share_analysis(self, table: str, seat: int, share: bool) -> None:
        seats = self._open_seats.setdefault(table, set())
        (seats.add if share else seats.discard)(seat)

    def secret(self, name: str) -> bytes | None:
        return self._secrets.get(name)

    def keep_secret(self, name: str, value: bytes) -> bytes:
        return self._secrets.setdefault(name, value)

    def announce(self, table: str, message: str) -> None:
        pass

    def heard(
        self, timeout: float, wanted: Callable[[str], bool] = lambda _: True
    ) -> list[Notification] | None:
        return []

    def publish_address(self, address: str) -> None:
        pass

    def close(self) -> None:
        pass


class DirectJournal:
    """A journal that writes at once, for a store that has nothing to wait for."""

    def __init__(self, store: Store, took: Took = lambda _seconds, _count: None) -> None:
        self._store = store
        self._took = took

    async def append(self, *appends: Append) -> list[bool]:
        written = self._store.append(appends)
        self._took(0.0, len(appends))
        return written

    async def close(self) -> None:
        pass
