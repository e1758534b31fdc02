"""What `simulate` and `tournament` share: many games, a file to keep them in, workers."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ferrovia.cli.compiling import ensure_compiled
from ferrovia.cli.interrupts import stopped_gently
from ferrovia.cli.progress import progress

if TYPE_CHECKING:
    from ferrovia.lab.accumulators import Accumulator
    from ferrovia.lab.batches import Batch
    from ferrovia.lab.plan import Plan
    from ferrovia.lab.run_file import Head, RunFile

workers = click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    help="Processes to play in; the results are the same.",
)

ray = click.option(
    "--ray",
    metavar="ADDRESS",
    help="Play on this Ray cluster instead; `local` starts one here.",
)

resume = click.option(
    "--continue", "resume", is_flag=True, help="Go on where the run in this file was stopped."
)


def find_own_modules() -> None:
    """Let bots and statistics of one's own be found in the folder where one is."""
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())


@contextmanager
def problems_told() -> Iterator[None]:
    """Whatever can be wrong with a run, its files and its helpers is told in one line."""
    from ferrovia.lab.cluster import NoRay
    from ferrovia.lab.run_file import RunFileError
    from ferrovia.lab.tables import NoParquet
    from ferrovia.lab.workers import WorkerLost

    try:
        yield
    except (WorkerLost, NoRay, NoParquet, RunFileError) as problem:
        raise click.ClickException(str(problem)) from None


def open_run(
    path: Path, head: "Head", games: Sequence[int], *, resume: bool, overwrite: bool = False
) -> "RunFile":
    """The run file to play into: a new one, or the one to continue."""
    from ferrovia.lab.run_file import RunFile

    if resume:
        return RunFile.resume(path, head, games)
    if path.exists() and not overwrite:
        raise click.UsageError(
            f"{path} is there already: go on with --continue, or choose another name"
        )
    path.unlink(missing_ok=True)
    return RunFile.begin(path, head, games)


def play_all(
    plans: Sequence["Plan"],
    accumulators: Sequence["Accumulator"],
    file: "RunFile | None",
    each: Callable[["Batch"], Any],
    *,
    workers: int,
    ray: str | None,
) -> bool:
    """Play, with progress and a gentle Ctrl-C; gives whether it was stopped."""
    from ferrovia.lab import warmup
    from ferrovia.lab.runs import play_run
    from ferrovia.lab.simulation import stop_switch

    needed = {
        name
        for plan in plans
        for name in (
            *(warmup.FOR_BATCHES if plan.compiled else warmup.FOR_PLAY),
            *warmup.for_bots(plan.bots),
        )
    }
    ensure_compiled([name for name in warmup.EVERYTHING if name in needed])
    stop = stop_switch(1 if ray else workers)
    total = sum(plan.games for plan in plans)
    with progress("games", total) as shown, stopped_gently(stop.set):
        for batch in play_run(plans, accumulators, file, workers=workers, ray=ray, stop=stop):
            each(batch)
            shown.advance(len(batch.games))
    return stop.is_set()
