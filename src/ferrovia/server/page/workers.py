"""What other workers of a page do for its server: bots decide there, analyses are made, and records
with boards of their own and what the workshop does are handled, so that a table never waits.

Each of them is a Python of its own, which is ended when it takes too long, as a process would be.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal, Protocol

import msgspec

from ferrovia.analysis.findings import Analysis
from ferrovia.server.analysis.worker import AnalysisNews, AnalysisTask
from ferrovia.server.bots.pool import BotChoice
from ferrovia.server.bots.question import BotAnswer, BotQuestion
from ferrovia.server.logs import note
from ferrovia.server.processes.queue import FairQueue, Standing
from ferrovia.server.records.service import SECONDS, answer
from ferrovia.server.workshop import process
from ferrovia.server.workshop.process import WorkElsewhere

Job = Literal["decide", "analyse", "show", "work"]

_ANSWER = msgspec.msgpack.Decoder(BotAnswer)
_NEWS = msgspec.msgpack.Decoder(AnalysisNews)
_SECONDS = 3600.0  # for an analysis or a board: a phone is slow, and nobody waits but its owner


class Workers(Protocol):
    """The other workers of a page."""

    def ask(
        self, job: Job, body: bytes, seconds: float, heard: Callable[[bytes], None]
    ) -> Awaitable[bytes]:
        """Return what a worker answers; `heard` is called with what it says on the way.

        Raises `TimeoutError` when `seconds` have passed and it has been ended, and `OSError` if
        it ended by itself.
        """


class WorkerPool:
    """Bots in one other worker, one decision after the other."""

    def __init__(self, workers: Workers, seconds: float) -> None:
        self._workers = workers
        self._seconds = seconds
        self._queue = FairQueue(1)

    @property
    def waiting(self) -> int:
        return len(self._queue)

    async def ask(
        self, question: BotQuestion, standing: Callable[[], Standing] = Standing
    ) -> BotChoice:
        await self._queue.enter(standing)
        time = asyncio.get_running_loop().time
        began = time()
        body = msgspec.msgpack.encode(question)
        try:
            answer = _ANSWER.decode(await self._workers.ask("decide", body, self._seconds, _ignore))
        except (TimeoutError, OSError, msgspec.DecodeError) as problem:
            answer = BotAnswer(problem=type(problem).__name__)
        finally:
            took = time() - began
            self._queue.leave(standing().address, took)
        if answer.problem:
            note("bot_failed", bot=question.bot, problem=answer.problem)
        return BotChoice(None if answer.problem else answer.action, began, took, why=answer.why)

    async def close(self) -> None:
        self._queue.open_to_all()


class RecordWorkers:
    """Records with boards of their own are handled in another worker, all others here: they take a
    moment, and nobody else plays in a page.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers

    async def ask(self, order: bytes, *, alone: bool) -> bytes:
        if not alone:
            return answer(order)
        return await self._workers.ask("show", order, SECONDS, _ignore)

    async def close(self) -> None:
        pass


def workshop_in(workers: Workers) -> WorkElsewhere:
    """Return what works on boards in another worker."""

    async def ask(order: bytes) -> bytes:
        return await workers.ask("work", order, _SECONDS, _ignore)

    return process.through(ask)


async def analysis_in(
    workers: Workers, task: AnalysisTask, report: Callable[[int, int], None]
) -> Analysis | None:
    """Return the analysis that another worker makes; see `Analyst`."""

    def heard(body: bytes) -> None:
        news = _NEWS.decode(body)
        report(news.done, news.total)

    order = msgspec.msgpack.encode(task)
    return _NEWS.decode(await workers.ask("analyse", order, _SECONDS, heard)).analysis


def _ignore(_: bytes) -> None:
    pass
