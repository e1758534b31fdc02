"""The numbers of a run that people look for first, each with its confidence interval."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ferrovia.lab.report import measures
from ferrovia.lab.report.measures import Floats
from ferrovia.lab.report.study import Study
from ferrovia.lab.statistics import LOWEST, Routes, Scores
from ferrovia.lab.tournament.intervals import Estimate, mean, wilson


@dataclass(frozen=True)
class KeyFigure:
    """A number with what it is; `unit` and `of` are shown behind it."""

    what: str
    estimate: Estimate
    unit: str = ""
    of: str = ""
    signed: bool = False

    @property
    def html(self) -> str:
        """The number as it is shown."""
        number = f"{self.estimate.value:{'+' if self.signed else ''}.1f}"
        behind = " ".join(filter(None, (self.unit, self.of)))
        return f"{number}<small> {behind}</small>" if behind else number


def key_figures(study: Study) -> list[KeyFigure]:
    """Return the key figures of a run, the same for every run and in the same order."""
    equal = 1 / len(study.bots)
    return [
        KeyFigure("turns in a game, all players", _turns(study)),
        KeyFigure("points of a seat", _points(study)),
        KeyFigure("points between the best two", _margin(study)),
        KeyFigure(
            "wins of the first player, against an equal share",
            measures.starters(study)[0].scaled(100, -100 * equal),
            unit="%",
            signed=True,
        ),
        KeyFigure("tickets completed, of those kept", _completed(study), unit="%"),
        KeyFigure(
            "routes claimed in a game", _claimed(study), of=f"of {len(measures.routes(study))}"
        ),
    ]


def _turns(study: Study) -> Estimate:
    return _mean_of(measures.turns(study), study.games)


def _margin(study: Study) -> Estimate:
    return _mean_of(study[Scores]["margin"] / study.games, study.games)


def _points(study: Study) -> Estimate:
    """Return the mean points of a seat.

    How the points of a game's seats are correlated is not counted: the interval is as wide as if
    they were all the same, its widest.
    """
    spread = study[Scores]["spread"].sum(axis=0) / (study.games * len(study.bots))
    points = float(study[Scores]["total"].mean() / study.games)
    return mean(points, _deviation(spread, LOWEST) / sqrt(study.games))


def _completed(study: Study) -> Estimate:
    """Return the share of the tickets kept that were completed, in per cent.

    The tickets of a seat are correlated: for the interval they are one observation.
    """
    done, failed = (float(study[Scores][name].sum()) for name in ("completed", "failed"))
    share = done / (done + failed) if done + failed else 0.0
    return wilson(share, study.games * len(study.bots)).scaled(100)


def _claimed(study: Study) -> Estimate:
    """Return the mean number of routes claimed in a game.

    Trains are few, so a claim makes others less likely: the interval is that of independent claims,
    which is wider.
    """
    shares = study[Routes]["claims"].sum(axis=0) / study.games
    return mean(float(shares.sum()), sqrt(float((shares * (1 - shares)).sum()) / study.games))


def _mean_of(shares: Floats, games: int) -> Estimate:
    """Return the mean of a distribution over a number of games."""
    return mean(measures.mean(shares), _deviation(shares) / sqrt(games))


def _deviation(shares: Floats, lowest: int = 0) -> float:
    """Return the standard deviation of a distribution."""
    values = np.arange(len(shares)) + lowest
    return sqrt(max(0.0, float(values**2 @ shares) - float(values @ shares) ** 2))
