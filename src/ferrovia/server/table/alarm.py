"""The alarm: runs a task for a table when something is due there."""

import asyncio
import heapq
import time
from collections.abc import Awaitable, Callable

from ferrovia.server.logs import note_failure
from ferrovia.server.refusals import Refusal

_FAILED_SECONDS = 5.0
_LONGEST_WAIT = 60.0  # seconds after which the time is checked again, whatever is due


class Alarm:
    """Calls `task` with the id of a table when its time has come, once at a time for each table.

    `task` returns the time of its next call, or None.
    """

    def __init__(
        self, task: Callable[[str], Awaitable[float | None]], now: Callable[[], float]
    ) -> None:
        self._task = task
        self._now = now
        self._times: dict[str, float] = {}
        self._heap: list[tuple[float, str]] = []
        self._running: dict[str, asyncio.Task[None]] = {}
        self._changed = asyncio.Event()
        self._failed: dict[str, float] = {}

    def set(self, table: str, due: float | None) -> None:
        """Set the time of the next call for a table; None: no call.

        A call that is running is not disturbed: what it returns replaces this time.
        """
        if due is None:
            self._times.pop(table, None)
        elif self._times.get(table) != due:
            self._times[table] = due
            heapq.heappush(self._heap, (due, table))
            self._changed.set()

    def add_missing(self, tables: list[tuple[str, float]]) -> None:
        """Set times from the store for tables that have none, are not running, and did not fail
        within the last minute.
        """
        quiet = time.monotonic() - 60
        for table, due in tables:
            if self.runs(table) or table in self._times:
                continue
            if self._failed.get(table, quiet - 1) < quiet:
                self.set(table, due)

    def runs(self, table: str) -> bool:
        """Return whether a call for a table is running at this moment."""
        return table in self._running

    async def run(self) -> None:
        """Make the calls when they are due, until cancelled."""
        while True:
            self._changed.clear()
            while self._heap and self._heap[0][0] <= self._now():
                due, table = heapq.heappop(self._heap)
                if self._times.get(table) != due:
                    continue  # it was set to another time
                if table in self._running:
                    continue  # `_call` sets the time again when it is done
                del self._times[table]
                self._running[table] = asyncio.create_task(self._call(table))
            wait = max(0.0, self._heap[0][0] - self._now()) if self._heap else None
            try:
                async with asyncio.timeout(None if wait is None else min(wait, _LONGEST_WAIT)):
                    await self._changed.wait()
            except TimeoutError:
                pass

    async def close(self) -> None:
        """Cancel the calls that are running, and wait for their end."""
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    async def _call(self, table: str) -> None:
        again: float | None = None
        try:
            again = await self._task(table)
            self._failed.pop(table, None)
        except Refusal as refusal:
            self._failed[table] = time.monotonic()
            if refusal.code not in ("unreadable_game", "no_such_table"):
                again = self._now() + _FAILED_SECONDS
        except Exception:
            self._failed[table] = time.monotonic()
            note_failure("attending_failed", table=table)
        finally:
            del self._running[table]
        # What was set meanwhile may be from before the last thing that this call has done.
        self._times.pop(table, None)
        self.set(table, again)
