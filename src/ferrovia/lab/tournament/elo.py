"""Elo ratings: the model of Bradley and Terry, by maximum likelihood."""

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import NamedTuple

from ferrovia.lab.tournament.intervals import Z_95

Matrix = Sequence[Sequence[float]]

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

    `wins[i][j]` is what i won of its games against j; a shared win is a fraction. None for those
    whom no chain of games connects to the anchor. Where the likelihood has no maximum (see
    `bounded`) a drawn game is added to every pair that has met.
    """
    everybody = range(len(wins))
    played = [[wins[i][j] + wins[j][i] > 0 for j in everybody] for i in everybody]
    met = sorted(_reached(played, anchor))
    found: list[Rating | None] = [None] * len(wins)
    some = _most_likely([[wins[i][j] for j in met] for i in met], met.index(anchor))
    for bot, (strength, error) in zip(met, some, strict=True):
        found[bot] = Rating(at + strength / _POINT, error / _POINT)
    return found


def _most_likely(wins: Matrix, anchor: int) -> list[tuple[float, float]]:
    """Return strengths and their standard errors, by Newton's method."""
    bots = range(len(wins))
    games = [[wins[i][j] + wins[j][i] for j in bots] for i in bots]
    if not bounded(wins):
        drawn = [[float(games[i][j] > 0) for j in bots] for i in bots]
        wins = [[wins[i][j] + drawn[i][j] / 2 for j in bots] for i in bots]
        games = [[games[i][j] + drawn[i][j] for j in bots] for i in bots]
    free = [bot for bot in bots if bot != anchor]
    strength, errors = [0.0] * len(wins), [0.0] * len(wins)
    information: list[list[float]] = []
    for _ in range(_STEPS):
        chance = [[1 / (1 + exp(strength[j] - strength[i])) for j in bots] for i in bots]
        weight = [[games[i][j] * chance[i][j] * (1 - chance[i][j]) for j in bots] for i in bots]
        information = [[sum(weight[i]) * (i == j) - weight[i][j] for j in free] for i in free]
        slope = [sum(wins[i][j] - games[i][j] * chance[i][j] for j in bots) for i in free]
        steps = _solved(information, slope)
        for bot, step in zip(free, steps, strict=True):
            strength[bot] += min(max(step, -2.0), 2.0)
        if max(map(abs, steps), default=0.0) < 1e-10:
            break
    for place, bot in enumerate(free):
        unit = [float(other == place) for other in range(len(free))]
        errors[bot] = sqrt(_solved(information, unit)[place])
    return list(zip(strength, errors, strict=True))


def _solved(matrix: Matrix, right: Sequence[float]) -> list[float]:
    """Return the solution of some linear equations, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(len(rows)):
        pivot = max(range(column, len(rows)), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        first = rows[column]
        for row in rows[:column] + rows[column + 1 :]:
            factor = row[column] / first[column]
            row[column:] = [
                a - factor * b for a, b in zip(row[column:], first[column:], strict=True)
            ]
    return [row[-1] / row[place] for place, row in enumerate(rows)]


def bounded(wins: Matrix) -> bool:
    """Return whether everybody has won against everybody else, directly or in a chain."""
    won = [[each > 0 for each in row] for row in wins]
    return all(len(_reached(won, bot)) == len(wins) for bot in range(len(wins)))


def _reached(steps: Sequence[Sequence[bool]], start: int) -> set[int]:
    """Return who can be reached by such steps."""
    reached, border = {start}, [start]
    while border:
        row = steps[border.pop()]
        new = {other for other, there in enumerate(row) if there} - reached
        reached |= new
        border += new
    return reached
