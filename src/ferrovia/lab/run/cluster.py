"""Batches on a Ray cluster, with the same results."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from ferrovia.errors import FerroviaError, MissingExtra
from ferrovia.lab.run.batches import Batch, Work
from ferrovia.lab.run.workers import Switch, Task, WorkerLost

_AHEAD = 2  # batches waiting for every processor of the cluster


class NoRay(FerroviaError, RuntimeError):
    """The Ray cluster cannot be reached."""


def on_cluster(work: Work, tasks: Sequence[Task], address: str, stop: Switch) -> Iterator[Batch]:
    """Play batches on a cluster and yield them as they are finished.

    `address` is that of the cluster; `local` starts one on this machine. After a stop the batches
    in progress still come. Where Ray is connected already, that connection is used.
    """
    ray = _connected(address)
    play = ray.remote(_play)
    shared = ray.put(work)
    todo = iter(tasks)
    running: list[Any] = []
    try:
        room = max(1, int(ray.cluster_resources().get("CPU", 1))) * _AHEAD
        while True:
            while len(running) < room and not stop.is_set():
                if (task := next(todo, None)) is None:
                    break
                running.append(play.remote(shared, task, sys.path))
            if not running:
                return
            [ready], running = ray.wait(running, num_returns=1)
            yield ray.get(ready)
    except ray.exceptions.RayTaskError as problem:
        raise problem.cause from None
    except ray.exceptions.RayError as problem:
        raise WorkerLost(f"the Ray cluster failed: {problem}") from None
    finally:
        for unfinished in running:
            ray.cancel(unfinished, force=True)


def _connected(address: str) -> Any:
    try:
        import ray
    except ImportError:
        raise MissingExtra("ray") from None
    if not ray.is_initialized():
        try:
            ray.init(address=address, log_to_driver=False, configure_logging=False)
        except (ConnectionError, ValueError, RuntimeError) as problem:
            raise NoRay(f"there is no Ray cluster at {address}: {problem}") from None
    return ray


def _play(work: Work, task: Task, path: list[str]) -> Batch:
    """Play one batch on a machine of the cluster, with the module path of the one that leads."""
    sys.path += [folder for folder in path if folder not in sys.path]
    return work.play(task.plan, task.games, lambda: False)
