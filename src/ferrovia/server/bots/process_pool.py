"""The pool of processes in which bots decide, within a time limit."""

import asyncio
import sys
from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec

from ferrovia.server.bots.pool import BotChoice
from ferrovia.server.bots.question import BotAnswer, BotQuestion
from ferrovia.server.logs import note
from ferrovia.server.processes.child import Resident
from ferrovia.server.processes.queue import FairQueue, Standing

_ANSWER = msgspec.msgpack.Decoder(BotAnswer)
_START_SECONDS = 30.0  # for a process to begin
_FOR_PROGRAMS = 0.8  # of the time, so that a program is ended before its worker is
_WORKER = (sys.executable, "-m", "ferrovia.server.bots.worker")


class _Worker:
    """One worker process, and the bots that it has loaded."""

    def __init__(self, program: Sequence[str], start_seconds: float) -> None:
        self._process = Resident(program, start_seconds)
        self._start_seconds = start_seconds
        self._known: set[str] = set()

    def knows(self, bot: str) -> bool:
        """Return whether the process is running and has a bot loaded."""
        return self._process.running and bot in self._known

    async def ask(self, question: BotQuestion, seconds: float) -> BotAnswer:
        if not self._process.running:
            self._known.clear()
        if question.bot not in self._known:
            seconds = max(seconds, self._start_seconds)
        said = await self._process.ask(msgspec.msgpack.encode(question), seconds)
        try:
            answer = _ANSWER.decode(said)
        except msgspec.DecodeError:
            await self.end()
            raise
        self._known.add(question.bot)
        return answer

    async def end(self) -> None:
        await self._process.end()


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
