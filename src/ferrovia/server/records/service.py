"""The service that makes films, pictures and proofs of records, so that the event loop goes on.

They are made in processes beside the server, two at a time, in a fair and bounded queue: what is
asked for at tables comes before records that people send, and nothing is made for who has gone. A
record that brings a board of its own has a process to itself, which is ended when it takes too
long: what such a board makes the search for the longest route and the layout cost cannot be known
before.
"""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Sequence
from functools import lru_cache
from typing import Any, Protocol, TypeVar

import msgspec

from ferrovia.server.catalog import Catalog
from ferrovia.server.processes.child import Resident, ask_module
from ferrovia.server.processes.queue import FairQueue, QueueFull, Standing
from ferrovia.server.protocol.from_server import Interlude, Problem
from ferrovia.server.records.source import Source, has_own_board, source_of_text
from ferrovia.server.records.works import AnyWork, made
from ferrovia.server.refusals import Refusal
from ferrovia.server.settings import Settings

T = TypeVar("T")

SECONDS = 20.0
"""The time for work on a record."""
_AT_ONCE = 2
_WAITING = 60
_WAITING_OF_SITE = 20
_OWN_BOARDS_WAITING = 12
_OWN_BOARDS_OF_SITE = 2
_START_SECONDS = 30.0
_REMEMBERED = 8  # records whose steps need not be proved again
_PROGRAM = (sys.executable, "-m", __package__)


class Order(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is to be made of the text of a record. `trusted`: a table of this server played it, and
    `seat` is whose past it is while it goes on; `interludes` are what happened between its events.
    `boards` and `packs` are what this server offers besides ours. `alone`: in a process to itself.
    """

    work: AnyWork
    record: bytes
    trusted: bool = False
    seat: int | None = None
    interludes: tuple[Interlude, ...] = ()
    boards: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()
    alone: bool = False


class _Outcome(msgspec.Struct, frozen=True):
    """What is answered to an order: what was made, or why it was not."""

    made: bytes = b""
    refused: Problem | None = None


class Elsewhere(Protocol):
    """Where records are worked on, so that the server is not held up."""

    async def ask(self, order: bytes, *, alone: bool) -> bytes:
        """Return the answer to an order; raises `TimeoutError`, `OSError` or `EOFError`."""

    async def close(self) -> None:
        """End what works there."""


class RecordService:
    """Works on records, for whoever asks: a site, that is an address or a network of addresses."""

    def __init__(
        self, catalog: Callable[[], Catalog], elsewhere: Elsewhere, settings: Settings
    ) -> None:
        self._catalog = catalog
        self._elsewhere = elsewhere
        self._settings = settings
        self._places = FairQueue(_AT_ONCE, _WAITING, _WAITING_OF_SITE)
        self._own_boards = FairQueue(1, _OWN_BOARDS_WAITING, _OWN_BOARDS_OF_SITE)

    async def do(self, work: Callable[[], T], site: str) -> T:
        """Return what a function returns that takes a moment, in a thread."""
        return await placed(self._places, Standing(0, site), asyncio.to_thread(work))

    async def do_for_table(
        self, work: AnyWork, source: Source, site: str, interludes: Sequence[Interlude] = ()
    ) -> bytes:
        """Return what is made of the game of a table; raises `Refusal`."""
        text = await asyncio.to_thread(source.record.text)
        order = Order(work, text.encode(), True, source.seat, tuple(interludes))
        return await placed(self._places, Standing(0, site), self._make(order))

    async def do_for_sent(self, work: AnyWork, record: bytes, site: str) -> bytes:
        """Return what is made of a record that somebody sends; raises `Refusal`."""
        source = await self.do(lambda: source_of_text(record), site)
        alone = has_own_board(source, self._catalog())
        order = Order(work, record, alone=alone)
        queue = self._own_boards if alone else self._places
        return await placed(queue, Standing(1, site), self._make(order), alone=alone)

    async def _make(self, order: Order) -> bytes:
        boards, packs = self._settings.boards, self._settings.packs
        order = msgspec.structs.replace(order, boards=boards, packs=packs)
        question = msgspec.msgpack.encode(order)
        try:
            said = await self._elsewhere.ask(question, alone=order.alone)
        except TimeoutError:
            raise Refusal("too_large", "this record takes too long") from None
        except (OSError, EOFError):
            raise Refusal("invalid_record", "this record cannot be shown") from None
        outcome = msgspec.msgpack.decode(said, type=_Outcome)
        if outcome.refused is not None:
            problem = outcome.refused
            raise Refusal(problem.code, problem.detail, rule=problem.rule, line=problem.line)
        return outcome.made


async def placed(
    queue: FairQueue, standing: Standing, work: Coroutine[Any, Any, T], *, alone: bool = False
) -> T:
    """Return what work returns that is done when there is a place for it; raises `Refusal`. What
    has begun when nobody wants it any more is finished, as it is short, but what is done `alone`.
    """
    try:
        await queue.enter(lambda: standing)
    except BaseException as problem:
        work.close()
        if isinstance(problem, QueueFull):
            raise Refusal("too_fast", "too many wait for the same") from None
        raise
    loop = asyncio.get_running_loop()
    began = loop.time()
    doing = asyncio.create_task(work)

    def leave(_: object) -> None:
        queue.leave(standing.address, loop.time() - began)
        if not doing.cancelled():
            doing.exception()  # nobody may wait for it any more

    doing.add_done_callback(leave)
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        if alone:
            doing.cancel()
        raise


class RecordProcesses:
    """The processes of an operating system in which records are worked on."""

    def __init__(self) -> None:
        self._free = [Resident(_PROGRAM, _START_SECONDS) for _ in range(_AT_ONCE)]
        self._all = tuple(self._free)

    async def ask(self, order: bytes, *, alone: bool) -> bytes:
        """Return the answer of a process; raises `TimeoutError`, `OSError` or `EOFError`."""
        if alone:
            done = await ask_module(__package__, order, SECONDS, "once")
            if done.status:
                raise OSError(f"it ended with {done.status}")
            return done.out
        process = self._free.pop()
        try:
            return await process.ask(order, SECONDS)
        finally:
            self._free.append(process)

    async def close(self) -> None:
        """End the processes."""
        await asyncio.gather(*(process.end() for process in self._all))


def answer(request: bytes) -> bytes:
    """Return the answer to an order."""
    order = msgspec.msgpack.decode(request, type=Order)
    try:
        catalog = _catalog(order.boards, order.packs)
        source = _source(order.record, order.trusted, order.seat)
        outcome = _Outcome(made(order.work, source, catalog, order.interludes))
    except Refusal as refusal:
        outcome = _Outcome(refused=Problem.of(refusal))
    return msgspec.msgpack.encode(outcome)


_catalog = lru_cache(maxsize=1)(Catalog)


@lru_cache(maxsize=_REMEMBERED)
def _source(record: bytes, trusted: bool, seat: int | None) -> Source:
    sent = source_of_text(record)
    return Source(sent.record, seat, trusted)
