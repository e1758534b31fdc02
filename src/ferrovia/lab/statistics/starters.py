"""What beginning is worth."""

import numpy as np

from ferrovia.lab.accumulators import Accumulator
from ferrovia.lab.games import Games
from ferrovia.lab.statistics.counting import table


class Starters(Accumulator):
    """Totals by seat and place in the order of play, 0 being the one who begins: `games`,
    `wins` (in sixtieths) and `points`.
    """

    id = "starters"

    def games(self, games: Games) -> None:
        seats = games.seats
        seat = np.broadcast_to(np.arange(seats), (len(games), seats))
        place = (seat - games.results["first"][:, None]) % seats
        where = seat.ravel(), place.ravel()
        totals, shape = self.totals, (seats, seats)
        totals["games"] += table(shape, *where)
        totals["wins"] += table(shape, *where, weights=games.wins.ravel())
        points = games.results["total"][:, :seats]
        totals["points"] += table(shape, *where, weights=points.ravel())
