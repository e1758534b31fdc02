"""Worker processes of this machine: each receives the next batch when it has finished one."""

import multiprocessing
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, Protocol, TypeVar

from ferrovia.atomic_files import discard_unfinished
from ferrovia.errors import FerroviaError
from ferrovia.lab.ctrl_c import ctrl_c_ignored
from ferrovia.lab.run.plan import Plan

_SPAWN = multiprocessing.get_context("spawn")
_AHEAD = 2  # batches that a worker holds, so that it never waits for the next one


class Task(NamedTuple):
    """A batch to play: the place of its plan in the work, and its games."""

    plan: int
    games: range


class Switch(Protocol):
    """Something that can be set once, and read, from anywhere."""

    def set(self) -> None: ...
    def is_set(self) -> bool: ...


class Played(Protocol):
    """What comes back of a task: of its games those that were finished before a stop."""

    @property
    def games(self) -> range: ...


Result = TypeVar("Result", bound=Played)
Result_co = TypeVar("Result_co", bound=Played, covariant=True)


class Workload(Protocol[Result_co]):
    """Everything that a worker has to know before it receives tasks."""

    @property
    def plans(self) -> tuple[Plan, ...]: ...
    def play(self, plan: int, games: range, stopped: Callable[[], bool]) -> Result_co: ...


class WorkerLost(FerroviaError, RuntimeError):
    """A worker process ended before its work was done."""


def stop_switch(workers: int) -> Switch:
    """Return a switch that stops a run in all its processes after the games in progress."""
    return _SPAWN.Event() if workers > 1 else threading.Event()


def in_processes(
    work: Workload[Result], tasks: Sequence[Task], workers: int, stop: Switch
) -> Iterator[Result]:
    """Play batches in several processes and yield them as they are finished."""
    todo = iter(tasks)
    with _started(work, workers, stop) as pipes:
        held = dict.fromkeys(pipes, 0)
        for _ in range(_AHEAD):
            for pipe in pipes:
                held[pipe] += _hand_out(pipe, todo, stop)
        while busy := [pipe for pipe in pipes if held[pipe]]:
            ready = wait(busy)
            for pipe in (pipe for pipe in busy if pipe in ready):
                try:
                    answer = pipe.recv()
                except (EOFError, ConnectionResetError):
                    raise WorkerLost("a worker process was killed") from None
                if isinstance(answer, Exception):
                    raise answer
                held[pipe] += _hand_out(pipe, todo, stop) - 1
                if len(answer.games):
                    yield answer


def _hand_out(pipe: Connection, todo: Iterator[Task], stop: Switch) -> int:
    """Send a worker the next batch, if there is one; return the number of batches sent."""
    task = None if stop.is_set() else next(todo, None)
    if task is None:
        return 0
    with suppress(BrokenPipeError):  # it is lost: reading from it will raise
        pipe.send(task)
    return 1


@contextmanager
def _started(work: Workload[Any], workers: int, stop: Switch) -> Iterator[list[Connection]]:
    processes: list[Any] = []
    pipes: list[Connection] = []
    try:
        with ctrl_c_ignored():
            for _ in range(workers):
                here, there = _SPAWN.Pipe()
                process = _SPAWN.Process(target=_work, args=(work, stop, there), daemon=True)
                process.start()
                there.close()
                processes.append(process)
                pipes.append(here)
        yield pipes
    except BaseException:
        for process in processes:
            process.terminate()
            process.join()
            for plan in work.plans:
                discard_unfinished(plan.folder, process.pid)
        raise
    finally:
        for pipe in pipes:
            pipe.close()
        for process in processes:
            process.join()


def _work(work: Workload[Any], stop: Switch, pipe: Connection) -> None:
    """The loop of a worker: play every batch and send the results, or what went wrong."""
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            task = pipe.recv()
            try:
                answer: Played | Exception = work.play(task.plan, task.games, stop.is_set)
            except Exception as problem:
                answer = _portable(problem)
            pipe.send(answer)


def _portable(problem: Exception) -> Exception:
    """Return an exception that can be sent, with the place where it was raised."""
    trace = "".join(traceback.format_exception(problem))
    try:
        problem.add_note(f"In a worker process:\n{trace}")
        multiprocessing.reduction.ForkingPickler.dumps(problem)
    except Exception:
        return RuntimeError(trace)
    return problem
