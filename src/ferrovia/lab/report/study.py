"""The subject of a report: a run of one plan, and what was counted in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ferrovia.boards import Edition
from ferrovia.lab.accumulators import Accumulator, Totals, load
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.run_file import SUFFIX, RunFile, RunFileError
from ferrovia.lab.statistics import Scores, for_report


@dataclass(frozen=True)
class Study:
    """A run, finished or not, with the totals of every statistic by its id.

    `file` is the run file that it was read from, as it was named; None for a run in memory.
    """

    edition: Edition
    bots: tuple[str, ...]
    seed: int
    first: int
    games: int
    totals: dict[str, Totals]
    own: dict[str, dict[str, Any]]  # the summaries of other statistics
    file: Path | None = None

    @classmethod
    def of(cls, plan: Plan, accumulators: Sequence[Accumulator]) -> "Study":
        """Return a run that was just played with `for_report` among its accumulators."""
        built_in = {one.id for one in for_report()}
        totals = {one.id: one.totals for one in accumulators}
        games = int(totals[Scores.id]["games"])
        own = {one.id: one.summary(games) for one in accumulators if one.id not in built_in}
        return cls(plan.edition, plan.bots, plan.seed, plan.first, games, totals, own)

    @classmethod
    def read(cls, path: Path) -> "Study":
        """Read a run from its run file, or the one next to a table; RunFileError without games."""
        run = path.with_suffix(SUFFIX)
        if path != run and not run.is_file():
            raise RunFileError(f"{path} is not of ferrovia simulate: there is no {run} next to it")
        with RunFile.read(run) as file:
            if file.head.kind != "simulate":
                raise RunFileError(f"{file.path} is of ferrovia {file.head.kind}, not of simulate")
            [series] = file.head.series
            totals = {name: file.totals(name) for name in file.head.statistics}
            if not (scores := totals.get(Scores.id)):
                raise RunFileError(f"{file.path} has no finished games")
            games = int(scores["games"])
            built_in = {one.id for one in for_report()}
            own = {
                name: _loaded(name, counted).summary(games)
                for name, counted in totals.items()
                if name not in built_in
            }
            return cls(
                file.edition, series.bots, series.seed, series.first, games, totals, own, path
            )

    def __getitem__(self, statistic: type[Accumulator]) -> Totals:
        """Return the totals of a statistic of the report."""
        return self.totals[statistic.id]


def _loaded(name: str, counted: Totals) -> Accumulator:
    """Return the accumulator of a name, or a plain one if it can no longer be found."""
    try:
        accumulator = load(name)
    except (ValueError, ImportError, TypeError):
        accumulator = Accumulator()
    accumulator.totals.add(counted)
    return accumulator
