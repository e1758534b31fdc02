"""The analyses of a server: requested by people, made one after the other, and kept.

Those of tables are kept in the store, next to the log: a new one leaves the older ones there. Those
of records that people send are kept in memory, since nothing that is sent is stored. All can be
made again from the record, so nothing depends on them.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal

import msgspec

from ferrovia.analysis.analysis_file import MOST, KeptAnalyses
from ferrovia.analysis.findings import Analysis
from ferrovia.server.analysis.worker import AnalysisTask
from ferrovia.server.logs import note
from ferrovia.server.processes.queue import FairQueue, QueueFull, Standing, Waiting
from ferrovia.server.refusals import Refusal
from ferrovia.server.store import Store, StoreError

_WAITING = 20  # games at most
_WAITING_OF_SITE = 3  # an address, or of IPv6 all networks of a house
_IN_MEMORY = 64  # records that were sent
_JOBS = 256  # that have failed, at most
_READ = msgspec.json.Decoder(Analysis).decode
_WRITE = msgspec.json.Encoder().encode

Analyst = Callable[[AnalysisTask, Callable[[int, int], None]], Awaitable[Analysis | None]]
"""Makes an analysis outside the server's process and reports how far it is; None if none can be
made.

Raises `OSError`, `TimeoutError`, `EOFError` or `msgspec.DecodeError` where that fails.
"""

Status = Literal["none", "waiting", "running", "ready", "failed"]


class AnalysisStatus(msgspec.Struct, frozen=True):
    """What is known of a game: how far its analysis is, and those that are kept, newest first."""

    status: Status
    done: int
    total: int
    kept: tuple[Analysis, ...]


class _Job:
    def __init__(self) -> None:
        self.status: Status = "waiting"
        self.done = 0
        self.total = 0

    def report(self, done: int, total: int) -> None:
        """Note how far it is."""
        self.done, self.total = done, total

    @property
    def ahead(self) -> bool:
        """Whether it is not done yet."""
        return self.status in ("waiting", "running")


class Analyses:
    """The analyses of a server. A game is that of a table, or a record that was sent, by its hash.
    Those of tables are kept in the store.
    """

    def __init__(self, store: Store, analyst: Analyst, worlds: int = 0) -> None:
        self._worlds = worlds
        self._store = store
        self._analyst = analyst
        self._jobs: OrderedDict[tuple[str | None, str], _Job] = OrderedDict()
        self._sent: OrderedDict[str, KeptAnalyses] = OrderedDict()
        self._queue = FairQueue(1, _WAITING, _WAITING_OF_SITE)
        self._tasks: set[asyncio.Task[None]] = set()

    async def find(self, table: str | None, record: str) -> AnalysisStatus:
        """Return what is known of the game of a table (None: of a record that was sent)."""
        game = (table, record)
        was_asked = game in self._jobs
        read = await self._read(table, record)
        if was_asked and game not in self._jobs:  # it was made while we read
            read = await self._read(table, record)
        kept = tuple(it for it in read.analyses if it.record == record)
        job = self._jobs.get(game)
        status: Status = "ready" if kept else "none"
        done = total = 0
        if job is not None and (job.ahead or not kept):
            status, done, total = job.status, job.done, job.total
        return AnalysisStatus(status, done, total, kept)

    async def shared(self, table: str) -> tuple[int, ...]:
        """Return the seats whose players have opened what is said about them."""
        try:
            return tuple(await asyncio.to_thread(self._store.shared_analyses, table))
        except StoreError as problem:
            raise Refusal(problem.code, "the store cannot be read") from problem

    async def share(self, table: str, seat: int, share: bool) -> None:
        """Open what is said about a seat to everybody at the table, or close it again."""
        try:
            await asyncio.to_thread(self._store.share_analysis, table, seat, share)
        except StoreError as problem:
            raise Refusal(problem.code, "nothing was changed; try again later") from problem

    async def ask(
        self, table: str | None, text: str, record: str, *, renew: bool, site: str = "?"
    ) -> None:
        """Have a record analysed, unless that is done or on its way; `renew`: once more. Sites take
        turns, tables come before records that were sent, and when too many wait, whoever asked for
        most gives way.
        """
        game = (table, record)
        known = await self._read(table, record)
        if known.newest(record) is not None and not renew:
            return
        if game in self._jobs and self._jobs[game].ahead:
            return
        standing = Standing(0 if table is not None else 1, site)
        try:
            waiting = self._queue.line_up(lambda: standing)
        except QueueFull:
            raise Refusal("too_fast", "too many analyses are waiting") from None
        seed = len(known.analyses).to_bytes(32, "big")  # another look is at other worlds
        self._jobs[game] = _Job()
        while len(self._jobs) > _JOBS:
            self._forget_a_failure()
        made = AnalysisTask(text.encode(), seed, self._worlds, sent=table is None)
        task = asyncio.create_task(self._make(game, made, waiting))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End what is being made."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _forget_a_failure(self) -> None:
        del self._jobs[next(game for game, job in self._jobs.items() if not job.ahead)]

    async def _make(
        self, game: tuple[str | None, str], task: AnalysisTask, waiting: Waiting
    ) -> None:
        job = self._jobs[game]
        table, record = game
        try:
            await self._queue.turn_of(waiting)
        except QueueFull:
            job.status = "failed"
            return
        began = asyncio.get_running_loop().time()
        try:
            job.status = "running"
            analysis = await self._analyst(task, job.report)
        except (OSError, TimeoutError, EOFError, msgspec.DecodeError) as problem:
            analysis = None
            note("analysis_failed", table=table, problem=type(problem).__name__)
        finally:
            self._queue.leave(waiting.address, asyncio.get_running_loop().time() - began)
        if analysis is None:
            job.status = "failed"
            return
        try:
            await self._keep(table, record, analysis)
        except StoreError as problem:
            job.status = "failed"
            note("analysis_not_kept", table=table, problem=str(problem))
            return
        del self._jobs[game]

    async def _read(self, table: str | None, record: str) -> KeptAnalyses:
        if table is None:
            if record in self._sent:
                self._sent.move_to_end(record)
            return self._sent.get(record, KeptAnalyses())
        try:
            bodies = await asyncio.to_thread(self._store.analyses, table)
        except StoreError as problem:
            raise Refusal(problem.code, "the store cannot be read") from problem
        found = []
        for body in bodies:
            with suppress(msgspec.DecodeError):  # of another version: it can be made again
                found.append(_READ(body))
        return KeptAnalyses(tuple(found))

    async def _keep(self, table: str | None, record: str, analysis: Analysis) -> None:
        if table is not None:
            body = _WRITE(analysis)
            await asyncio.to_thread(self._store.keep_analysis, table, body, MOST)
            return
        self._sent[record] = self._sent.get(record, KeptAnalyses()).with_newer(analysis)
        self._sent.move_to_end(record)
        while len(self._sent) > _IN_MEMORY:
            self._sent.popitem(last=False)
