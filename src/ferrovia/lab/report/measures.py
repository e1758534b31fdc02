"""The measures of a report, from the totals of a run: of its routes, tickets and seats."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from ferrovia.boards import Route, Ticket
from ferrovia.lab.report.study import Study
from ferrovia.lab.results import WHOLE_WIN
from ferrovia.lab.statistics import (
    LOWEST,
    RULES,
    TENTHS,
    Endings,
    RareRules,
    Routes,
    Scores,
    Starters,
    Tickets,
)
from ferrovia.lab.tournament.intervals import Share, wilson

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Worth:
    """How much more often its owners won, as a share of 1, and the standard error of that."""

    value: float
    error: float

    @property
    def certain(self) -> bool:
        """Whether it is more than chance, also with many of them compared."""
        return abs(self.value) > 4 * self.error


@dataclass(frozen=True)
class RouteMeasure:
    """A route: the share of games in which it was claimed, when (0 to 1 of the game), by whom
    (share of its claims, by bot), and what it was worth. None if it was never claimed.
    """

    route: Route
    claimed: float
    when: float | None
    by: dict[str, float]
    worth: Worth | None


@dataclass(frozen=True)
class TicketMeasure:
    """A ticket: how often it was offered, the share of those times that it was kept, and the share
    of these that it was completed; its mean points when kept, and what it was worth for winning.
    """

    ticket: Ticket
    offered: int
    kept: float | None
    completed: float | None
    value: float | None
    worth: Worth | None


@dataclass(frozen=True)
class RuleMeasure:
    """A rule: how often in a game it was used, and the share of games in which it was."""

    number: str
    what: str
    times: float
    games: float


def seats_of(study: Study) -> dict[str, list[int]]:
    """Return the bots, and the seats that each of them had."""
    seats: dict[str, list[int]] = {}
    for seat, bot in enumerate(study.bots):
        seats.setdefault(bot, []).append(seat)
    return seats


def _worths(study: Study, had: Any, wins: Any) -> list[Worth | None]:
    """Return what things were worth, from how often each seat had them and won with them.

    A seat is compared with itself, so that what a strong bot prefers does not look good for that.
    """
    usual = study[Scores]["wins"] / WHOLE_WIN / study.games
    expected = (had * usual[:, None]).sum(axis=0)
    times, won = had.sum(axis=0), wins.sum(axis=0) / WHOLE_WIN
    found: list[Worth | None] = []
    for n, more, got in zip(times, won - expected, won, strict=True):
        if n == 0:
            found.append(None)
            continue
        share = min(max(float(got / n), 0.5 / n), 1 - 0.5 / n)
        found.append(Worth(float(more / n), sqrt(share * (1 - share) / n)))
    return found


def routes(study: Study) -> list[RouteMeasure]:
    """Return the measures of all routes, in the order of the board."""
    totals = study[Routes]
    claims = totals["claims"]
    middle = (np.arange(TENTHS) + 0.5) / TENTHS
    worths = _worths(study, claims, totals["wins"])
    measures = []
    for n, route in enumerate(study.edition.board.routes):
        count = int(claims[:, n].sum())
        by = {
            bot: float(claims[seats, n].sum() / count) if count else 0.0
            for bot, seats in seats_of(study).items()
        }
        when = float(totals["when"][n] @ middle / count) if count else None
        measures.append(RouteMeasure(route, count / study.games, when, by, worths[n]))
    return measures


def tickets(study: Study) -> list[TicketMeasure]:
    """Return the measures of all tickets in play."""
    totals = study[Tickets]
    kept, completed = totals["kept"].sum(axis=0), totals["completed"].sum(axis=0)
    worths = _worths(study, totals["kept"], totals["wins"])
    measures = []
    for n, ticket in enumerate(study.edition.tickets):
        offered, held, done = int(totals["offered"][n]), int(kept[n]), int(completed[n])
        measures.append(
            TicketMeasure(
                ticket,
                offered,
                held / offered if offered else None,
                done / held if held else None,
                ticket.points * (2 * done - held) / held if held else None,
                worths[n],
            )
        )
    return measures


def rare_rules(study: Study) -> list[RuleMeasure]:
    """Return the measures of the rules that one has to look up."""
    totals = study[RareRules]
    return [
        RuleMeasure(number, what, float(times) / study.games, float(games) / study.games)
        for (number, what), times, games in zip(
            RULES, totals["times"], totals["games"], strict=True
        )
    ]


def starters(study: Study) -> list[Share]:
    """Return the win share of each place in the order of play, with equal weight for every seat."""
    totals = study[Starters]
    games, wins = totals["games"], totals["wins"] / WHOLE_WIN
    shares = (wins / np.maximum(games, 1)).mean(axis=0)
    return [wilson(float(share), study.games) for share in shares]


def scores(study: Study) -> dict[str, Floats]:
    """Return by bot the share of its seats with each score from LOWEST on."""
    spread = study[Scores]["spread"]
    return {
        bot: spread[seats].sum(axis=0) / (study.games * len(seats))
        for bot, seats in seats_of(study).items()
    }


def parts_of_scores(study: Study) -> dict[str, dict[str, float]]:
    """Return by bot the mean points of every kind, and the win share of one seat."""
    totals = study[Scores]
    return {
        bot: {
            **{
                name: float(totals[name][seats].mean() / study.games)
                for name in (
                    *("total", "routes", "tickets", "stations", "bonus"),
                    *("longest", "completed", "failed"),
                )
            },
            "won": float(totals["wins"][seats].mean() / WHOLE_WIN / study.games),
        }
        for bot, seats in seats_of(study).items()
    }


def turns(study: Study) -> Floats:
    """Return the share of games with each number of turns."""
    shares: Floats = study[Endings]["turns"] / study.games
    return shares


def callers_win(study: Study) -> float | None:
    """Return the win share of those who triggered the last round; None if nobody ever did."""
    totals = study[Endings]
    called = int(totals["callers"].sum())
    return float(totals["wins"].sum() / WHOLE_WIN / called) if called else None


def mean(shares: Floats, lowest: int = 0) -> float:
    """Return the mean of a distribution."""
    return float((np.arange(len(shares)) + lowest) @ shares)


def quantile(shares: Floats, part: float, lowest: int = 0) -> int:
    """Return the value that this part of a distribution does not exceed."""
    return int(np.searchsorted(np.cumsum(shares), part - 1e-12)) + lowest


def margin(study: Study) -> float:
    """Return the mean difference between the best two seats."""
    return mean(study[Scores]["margin"] / study.games)


def score_range(shares: dict[str, Floats]) -> tuple[int, int]:
    """Return the scores between which nearly all of them lie."""
    lows = [quantile(one, 0.001, LOWEST) for one in shares.values()]
    highs = [quantile(one, 0.999, LOWEST) for one in shares.values()]
    return min(lows), max(highs)
