"""The measures of a report, from the totals of a run: of its routes, tickets and seats."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from ferrovia.boards import Board, Route, Ticket
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
from ferrovia.lab.tournament.intervals import Estimate, Share, wilson

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
class Half:
    """A route, and its claims per game: between 0 and 1."""

    route: Route
    claimed: Share


@dataclass(frozen=True)
class RouteMeasure:
    """A route: its claims per game, when (0 to 1 of the game), by whom (share of its claims, by
    bot), and what it was worth. None if it was never claimed.

    A double has two `halves`. With two or three players it is one measure: whoever claims one half
    closes the other (R5.7), which says nothing about how much that half is wanted.
    """

    halves: tuple[Half, ...]
    claimed: Estimate
    when: float | None
    by: dict[str, float]
    worth: Worth | None

    @property
    def route(self) -> Route:
        """The route, or the first half of a double."""
        return self.halves[0].route


@dataclass(frozen=True)
class TicketMeasure:
    """A ticket: how often it was offered, the share of those times that it was kept, and the share
    of these that it was completed; its mean points when kept, and what it was worth for winning.
    """

    ticket: Ticket
    offered: int
    kept: float | None
    completed: Share | None
    worth: Worth | None

    @property
    def value(self) -> Estimate | None:
        """Its mean points when kept: those of the times that it failed are lost."""
        points = self.ticket.points
        return None if self.completed is None else self.completed.scaled(2 * points, -points)


@dataclass(frozen=True)
class RuleMeasure:
    """A rule: how often in a game it was used, and the share of games in which it was."""

    number: str
    what: str
    times: float
    games: Share


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


def closes_doubles(study: Study) -> bool:
    """Return whether a claim of one half of a double closes the other (R5.7)."""
    return len(study.bots) <= 3


def routes(study: Study, *, whole_doubles: bool | None = None) -> list[RouteMeasure]:
    """Return the measures of all routes, in the order of the board.

    A double is one measure if only one half of it can be claimed, or as `whole_doubles` says. With
    four or five players a whole double can be claimed twice in a game.
    """
    whole = closes_doubles(study) if whole_doubles is None else whole_doubles
    groups = _groups(study.edition.board, whole)
    totals, games = study[Routes], study.games
    claims, wins = (
        np.stack([totals[name][:, group].sum(axis=1) for group in groups], axis=1)
        for name in ("claims", "wins")
    )
    middle = (np.arange(TENTHS) + 0.5) / TENTHS
    worths = _worths(study, claims, wins)
    measures = []
    for n, group in enumerate(groups):
        count = int(claims[:, n].sum())
        by = {
            bot: float(claims[seats, n].sum() / count) if count else 0.0
            for bot, seats in seats_of(study).items()
        }
        when = float(totals["when"][group].sum(axis=0) @ middle / count) if count else None
        halves = tuple(
            Half(
                study.edition.board.routes[number],
                wilson(int(totals["claims"][:, number].sum()) / games, games),
            )
            for number in group
        )
        claimed = _claimed(halves, count / games, games, exclusive=closes_doubles(study))
        measures.append(RouteMeasure(halves, claimed, when, by, worths[n]))
    return measures


def _groups(board: Board, whole_doubles: bool) -> list[list[int]]:
    """Return the numbers of the routes, those of a double together if they are to be."""
    numbers = {route.id: number for number, route in enumerate(board.routes)}
    groups = []
    for number, route in enumerate(board.routes):
        twin = board.twin(route.id) if whole_doubles else None
        if twin is None:
            groups.append([number])
        elif numbers[twin.id] > number:
            groups.append([number, numbers[twin.id]])
    return groups


def _claimed(halves: tuple[Half, ...], value: float, games: int, *, exclusive: bool) -> Estimate:
    """Return the claims per game of one or two halves, of which one excludes the other or not."""
    if exclusive or len(halves) == 1:
        return wilson(value, games)
    # How the claims of the two are correlated is not counted: the widest interval they can have.
    shares = [half.claimed for half in halves]
    return Estimate(value, sum(it.low for it in shares), sum(it.high for it in shares))


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
                wilson(done / held, held) if held else None,
                worths[n],
            )
        )
    return measures


def rare_rules(study: Study) -> list[RuleMeasure]:
    """Return the measures of the rules that people have to look up."""
    totals = study[RareRules]
    return [
        RuleMeasure(
            number,
            what,
            float(times) / study.games,
            wilson(float(games) / study.games, study.games),
        )
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


def score_range(shares: dict[str, Floats]) -> tuple[int, int]:
    """Return the scores between which nearly all of them lie."""
    lows = [quantile(one, 0.001, LOWEST) for one in shares.values()]
    highs = [quantile(one, 0.999, LOWEST) for one in shares.values()]
    return min(lows), max(highs)
