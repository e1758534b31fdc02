"""Works on boards of strangers elsewhere, where they are ended when they take too long."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import msgspec

from ferrovia.server.processes.child import ask_module
from ferrovia.server.protocol.from_server import Problem
from ferrovia.server.protocol.workshop import AnyBoardWork
from ferrovia.server.refusals import Refusal
from ferrovia.server.workshop.works import done

SECONDS = 20.0

WorkElsewhere = Callable[[AnyBoardWork], Coroutine[Any, Any, bytes]]
"""Works on a board that may take any amount of time, without holding up the server."""


class _Outcome(msgspec.Struct, frozen=True):
    made: bytes = b""
    refused: Problem | None = None


def through(ask: Callable[[bytes], Awaitable[bytes]]) -> WorkElsewhere:
    """Return what has `answer` called elsewhere: `ask` takes an order there and brings its answer.

    It raises `TimeoutError` if that takes too long, and `OSError` if nothing came.
    """

    async def elsewhere(work: AnyBoardWork) -> bytes:
        try:
            answered = await ask(msgspec.msgpack.encode(work))
        except TimeoutError:
            raise Refusal("too_large", "this board takes too long") from None
        except OSError:
            raise Refusal("invalid_board", "this board cannot be worked on") from None
        outcome = msgspec.msgpack.decode(answered, type=_Outcome)
        if outcome.refused is not None:
            raise Refusal(outcome.refused.code, outcome.refused.detail)
        return outcome.made

    return elsewhere


async def _ask_process(order: bytes) -> bytes:
    ended = await ask_module(__package__, order, SECONDS)
    if ended.status:
        raise OSError(f"it ended with {ended.status}")
    return ended.out


in_process: WorkElsewhere = through(_ask_process)
"""Works on it in a process of its own."""


async def in_thread(work: AnyBoardWork) -> bytes:
    """Works on it in this process, for as long as it takes."""
    return await asyncio.to_thread(done, work)


def answer(order: bytes) -> bytes:
    """Return the answer of that process to what it reads."""
    work = msgspec.msgpack.decode(order, type=AnyBoardWork)
    try:
        outcome = _Outcome(done(work))
    except Refusal as refusal:
        outcome = _Outcome(refused=Problem.of(refusal))
    return msgspec.msgpack.encode(outcome)
