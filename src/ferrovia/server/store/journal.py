"""The journal: one thread that writes to the store, many tables in one transaction."""

import asyncio
import queue
import threading
import time

from ferrovia.server.store.interface import Append, Store, StoreGone, Took

_MOST = 256  # appends in one transaction
_PACE = 0.005  # seconds from one transaction to the next
_LONGEST_SECONDS = 10.0  # after which the outcome of a write is unknown

_Job = tuple[tuple[Append, ...], "asyncio.Future[list[bool]]"]


class ThreadJournal:
    """A journal that writes in a thread; what comes during a sync goes into the next transaction.

    A sync costs much more than what is written, so a busy journal waits a little between two
    transactions; the first one after a rest never waits. `took` is called with the seconds and the
    number of appends of each transaction.
    """

    def __init__(self, store: Store, took: Took = lambda _seconds, _count: None) -> None:
        self._store = store
        self._took = took
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._unanswered: dict[asyncio.Future[list[bool]], float] = {}  # since when, oldest first
        self._timer: asyncio.TimerHandle | None = None  # one for all of them
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    async def append(self, *appends: Append) -> list[bool]:
        """Write appends in one transaction; returns and raises as `Store.append`."""
        if self._closed:
            raise StoreGone("the server is closing")
        future: asyncio.Future[list[bool]] = self._loop.create_future()
        self._jobs.put((appends, future))
        self._unanswered[future] = self._loop.time()
        if self._timer is None:
            self._timer = self._loop.call_later(_LONGEST_SECONDS, self._give_up)
        # What was handed over will be written, even if the caller is cancelled or waits no longer.
        try:
            return await future
        finally:
            self._unanswered.pop(future, None)

    async def close(self) -> None:
        """Write all that was handed over, and end the thread."""
        self._closed = True
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _give_up(self) -> None:
        """Wait no longer for writes that take too long."""
        self._timer = None
        for future, since in list(self._unanswered.items()):
            if self._loop.time() < since + _LONGEST_SECONDS:
                self._timer = self._loop.call_at(since + _LONGEST_SECONDS, self._give_up)
                return
            if not future.done():
                future.set_exception(
                    StoreGone(f"the store has not answered within {_LONGEST_SECONDS:g} seconds")
                )

    def _run(self) -> None:
        rested = 0.0
        while (job := self._jobs.get()) is not None:
            time.sleep(max(0.0, rested - time.monotonic()))
            jobs = [job]
            last = False
            while len(jobs) < _MOST and not self._jobs.empty():
                more = self._jobs.get()
                if more is None:
                    last = True
                    break
                jobs.append(more)
            begun = time.monotonic()
            self._write(jobs)
            rested = begun + _PACE
            if last:
                return

    def _write(self, jobs: list[_Job]) -> None:
        started = self._loop.time()
        batch = [append for appends, _ in jobs for append in appends]
        try:
            written = self._store.append(batch)
        except Exception as problem:
            self._settle([(future, problem) for _, future in jobs])
            return
        self._took(self._loop.time() - started, len(batch))
        answers: list[tuple[asyncio.Future[list[bool]], list[bool] | Exception]] = []
        at = 0
        for appends, future in jobs:
            answers.append((future, written[at : at + len(appends)]))
            at += len(appends)
        self._settle(answers)

    def _settle(
        self, answers: list[tuple["asyncio.Future[list[bool]]", list[bool] | Exception]]
    ) -> None:
        def settle() -> None:
            for future, answer in answers:
                if future.done():  # cancelled, or given up
                    continue
                if isinstance(answer, Exception):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)

        self._loop.call_soon_threadsafe(settle)
