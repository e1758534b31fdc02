"""Elo ratings: the model of Bradley and Terry, by maximum likelihood."""

from math import log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ferrovia.lab.tournament.intervals import Z_95

Matrix = npt.NDArray[np.float64]

_POINT = log(10) / 400  # a difference of 400 points is odds of ten to one
_STEPS = 100


class Rating(NamedTuple):
    """A rating, and its standard error against the anchor."""

    elo: float
    error: float

    @property
    def margin(self) -> float:
        """Half of its 95% confidence interval."""
        return Z_95 * self.error


def ratings(wins: Matrix, anchor: int = 0, at: float = 1000.0) -> list[Rating | None]:
    """Return the ratings that make these results most likely; that of the anchor is given.

    `wins[i, j]` is what i won of its games against j; a shared win is a fraction. None for those
    whom no chain of games connects to the anchor. Where the likelihood has no maximum (see
    `bounded`) a drawn game is added to every pair that has met.
    """
    met = np.flatnonzero(_reachable(wins + wins.T > 0)[anchor])
    found: list[Rating | None] = [None] * len(wins)
    some = _most_likely(wins[np.ix_(met, met)], int(np.flatnonzero(met == anchor)[0]))
    for bot, (strength, error) in zip(met, some, strict=True):
        found[bot] = Rating(at + strength / _POINT, error / _POINT)
    return found


def _most_likely(wins: Matrix, anchor: int) -> list[tuple[float, float]]:
    """Return strengths and their standard errors, by Newton's method."""
    wins = wins if bounded(wins) else wins + (wins + wins.T > 0) / 2
    games = wins + wins.T
    free = [n for n in range(len(wins)) if n != anchor]
    strength, errors = np.zeros(len(wins)), np.zeros(len(wins))
    information = np.zeros_like(games)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        weight = games * chance * (1 - chance)
        information = (np.diag(weight.sum(axis=1)) - weight)[np.ix_(free, free)]
        slope = (wins - games * chance).sum(axis=1)
        step = np.linalg.solve(information, slope[free])
        strength[free] += np.clip(step, -2, 2)
        if np.abs(step).max(initial=0) < 1e-10:
            break
    errors[free] = np.sqrt(np.diag(np.linalg.inv(information)))
    return list(zip(strength.tolist(), errors.tolist(), strict=True))


def bounded(wins: Matrix) -> bool:
    """Return whether everybody has won against everybody else, directly or in a chain."""
    return bool(_reachable(wins > 0).all())


def _reachable(steps: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    reach = steps | np.eye(len(steps), dtype=np.bool_)
    for _ in range(len(steps)):
        reach = reach @ reach
    return reach
