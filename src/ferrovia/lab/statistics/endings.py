"""How long games are, and how they end."""

import numpy as np

from ferrovia.lab.accumulators import Accumulator
from ferrovia.lab.games import Games
from ferrovia.lab.statistics.counting import table
from ferrovia.rules.state import log

MOST_TURNS = 1999
"""More turns are counted as these."""


class Endings(Accumulator):
    """Totals by number of turns `turns`; by seat `callers` of the last round and their `wins` (in
    sixtieths).
    """

    id = "endings"

    def games(self, games: Games) -> None:
        calls = games.rows[:, log.EVENT] == log.LAST_ROUND
        game, caller = games.game[calls], games.rows[calls, log.PLAYER]
        totals, seats = self.totals, (games.seats,)
        turns = np.clip(games.results["turns"], 0, MOST_TURNS)
        totals["turns"] += table((MOST_TURNS + 1,), turns)
        totals["callers"] += table(seats, caller)
        totals["wins"] += table(seats, caller, weights=games.wins[game, caller])
