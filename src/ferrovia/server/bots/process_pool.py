"""The pool of processes in which bots decide, within a time limit."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

import msgspec

from ferrovia.server.bots.pool import BotChoice
from ferrovia.server.bots.question import BotAnswer, BotQuestion
from ferrovia.server.bots.queue import FairQueue, Standing
from ferrovia.server.logs import note
from ferrovia.server.processes.messages import HEAD, length_of, packed

_ANSWER = msgspec.msgpack.Decoder(BotAnswer)
_START_SECONDS = 30.0  # for a process to begin
_END_SECONDS = 1.5
_FOR_PROGRAMS = 0.8  # of the time, so that a program is ended before its worker is
_WORKER = (sys.executable, "-m", "ferrovia.server.bots.worker")


class _Worker:
    """One worker process, started at the first question and ended when it takes too long."""

    def __init__(self, program: Sequence[str], start_seconds: float) -> None:
        self._program = program
        self._start_seconds = start_seconds
        self._process: asyncio.subprocess.Process | None = None
        self._known: set[str] = set()

    def knows(self, bot: str) -> bool:
        """Return whether the process is running and has a bot loaded."""
        return self._process is not None and bot in self._known

    async def ask(self, question: BotQuestion, seconds: float) -> BotAnswer:
        process = await self._ready()
        assert process.stdin is not None
        if question.bot not in self._known:
            seconds = max(seconds, self._start_seconds)
        try:
            process.stdin.write(packed(question))
            await process.stdin.drain()
            answer = await asyncio.wait_for(_read(process), seconds)
        except BaseException:
            await self.end()  # a late answer must not be taken for the answer to the next question
            raise
        self._known.add(question.bot)
        return answer

    async def end(self) -> None:
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), _END_SECONDS)
            except TimeoutError:
                process.kill()
                await process.wait()

    async def _ready(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            pipe = asyncio.subprocess.PIPE
            # A group of its own: Ctrl-C at the terminal is for the server to handle.
            self._process = await asyncio.create_subprocess_exec(
                *self._program,
                stdin=pipe,
                stdout=pipe,
                start_new_session=hasattr(signal, "SIGKILL"),
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
            try:
                await asyncio.wait_for(_read(self._process), self._start_seconds)
            except BaseException:
                await self.end()
                raise
        return self._process


async def _read(process: asyncio.subprocess.Process) -> BotAnswer:
    assert process.stdout is not None
    head = await process.stdout.readexactly(HEAD)
    return _ANSWER.decode(await process.stdout.readexactly(length_of(head)))


class ProcessPool:
    """A few worker processes that answer questions in turn: the pool of a server (see pool.py).

    `seconds` is the time for an answer, `programs` are command lines by the name of a bot,
    `brought` are bots of the server's own people.
    """

    def __init__(
        self,
        workers: int,
        seconds: float,
        programs: Mapping[str, str] = {},
        brought: Collection[str] = (),
        program: Sequence[str] = _WORKER,
        start_seconds: float = _START_SECONDS,
    ) -> None:
        self._seconds = seconds
        self._programs = dict(programs)
        self._brought = frozenset(brought)
        self._workers = [_Worker(program, start_seconds) for _ in range(workers)]
        self._free = list(self._workers)
        self._queue = FairQueue(workers)
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many questions wait for a process."""
        return len(self._queue)

    async def ask(
        self, question: BotQuestion, standing: Callable[[], Standing] = Standing
    ) -> BotChoice:
        """Return what a bot chooses, when it is the turn of who asks (see queue.py)."""
        command = self._programs.get(question.bot)
        if command is not None:
            seconds = _FOR_PROGRAMS * self._seconds
            question = msgspec.structs.replace(question, program=command, seconds=seconds)
        elif question.bot in self._brought:
            question = msgspec.structs.replace(question, brought=True)
        time = asyncio.get_running_loop().time
        await self._queue.enter(standing)
        began = time()
        if self._closed:
            return BotChoice(None, began, 0.0)
        worker = self._free.pop()
        first = not worker.knows(question.bot)
        try:
            answer = await worker.ask(question, self._seconds)
        except (TimeoutError, EOFError, OSError, msgspec.DecodeError) as problem:
            answer = BotAnswer(problem=type(problem).__name__)
        finally:
            self._free.append(worker)
            self._queue.leave(standing().address, time() - began)
        if answer.problem:
            note("bot_failed", bot=question.bot, problem=answer.problem)
        action = None if answer.problem else answer.action
        return BotChoice(action, began, time() - began, first, answer.why)

    async def close(self) -> None:
        """End all processes; questions that still wait for one are answered with None."""
        self._closed = True
        self._queue.open_to_all()
        await asyncio.gather(*(worker.end() for worker in self._workers))
