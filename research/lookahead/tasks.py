"""The games of matches that can be played in lockstep: who plays them, and what is missing."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ferrovia.boards import load_edition
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.bots.net.weight_file import net_for
from ferrovia.bots.registry import bot_behind
from ferrovia.bots.search.budget import SearchBudget, read_budget
from research.strength.matches import Match, parts_of


class Task(NamedTuple):
    """A game of a match: a seed, from one side of the table."""

    match: Match
    seating: int
    number: int
    side: int


def budget_of(bot: str) -> SearchBudget | None:
    """Return how much a bot looks ahead; None if it does not.

    ValueError if it cannot play here.
    """
    plain, _, options = bot_behind(bot).partition(":")
    if plain not in (*SCRIPTS, "net"):
        raise ValueError(f"{bot} cannot play in lockstep: only nets and scripts can")
    budget = read_budget(options) if options else None
    if budget and min(budget.iterations, budget.plays) == np.inf:
        raise ValueError(f"{bot} has no number of iterations: no clock is looked at in lockstep")
    return budget


def looks_ahead(match: Match) -> bool:
    """Return whether a match can be played here: a bot looks ahead a number of iterations."""
    try:
        return any([budget_of(match.one), budget_of(match.other)])
    except ValueError:
        return False


def net_of(match: Match) -> str:
    """Return the file of weights that plays a match."""
    return net_for(load_edition(match.edition).board.id, match.seats)


def tasks_of(matches: Sequence[Match], done: Callable[[Match, int, int], bool]) -> list[Task]:
    """Return the games of some matches by their numbers, without seeds that are done."""
    parts = [part for match in matches for part in parts_of(match)]
    seeds = [(p.match, p.seating, p.first + i) for p in parts for i in range(p.seeds)]
    seeds.sort(key=lambda it: it[2])
    return [Task(*seed, side) for seed in seeds if not done(*seed) for side in range(2)]
