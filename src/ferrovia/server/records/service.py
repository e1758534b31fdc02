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


async def in_process(work: AnyWork, record: bytes) -> bytes:
    """Return what a process of its own makes of a record; raises `Refusal`."""
    order = msgspec.msgpack.encode(_Order(work, record))
    try:
        done = await ask_module(__package__, order, SECONDS)
    except TimeoutError:
        raise Refusal("too_large", "this board takes too long") from None
    if done.status:
        raise Refusal("invalid_record", "this record cannot be shown")
    outcome = msgspec.msgpack.decode(done.out, type=_Outcome)
    if outcome.refused is not None:
        problem = outcome.refused
        raise Refusal(problem.code, problem.detail, rule=problem.rule, line=problem.line)
    return outcome.made


def answer(request: bytes) -> bytes:
    """Return the answer of that process to what it reads."""
    order = msgspec.msgpack.decode(request, type=_Order)
    try:
        source = source_of_text(order.record)
        outcome = _Outcome(made(order.work, source, Catalog()))
    except Refusal as refusal:
        outcome = _Outcome(refused=Problem.of(refusal))
    return msgspec.msgpack.encode(outcome)
