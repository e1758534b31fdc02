"""Playing a run of games, in this process or spread over several, with the same results."""

import multiprocessing
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any, Protocol

from ferrovia.lab.batches import batch_count, play_batch
from ferrovia.lab.plan import Plan
from ferrovia.lab.recording import discard_unfinished
from ferrovia.lab.results import Results

_SPAWN = multiprocessing.get_context("spawn")


class Switch(Protocol):
    """Something that can be set once, and asked for, from anywhere."""

    def set(self) -> None: ...
    def is_set(self) -> bool: ...


class WorkerLost(RuntimeError):
    """A worker process ended before its work was done."""


def stop_switch(workers: int) -> Switch:
    """A switch that stops a run in all its processes after the games in progress."""
    return _SPAWN.Event() if workers > 1 else threading.Event()


def simulate(plan: Plan, workers: int = 1, stop: Switch | None = None) -> Iterator[Results]:
    """Play a run and yield the results of its games in their order, some at a time.

    They depend on the plan alone. `stop` must come from `stop_switch`; after it is set, the
    results of the games that were in progress still come.
    """
    stop = stop or stop_switch(workers)
    batches = batch_count(plan)
    workers = min(workers, batches)
    if workers <= 1:
        for batch in range(batches):
            if stop.is_set():
                return
            yield play_batch(plan, batch, stop.is_set)
    else:
        with _started(plan, workers, stop) as pipes:
            yield from _in_turn(pipes, batches, stop)


def _in_turn(pipes: list[Connection], batches: int, stop: Switch) -> Iterator[Results]:
    """Results in the order of the batches: worker n of W plays n, n + W, n + 2W and so on."""
    for batch in range(batches):
        try:
            answer = pipes[batch % len(pipes)].recv()
        except EOFError:
            if stop.is_set():
                continue
            raise WorkerLost("a worker process was ended from outside") from None
        if isinstance(answer, Exception):
            raise answer
        yield answer


@contextmanager
def _started(plan: Plan, workers: int, stop: Switch) -> Iterator[list[Connection]]:
    processes: list[Any] = []
    pipes: list[Connection] = []
    try:
        with _ctrl_c_ignored():
            for worker in range(workers):
                here, there = _SPAWN.Pipe(duplex=False)
                mine = range(worker, batch_count(plan), workers)
                process = _SPAWN.Process(target=_work, args=(plan, mine, stop, there), daemon=True)
                process.start()
                there.close()
                processes.append(process)
                pipes.append(here)
        yield pipes
    except BaseException:
        for process in processes:
            process.terminate()
            process.join()
            discard_unfinished(plan.folder, process.pid)
        raise
    finally:
        for pipe in pipes:
            pipe.close()
        for process in processes:
            process.join()


@contextmanager
def _ctrl_c_ignored() -> Iterator[None]:
    """Processes started in here never hear of Ctrl-C: it is for the one that leads them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _work(plan: Plan, batches: range, stop: Switch, pipe: Connection) -> None:
    """The life of a worker: play its batches and send the results, or what went wrong."""
    try:
        for batch in batches:
            if stop.is_set():
                break
            pipe.send(play_batch(plan, batch, stop.is_set))
    except (BrokenPipeError, ConnectionResetError):
        pass
    except Exception as problem:
        pipe.send(problem)
    finally:
        pipe.close()
