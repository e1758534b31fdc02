"""The desk: takes requests for analyses, has them made one after the other, and keeps them.

They are kept in a folder, a file for each table; without a folder in memory. All can be made again
from the record, so nothing depends on them.
"""

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal
from weakref import WeakValueDictionary

import msgspec

from ferrovia.analysis.findings import Analysis
from ferrovia.analysis.kept import MAX_BYTES, AnalysisError, Kept, decode_kept, encode_kept
from ferrovia.server.analysis.worker import HEAD, News, Task, packed
from ferrovia.server.logs import note
from ferrovia.server.protocol.refusals import Refusal

_WORKER = (sys.executable, "-m", "ferrovia.server.analysis.worker")
_SECONDS = 600.0  # without a word, and the process is ended
_WAITING = 20  # tables at most
_OF_ADDRESS = 4  # of one address
_IN_MEMORY = 64
_NEWS = msgspec.msgpack.Decoder(News)

Status = Literal["none", "waiting", "running", "ready", "failed"]


class _Job:
    def __init__(self, address: str) -> None:
        self.address = address
        self.status: Status = "waiting"
        self.done = 0
        self.total = 0


class _File(msgspec.Struct, frozen=True):
    """What is kept of a table: its analyses, and which seats have opened theirs to the others."""

    kept: Kept = Kept()
    shared: tuple[int, ...] = ()


class Desk:
    """The analyses of a server's tables. `folder`: where they are kept; None: in memory."""

    def __init__(
        self, folder: Path | None, program: Sequence[str] = _WORKER, worlds: int = 0
    ) -> None:
        self._worlds = worlds
        self._folder = folder
        self._program = program
        self._jobs: dict[str, _Job] = {}
        self._memory: OrderedDict[str, _File] = OrderedDict()
        self._turn = asyncio.Semaphore(1)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()

    def status(self, table: str, record: str) -> tuple[Status, int, int]:
        """Return how far the analysis of a record is: its state, games played, of how many."""
        job = self._jobs.get(table)
        if job is not None:
            return job.status, job.done, job.total
        ready = self._read(table).kept.newest(record) is not None
        return ("ready" if ready else "none"), 0, 0

    def newest(self, table: str, record: str) -> Analysis | None:
        """Return the newest analysis of a table's record."""
        return self._read(table).kept.newest(record)

    def older(self, table: str) -> int:
        """Return how many earlier analyses are kept."""
        return max(0, len(self._read(table).kept.analyses) - 1)

    def shared(self, table: str) -> tuple[int, ...]:
        """Return the seats whose players have opened what is said about them."""
        return self._read(table).shared

    def share(self, table: str, seat: int, share: bool) -> None:
        """Open what is said about a seat to everybody at the table, or close it again."""
        file = self._read(table)
        seats = {*file.shared, seat} if share else set(file.shared) - {seat}
        self._write(table, msgspec.structs.replace(file, shared=tuple(sorted(seats))))

    def ask(
        self, table: str, text: str, record: str, renew: bool = False, address: str = "?"
    ) -> None:
        """Have a record analysed, unless that is done or on its way; `renew`: once more. Addresses
        take turns: who asks for many waits for their own.
        """
        job = self._jobs.get(table)
        if job is not None and job.status in ("waiting", "running"):
            return
        known = self._read(table).kept
        if known.newest(record) is not None and not renew:
            return
        waiting = [it for it in self._jobs.values() if it.status in ("waiting", "running")]
        if sum(it.address == address for it in waiting) >= _OF_ADDRESS:
            raise Refusal("too_fast", "too many analyses of yours are waiting")
        if len(waiting) >= _WAITING:
            raise Refusal("too_fast", "too many analyses are waiting")
        seed = len(known.analyses).to_bytes(32, "big")  # another look is at other worlds
        self._jobs[table] = _Job(address)
        task = asyncio.create_task(self._make(table, Task(text.encode(), seed, self._worlds)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End what is being made."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _make(self, table: str, task: Task) -> None:
        job = self._jobs[table]
        own = self._turns.setdefault(job.address, asyncio.Lock())
        async with own, self._turn:
            job.status = "running"
            try:
                analysis = await self._in_process(job, task)
            except (OSError, TimeoutError, EOFError, msgspec.DecodeError) as problem:
                analysis = None
                note("analysis_failed", table=table, problem=type(problem).__name__)
        if analysis is None:
            job.status = "failed"
            return
        file = self._read(table)
        self._write(table, msgspec.structs.replace(file, kept=file.kept.with_newer(analysis)))
        del self._jobs[table]

    async def _in_process(self, job: _Job, task: Task) -> Analysis | None:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *self._program, stdin=pipe, stdout=pipe, start_new_session=True
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(packed(task))
            await process.stdin.drain()
            while True:
                async with asyncio.timeout(_SECONDS):
                    (length,) = HEAD.unpack(await process.stdout.readexactly(HEAD.size))
                    news = _NEWS.decode(await process.stdout.readexactly(length))
                if news.analysis is not None or news.problem:
                    return news.analysis
                job.done, job.total = news.done, news.total
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
            await process.wait()

    def _read(self, table: str) -> _File:
        if table in self._memory:
            self._memory.move_to_end(table)
            return self._memory[table]
        file = _File()
        if self._folder is not None:
            try:
                data = self._place(table).read_bytes()
                head, _, body = data[:MAX_BYTES].partition(b"\n")
                file = _File(
                    decode_kept(body, table), msgspec.json.decode(head, type=tuple[int, ...])
                )
            except (OSError, AnalysisError, msgspec.DecodeError):
                pass  # it can be made again
        self._remember(table, file)
        return file

    def _write(self, table: str, file: _File) -> None:
        self._remember(table, file)
        if self._folder is None:
            return
        place = self._place(table)
        new = place.with_suffix(".new")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            new.write_bytes(msgspec.json.encode(file.shared) + b"\n" + encode_kept(file.kept))
            new.replace(place)
        except OSError as problem:
            note("analysis_not_kept", table=table, problem=type(problem).__name__)

    def _remember(self, table: str, file: _File) -> None:
        self._memory[table] = file
        self._memory.move_to_end(table)
        while len(self._memory) > _IN_MEMORY:
            self._memory.popitem(last=False)

    def _place(self, table: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{table}.analysis"
