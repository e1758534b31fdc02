"""Routes and stations: how often, by whom, when, and how those did who built them."""

import numpy as np

from ferrovia.lab.accumulators import Accumulator
from ferrovia.lab.games import Games
from ferrovia.lab.statistics.counting import table
from ferrovia.rules.state import log

TENTHS = 10


class Routes(Accumulator):
    """Totals by seat and route: `claims`, and of those who claimed it `wins` (in sixtieths) and
    `points`; by route and tenth of the game `when`; by seat and city `stations`.
    """

    id = "routes"

    def games(self, games: Games) -> None:
        kind = games.rows[:, log.EVENT]
        claim, station = kind == log.CLAIM, kind == log.STATION
        rows, game = games.rows[claim], games.game[claim]
        seat, route = rows[:, log.PLAYER], rows[:, log.SUBJECT]
        shape = games.seats, len(games.words.routes)
        totals = self.totals
        totals["claims"] += table(shape, seat, route)
        totals["wins"] += table(shape, seat, route, weights=games.wins[game, seat])
        totals["points"] += table(shape, seat, route, weights=games.results["total"][game, seat])
        tenth = (games.turn[claim] - 1) * TENTHS // np.maximum(games.results["turns"][game], 1)
        totals["when"] += table((shape[1], TENTHS), route, np.clip(tenth, 0, TENTHS - 1))
        built = games.rows[station]
        cities = games.seats, len(games.words.cities)
        totals["stations"] += table(cities, built[:, log.PLAYER], built[:, log.SUBJECT])
