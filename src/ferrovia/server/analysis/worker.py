"""The process that analyses one game: `python -m ferrovia.server.analysis.worker`.

It reads a task from stdin, writes its progress and at last the analysis to stdout, and ends. It
gives way to everything else on the machine.
"""

import os
import sys
import time
from collections.abc import Callable

import msgspec

from ferrovia.analysis.analysis import SEED, analyse, budget_for
from ferrovia.analysis.findings import Analysis, Budget
from ferrovia.game import RecordError, read_record
from ferrovia.game.records.steps import replay_steps_of_table
from ferrovia.machine.process import collect_little
from ferrovia.server.processes.messages import HEAD, length_of, packed

_BETWEEN = 0.25  # seconds between two reports
_SECONDS = 300  # of one core for a record that was sent; the usual budget is a fifth of it


class AnalysisTask(msgspec.Struct, frozen=True):
    """A record to analyse; `seed` is another one than the usual, to look again; `worlds` for each
    choice, 0 for the usual number. `sent`: a stranger sent it, so its time is limited.
    """

    record: bytes
    seed: bytes = SEED
    worlds: int = 0
    sent: bool = False


class AnalysisNews(msgspec.Struct, frozen=True):
    """How far the analysis is; at last the analysis, or the problem."""

    done: int = 0
    total: int = 0
    analysis: Analysis | None = None
    problem: str = ""


def work(task: AnalysisTask, say: Callable[[AnalysisNews], None]) -> None:
    """Analyse a game, and say how far it is; at last the analysis or the problem."""
    last = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _BETWEEN:
            last = time.monotonic()
            say(AnalysisNews(done, total))

    try:
        game, _ = replay_steps_of_table(read_record(task.record))
        usual = budget_for(game.players)
        budget = Budget(task.worlds or usual.worlds, usual.seconds)
        say(AnalysisNews(analysis=analyse(game, budget, task.seed, report)))
    except (RecordError, ValueError) as problem:
        say(AnalysisNews(problem=str(problem)))


def main() -> None:
    """Do the one task on stdin."""
    collect_little()
    if hasattr(os, "nice"):
        os.nice(10)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    task = msgspec.msgpack.decode(source.read(length_of(source.read(HEAD))), type=AnalysisTask)
    if task.sent:
        _limit()

    def say(news: AnalysisNews) -> None:
        sink.write(packed(news))
        sink.flush()

    work(task, say)


def _limit() -> None:
    """Let the system end this process when it has used its time, whatever a record makes it do."""
    try:
        import resource
    except ImportError:
        return  # not on Windows; the server ends a process that says nothing for long
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))


if __name__ == "__main__":
    main()
