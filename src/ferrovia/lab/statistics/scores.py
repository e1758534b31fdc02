"""Scores: how they are spread, and what they are made of."""

import numpy as np

from ferrovia.lab.accumulators import Accumulator
from ferrovia.lab.games import Games
from ferrovia.lab.results import PER_SEAT
from ferrovia.lab.statistics.counting import table

LOWEST, HIGHEST = -250, 749
"""Scores beyond these are counted as these."""


class Scores(Accumulator):
    """Totals by seat: `wins` (in sixtieths), the sum of every number of a result, and `spread`, by
    seat and score from LOWEST on; by points `margin` between the best two seats.
    """

    id = "scores"

    def games(self, games: Games) -> None:
        seats = games.seats
        points = np.clip(games.results["total"][:, :seats], LOWEST, HIGHEST)
        seat = np.broadcast_to(np.arange(seats), points.shape)
        width = HIGHEST - LOWEST + 1
        totals = self.totals
        totals["games"] += len(games)
        totals["wins"] += games.wins.sum(axis=0)
        totals["spread"] += table((seats, width), seat.ravel(), (points - LOWEST).ravel())
        best = np.sort(points, axis=1)
        totals["margin"] += table((width,), best[:, -1] - best[:, -2])
        for name in PER_SEAT:
            totals[name] += games.results[name][:, :seats].sum(axis=0, dtype=np.int64)
