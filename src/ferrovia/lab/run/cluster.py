"""Batches on a Ray cluster, with the same results."""

import os
import re
import socket
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ferrovia.errors import FerroviaError, MissingExtra
from ferrovia.lab.run.workers import Played, Result, Switch, Task, WorkerLost, Workload

_ANSWER = 5.0  # seconds in which it must answer
_AHEAD = 2  # batches waiting for every processor of the cluster


class NoRay(FerroviaError, RuntimeError):
    """The Ray cluster cannot be reached."""


def on_cluster(
    work: Workload[Result], tasks: Sequence[Task], address: str, stop: Switch
) -> Iterator[Result]:
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
    _prepare(address)
    try:
        import ray
    except ImportError:
        raise MissingExtra("ray") from None
    if not ray.is_initialized():
        try:
            ray.init(address=address, log_to_driver=False, configure_logging=False)
        except (ConnectionError, ValueError, RuntimeError) as problem:
            text = f"there is no Ray cluster at {address}, or it does not take this machine's token"
            raise NoRay(f"{text}: {problem}") from None
    return ray


def _prepare(address: str) -> None:
    """Check that a cluster answers at an address, and have Ray show the token that it is given.

    Ray itself tries an unknown host for minutes, and a wrong token for 20 s. Clusters of Ray 2.60
    ask for a token, which `ray start` takes from its place and `ray.init` does not.
    """
    found = re.fullmatch(r"(?:ray://)?(\[[^]]+\]|[^:/]+):(\d+)", address)
    if found is not None:
        try:
            place = found[1].strip("[]"), int(found[2])
            socket.create_connection(place, timeout=_ANSWER).close()
        except (OSError, OverflowError) as problem:
            raise NoRay(f"nobody answers at {address}: {problem}") from None
    os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", "3")
    token = Path(os.environ.get("RAY_AUTH_TOKEN_PATH", "~/.ray/auth_token")).expanduser()
    if address != "local" and ("RAY_AUTH_TOKEN" in os.environ or token.is_file()):
        os.environ.setdefault("RAY_AUTH_MODE", "token")


def _play(work: Workload[Result], task: Task, path: list[str]) -> Played:
    """Play one task on a machine of the cluster, with the module path of whoever sent it."""
    sys.path += [folder for folder in path if folder not in sys.path]
    return work.play(task.plan, task.games, lambda: False)
