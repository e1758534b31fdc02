"""What `simulate` and `tournament` share: a run of many games, and the file that keeps it."""

import os
import secrets
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ferrovia.cli.files import check_folder, check_suffix
from ferrovia.cli.interrupts import stopped_gently
from ferrovia.cli.progress import progress

if TYPE_CHECKING:
    from ferrovia.lab.accumulators import Accumulator
    from ferrovia.lab.run.batches import Batch
    from ferrovia.lab.run.plan import Plan
    from ferrovia.lab.run.run_file import RunFile, RunHead


def find_own_modules() -> None:
    """Let the user's own bots and statistics be found in the current folder."""
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())


@contextmanager
def user_errors(
    edition: str = "", extras: Sequence[str] = (), *, verbose: bool = False
) -> Iterator[None]:
    """Raise ClickException, which is shown in one line, for whatever can be wrong with a run.

    A bot that fails is reported with the command that plays its game again, in which the edition
    is named as it was typed; with `verbose` its traceback comes first.
    """
    from ferrovia.lab.run.bot_failure import BotFailed
    from ferrovia.lab.run.cluster import NoRay
    from ferrovia.lab.run.plan import simulate_command
    from ferrovia.lab.run.run_file import RunFileError
    from ferrovia.lab.run.workers import WorkerLost

    try:
        yield
    except BotFailed as problem:
        if verbose:
            click.echo(problem.trace, err=True, nl=False)
        again = simulate_command(
            edition, extras, problem.bots, games=1, seed=problem.seed, first=problem.game
        )
        how = again if verbose else f"{again} --verbose"
        raise click.ClickException(f"{problem}; to repeat it: {how}") from None
    except (WorkerLost, NoRay, RunFileError) as problem:
        raise click.ClickException(str(problem)) from None


def unusable(problem: ValueError, *, verbose: bool) -> click.UsageError:
    """Return the error for a user's own bot or statistic that cannot be used."""
    if verbose and problem.__cause__ is not None:
        click.echo("".join(traceback.format_exception(problem.__cause__)), err=True, nl=False)
    return click.UsageError(str(problem))


def run_file_for(out: Path | None, resume: bool) -> Path | None:
    """Return the run file for results that go to `out`, after a check that they can be written."""
    from ferrovia.lab.run import table_file
    from ferrovia.lab.run.run_file import SUFFIX

    if out is None:
        if resume:
            raise click.UsageError("--continue needs the file of the run: --out FILE")
        return None
    check_folder(out)
    if out.suffix != SUFFIX:
        try:
            check_suffix(out, SUFFIX, *table_file.SUFFIXES)
            table_file.check(out)
        except ValueError as problem:
            raise click.UsageError(str(problem)) from None
    return out.with_suffix(SUFFIX)


def seed_for(asked: int | None, kept: Path | None, resume: bool) -> int:
    """Return the seed that was asked for, that of the run to continue, or a new one."""
    from ferrovia.lab.run.run_file import RunFile

    if asked is not None:
        return asked
    if resume and kept is not None and kept.exists():
        with RunFile.read(kept) as file:
            return file.head.series[0].seed
    return secrets.randbits(32)


def write_table(out: Path | None, file: "RunFile") -> None:
    """Write the games of a run to `out`, unless that is the run file itself."""
    from ferrovia.lab.run import table_file

    if out is not None and out != file.path:
        table_file.write_table(out, file)


def open_run(
    path: Path | None,
    head: "RunHead",
    games: Sequence[int],
    *,
    resume: bool,
    overwrite: bool = False,
) -> "RunFile | None":
    """Open the run file to play into, a new one or the one to continue; None without a path."""
    from ferrovia.lab.run.run_file import RunFile

    if path is None:
        return None
    if resume:
        return RunFile.resume(path, head, games)
    if path.exists() and not overwrite:
        raise click.UsageError(
            f"{path} exists already: go on with --continue, or choose another name"
        )
    path.unlink(missing_ok=True)
    return RunFile.begin(path, head, games)


def list_files(**written: Path | None) -> None:
    """Print where results were written, each by its name; None was not asked for."""
    for what, path in written.items():
        if path is not None:
            click.echo(f"{what} in {path}")


def play_all(
    plans: Sequence["Plan"],
    accumulators: Sequence["Accumulator"],
    file: "RunFile | None",
    each: Callable[["Batch"], Any],
    *,
    workers: int,
    ray: str | None,
) -> bool:
    """Play with progress and a gentle Ctrl-C; return whether it was stopped."""
    from ferrovia.lab.run.run import play_run, stop_switch

    stop = stop_switch(1 if ray else workers)
    total = sum(plan.games for plan in plans)
    with progress("games", total) as shown, stopped_gently(stop.set):
        for batch in play_run(plans, accumulators, file, workers=workers, ray=ray, stop=stop):
            each(batch)
            shown.advance(len(batch.games))
    return stop.is_set()


def write_trajectories(folder: Path, plan: "Plan", *, workers: int, ray: str | None) -> bool:
    """Write trajectories with progress and a gentle Ctrl-C; return whether that was stopped."""
    from ferrovia.lab import trajectories
    from ferrovia.lab.run.run import stop_switch

    stop = stop_switch(1 if ray else workers)
    with progress("trajectories", plan.games) as shown, stopped_gently(stop.set):
        before = 0
        for done in trajectories.write_trajectories(
            folder, plan, workers=workers, stop=stop, ray=ray
        ):
            shown.advance(done - before)
            before = done
    return stop.is_set()
