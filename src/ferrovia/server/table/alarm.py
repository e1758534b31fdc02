"""Waking the attendant when something is due."""

import asyncio
import heapq
import time
from collections.abc import Awaitable, Callable

from ferrovia.server.logs import note_failure
from ferrovia.server.protocol.refusals import Refusal

_FAILED_SECONDS = 5.0


class Alarm:
    """Calls `attend` for a table when its time has come; for each table one call at a time.

    `attend` gives the time when to come again, or None.
    """

    def __init__(
        self, attend: Callable[[str], Awaitable[float | None]], now: Callable[[], float]
    ) -> None:
        self._attend = attend
        self._now = now
        self._times: dict[str, float] = {}
        self._heap: list[tuple[float, str]] = []
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._changed = asyncio.Event()
        self._failed: dict[str, float] = {}

    def set(self, table: str, due: float | None) -> None:
        """Come to a table at a time; None: no need to. While it is attended to, nothing is
        forgotten: it is looked at again afterwards.
        """
        if due is None:
            self._times.pop(table, None)
        elif self._times.get(table) != due:
            self._times[table] = due
            heapq.heappush(self._heap, (due, table))
            self._changed.set()

    def sweep(self, tables: list[tuple[str, float]]) -> None:
        """Come to tables that the store says are due, unless they are in hand or failed lately."""
        quiet = time.monotonic() - 60
        for table, due in tables:
            if self.attends(table) or table in self._times:
                continue
            if self._failed.get(table, quiet - 1) < quiet:
                self.set(table, due)

    def attends(self, table: str) -> bool:
        """Whether a table is attended to at this moment."""
        return table in self._tasks

    async def run(self) -> None:
        """Ring until cancelled."""
        while True:
            self._changed.clear()
            while self._heap and self._heap[0][0] <= self._now():
                due, table = heapq.heappop(self._heap)
                if self._times.get(table) != due:
                    continue  # it was set to another time
                if table in self._tasks:
                    continue  # `_call` looks at the time again when it is done
                del self._times[table]
                self._tasks[table] = asyncio.create_task(self._call(table))
            wait = max(0.0, self._heap[0][0] - self._now()) if self._heap else None
            try:
                async with asyncio.timeout(None if wait is None else min(wait, 60)):
                    await self._changed.wait()
            except TimeoutError:
                pass

    async def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _call(self, table: str) -> None:
        again: float | None = None
        try:
            again = await self._attend(table)
            self._failed.pop(table, None)
        except Refusal as refusal:
            self._failed[table] = time.monotonic()
            if refusal.code not in ("unreadable_game", "no_such_table"):
                again = self._now() + _FAILED_SECONDS
        except Exception:
            self._failed[table] = time.monotonic()
            note_failure("attending_failed", table=table)
        finally:
            del self._tasks[table]
        # What was set meanwhile may have been looked at while this was under way.
        self._times.pop(table, None)
        self.set(table, again)
