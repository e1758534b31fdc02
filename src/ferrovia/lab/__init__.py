"""Many games: simulations, tournaments, statistics, reports.

>>> from ferrovia import load_edition
>>> from ferrovia.lab import Plan, simulate
>>> plan = Plan(load_edition("usa"), ("greedy", "random"), games=10, seed=7)
>>> sum(len(results) for results in simulate(plan))
10
"""

from ferrovia.lab.accumulators import Accumulator, Totals
from ferrovia.lab.games import Games, PlayedGame
from ferrovia.lab.results import Tally
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.run import play_run, simulate
from ferrovia.lab.tournament.tournament import Standings, Tournament

__all__ = [
    "Accumulator",
    "Games",
    "Plan",
    "PlayedGame",
    "Standings",
    "Tally",
    "Totals",
    "Tournament",
    "play_run",
    "simulate",
]
