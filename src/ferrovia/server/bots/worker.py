"""The worker process in which bots decide: `python -m ferrovia.server.bots.worker`.

It reads questions from stdin and writes answers to stdout. It is given views, never a game, and
ends with the server.
"""

import os
import signal
import sys
from functools import lru_cache
from typing import BinaryIO

import msgspec

from ferrovia.boards import Edition
from ferrovia.bots import Bot, make
from ferrovia.bots.plugins import bring
from ferrovia.bots.program import ProgramBot, ProgramFailed
from ferrovia.bots.why import why
from ferrovia.game import View
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.game.records.record import Header
from ferrovia.game.records.replay import edition_of
from ferrovia.machine.process import collect_little
from ferrovia.server.bots.question import BotAnswer, BotQuestion
from ferrovia.server.processes.messages import HEAD, length_of, packed

_QUESTION = msgspec.msgpack.Decoder(BotQuestion)


@lru_cache(maxsize=64)
def _edition(header: bytes) -> Edition:
    return edition_of(msgspec.msgpack.decode(header, type=Header))


def _bot(question: BotQuestion) -> Bot:
    if question.program:
        return ProgramBot(question.program, question.seed, question.seconds)
    return (bring if question.brought else make)(question.bot, question.seed)


def answer(question: BotQuestion) -> BotAnswer:
    """Return what the bot decides, or the error that it raised."""
    try:
        same = msgspec.structs.replace(
            question.edition, players=("", ""), first=0, commitment="", seed=None
        )
        lexicon = lexicon_of(_edition(msgspec.msgpack.encode(same)))
        view = View(lexicon, bytearray(question.view), question.seat)
        action = _bot(question).decide(view)
        reasons = why(view, action, question.bot) if question.why else None
        return BotAnswer(action=str(action), why=reasons)
    except ProgramFailed as problem:
        return BotAnswer(problem=problem.reason)
    except Exception as problem:
        return BotAnswer(problem=f"{type(problem).__name__}: {problem}")


def answer_all(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer questions until there are no more. The first message says that we are ready."""
    sink.write(packed(BotAnswer(action="ready")))
    sink.flush()
    while len(head := source.read(HEAD)) == HEAD:
        sink.write(packed(answer(_QUESTION.decode(source.read(length_of(head))))))
        sink.flush()


def main() -> None:
    """Answer questions on stdin; whatever a bot prints goes to stderr, not among the answers."""
    collect_little()
    # An orderly exit, so that no program of a bot is left running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    answer_all(sys.stdin.buffer, sink)


if __name__ == "__main__":
    main()
