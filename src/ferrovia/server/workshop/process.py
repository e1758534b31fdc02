"""Works on boards of strangers in a process of its own, which is ended when it takes too long."""

import msgspec

from ferrovia.server.processes.child import ask_module
from ferrovia.server.protocol.from_server import Problem
from ferrovia.server.protocol.workshop import AnyBoardWork
from ferrovia.server.refusals import Refusal
from ferrovia.server.workshop.works import done

SECONDS = 20.0


class _Outcome(msgspec.Struct, frozen=True):
    made: bytes = b""
    refused: Problem | None = None


async def in_process(work: AnyBoardWork) -> bytes:
    """Return what a process of its own answers to a work; raises `Refusal`."""
    try:
        ended = await ask_module(__package__, msgspec.msgpack.encode(work), SECONDS)
    except TimeoutError:
        raise Refusal("too_large", "this board takes too long") from None
    if ended.status:
        raise Refusal("invalid_board", "this board cannot be worked on")
    outcome = msgspec.msgpack.decode(ended.out, type=_Outcome)
    if outcome.refused is not None:
        raise Refusal(outcome.refused.code, outcome.refused.detail)
    return outcome.made


def answer(order: bytes) -> bytes:
    """Return the answer of that process to what it reads."""
    work = msgspec.msgpack.decode(order, type=AnyBoardWork)
    try:
        outcome = _Outcome(done(work))
    except Refusal as refusal:
        outcome = _Outcome(refused=Problem.of(refusal))
    return msgspec.msgpack.encode(outcome)
