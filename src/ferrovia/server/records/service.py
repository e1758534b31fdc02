"""The service that makes films, pictures and proofs of records, so that the event loop goes on.

A record that brings its own board is handled by a separate process, which is ended when it takes
too long: nobody can know in advance what the search for the longest route and the layout will cost
on such a board.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from ferrovia.server.catalog import Catalog
from ferrovia.server.processes.child import ask_module
from ferrovia.server.protocol.from_server import Problem
from ferrovia.server.records.source import has_own_board, source_of_text
from ferrovia.server.records.works import AnyWork, made
from ferrovia.server.refusals import Refusal

T = TypeVar("T")

SECONDS = 20.0
"""The time for work on a record with a board of its own."""
_AT_ONCE = 2

Elsewhere = Callable[[AnyWork, bytes], Awaitable[bytes]]
"""Makes something of a record whose board may take any time, where the server is not kept."""


class _Order(msgspec.Struct, frozen=True):
    """What the process is asked for."""

    work: AnyWork
    record: bytes


class _Outcome(msgspec.Struct, frozen=True):
    """What the process answers: what it has made, or why it has not."""

    made: bytes = b""
    refused: Problem | None = None


class RecordService:
    """Works on records, two at a time; those with boards of their own one at a time."""

    def __init__(self, catalog: Callable[[], Catalog], elsewhere: Elsewhere) -> None:
        self._catalog = catalog
        self._elsewhere = elsewhere
        self._places = asyncio.Semaphore(_AT_ONCE)
        self._own_boards = asyncio.Semaphore(1)

    async def do(self, work: Callable[[], T]) -> T:
        """Return what a function returns that works on the record of a table."""
        async with self._places:
            return await asyncio.to_thread(work)

    async def do_for_sent(self, work: AnyWork, record: bytes) -> bytes:
        """Return what is made of a record that somebody sends; raises `Refusal`."""
        catalog = self._catalog()
        async with self._places:
            source = await asyncio.to_thread(source_of_text, record)
            if not has_own_board(source, catalog):
                return await asyncio.to_thread(made, work, source, catalog)
        async with self._own_boards:
            return await self._elsewhere(work, record)


def through(ask: Callable[[bytes], Awaitable[bytes]]) -> Elsewhere:
    """Return what has `answer` called elsewhere: `ask` takes an order there and brings its answer.

    It raises `TimeoutError` if that takes too long, and `OSError` if nothing came.
    """

    async def elsewhere(work: AnyWork, record: bytes) -> bytes:
        try:
            done = await ask(msgspec.msgpack.encode(_Order(work, record)))
        except TimeoutError:
            raise Refusal("too_large", "this board takes too long") from None
        except OSError:
            raise Refusal("invalid_record", "this record cannot be shown") from None
        outcome = msgspec.msgpack.decode(done, type=_Outcome)
        if outcome.refused is not None:
            problem = outcome.refused
            raise Refusal(problem.code, problem.detail, rule=problem.rule, line=problem.line)
        return outcome.made

    return elsewhere


async def _ask_process(order: bytes) -> bytes:
    done = await ask_module(__package__, order, SECONDS)
    if done.status:
        raise OSError(f"it ended with {done.status}")
    return done.out


in_process: Elsewhere = through(_ask_process)
"""Makes it in a process of its own."""


def answer(request: bytes) -> bytes:
    """Return the answer to an order."""
    order = msgspec.msgpack.decode(request, type=_Order)
    try:
        source = source_of_text(order.record)
        outcome = _Outcome(made(order.work, source, Catalog()))
    except Refusal as refusal:
        outcome = _Outcome(refused=Problem.of(refusal))
    return msgspec.msgpack.encode(outcome)
