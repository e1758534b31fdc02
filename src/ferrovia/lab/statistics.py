"""The statistics of the report. They count whole batches of games at once, in arrays."""

from collections.abc import Iterator
from typing import Any

from ferrovia.errors import MissingExtra

try:
    import numpy as np
    import numpy.typing as npt
except ImportError as problem:
    raise MissingExtra("report", problem) from None

from ferrovia.lab.accumulators import Accumulator
from ferrovia.lab.arrays import Ints
from ferrovia.lab.games import Games
from ferrovia.lab.results import PER_SEAT
from ferrovia.rules.state import log
from ferrovia.rules.state.layout import LOCOMOTIVE

TENTHS = 10
"""The parts of a game by which `Routes` counts when a route is claimed."""

LOWEST, HIGHEST = -250, 749
"""Scores beyond these are counted as these."""

MOST_TURNS = 1999
"""More turns are counted as these."""


def for_report() -> tuple[Accumulator, ...]:
    """Return everything that a report needs, with nothing counted."""
    return (Routes(), Tickets(), Scores(), Starters(), Endings(), RareRules())


class Routes(Accumulator):
    """Totals by seat and route: `claims`, and the `wins` (in sixtieths) of those who claimed it; by
    route and tenth of the game `when`.
    """

    id = "routes"

    def games(self, games: Games) -> None:
        kind = games.arrays.rows[:, log.EVENT]
        claim = kind == log.CLAIM
        rows, game = games.arrays.rows[claim], games.arrays.game[claim]
        seat, route = rows[:, log.PLAYER], rows[:, log.SUBJECT]
        shape = games.seats, len(games.lexicon.routes)
        totals = self.totals
        totals["claims"] += _counts(shape, seat, route)
        totals["wins"] += _counts(shape, seat, route, weights=games.arrays.wins[game, seat])
        tenth = (
            (games.arrays.turn[claim] - 1)
            * TENTHS
            // np.maximum(games.arrays.results["turns"][game], 1)
        )
        totals["when"] += _counts((shape[1], TENTHS), route, np.clip(tenth, 0, TENTHS - 1))


class Tickets(Accumulator):
    """Totals by ticket `offered`; by seat and ticket `kept`, `completed`, and the `wins` (in
    sixtieths) of those who kept it.
    """

    id = "tickets"

    def games(self, games: Games) -> None:
        seats, tickets = games.seats, len(games.lexicon.tickets)
        offers = games.arrays.rows[games.arrays.rows[:, log.EVENT] == log.OFFERED]
        items = offers[:, log.ITEMS :]
        there = np.arange(items.shape[1]) < offers[:, log.COUNT, None]
        kept = _bits(games.arrays.states["tickets"][:, :seats], tickets)
        completed = _bits(games.arrays.scores["completed"][:, :seats], tickets)
        totals = self.totals
        totals["offered"] += _counts((tickets,), items[there])
        totals["kept"] += kept.sum(axis=0, dtype=np.int64)
        totals["completed"] += completed.sum(axis=0, dtype=np.int64)
        totals["wins"] += np.einsum("gst,gs->st", kept, games.arrays.wins)


class Scores(Accumulator):
    """Totals by seat: `wins` (in sixtieths), the sum of every number of a result, and `spread`, by
    seat and score from LOWEST on; by points `margin` between the best two seats.
    """

    id = "scores"

    def games(self, games: Games) -> None:
        seats = games.seats
        points = np.clip(games.arrays.results["total"][:, :seats], LOWEST, HIGHEST)
        seat = np.broadcast_to(np.arange(seats), points.shape)
        width = HIGHEST - LOWEST + 1
        totals = self.totals
        totals["games"] += len(games)
        totals["wins"] += games.arrays.wins.sum(axis=0)
        totals["spread"] += _counts((seats, width), seat.ravel(), (points - LOWEST).ravel())
        best = np.sort(points, axis=1)
        totals["margin"] += _counts((width,), best[:, -1] - best[:, -2])
        for name in PER_SEAT:
            totals[name] += games.arrays.results[name][:, :seats].sum(axis=0, dtype=np.int64)


class Starters(Accumulator):
    """Totals by seat and place in the order of play, 0 being the one who begins: `games` and
    `wins` (in sixtieths).
    """

    id = "starters"

    def games(self, games: Games) -> None:
        seats = games.seats
        seat = np.broadcast_to(np.arange(seats), (len(games), seats))
        place = (seat - games.arrays.results["first"][:, None]) % seats
        where = seat.ravel(), place.ravel()
        totals, shape = self.totals, (seats, seats)
        totals["games"] += _counts(shape, *where)
        totals["wins"] += _counts(shape, *where, weights=games.arrays.wins.ravel())


class Endings(Accumulator):
    """Totals by number of turns `turns`; by seat `callers` of the last round and their `wins` (in
    sixtieths).
    """

    id = "endings"

    def games(self, games: Games) -> None:
        calls = games.arrays.rows[:, log.EVENT] == log.LAST_ROUND
        game, caller = games.arrays.game[calls], games.arrays.rows[calls, log.PLAYER]
        totals, seats = self.totals, (games.seats,)
        turns = np.clip(games.arrays.results["turns"], 0, MOST_TURNS)
        totals["turns"] += _counts((MOST_TURNS + 1,), turns)
        totals["callers"] += _counts(seats, caller)
        totals["wins"] += _counts(seats, caller, weights=games.arrays.wins[game, caller])


RULES = (
    ("R4.6", "face-up cards swept away for three locomotives"),
    ("R4.8", "draw deck empty, discards shuffled"),
    ("R4.3", "locomotive taken face up"),
    ("R6.1", "ferry claimed"),
    ("R7.1", "tunnel begun"),
    ("R7.2", "… with no extra card"),
    ("R7.2", "… with one extra card"),
    ("R7.2", "… with two extra cards"),
    ("R7.2", "… with three extra cards"),
    ("R7.4", "tunnel given up"),
    ("R8.1", "tickets drawn during the game"),
    ("R9.1", "station built"),
    ("R3.2", "turn passed, nothing else being possible"),
    ("R8.1", "ticket deck empty at the end"),
    ("R10.2", "last round called"),
    ("R3.3", "game over because everybody passed"),
    ("R10.5", "longest route shared"),
    ("R10.6", "tie in points broken by a rule"),
    ("R10.6", "victory shared"),
)
"""The rules that people have to look up: the number, and what happened. In the order of `_uses`."""


class RareRules(Accumulator):
    """Totals of each rule of `RULES`: `times` it was used, and `games` in which it was."""

    id = "rare_rules"

    def games(self, games: Games) -> None:
        times, used = [], []
        for counts in _uses(games):
            times.append(int(counts.sum()))
            used.append(np.count_nonzero(counts))
        self.totals["times"] += np.array(times, np.int64)
        self.totals["games"] += np.array(used, np.int64)


def _uses(games: Games) -> Iterator[Ints]:
    """Yield how often each rule of `RULES` was used in each game, in their order."""
    kind, value = games.arrays.rows[:, log.EVENT], games.arrays.rows[:, log.VALUE]
    begun = kind == log.REVEAL
    ferry = np.asarray(games.lexicon.tables.ferry)[games.arrays.rows[:, log.SUBJECT]] > 0
    for happened in (
        kind == log.FLUSH,
        kind == log.SHUFFLE,
        (kind == log.TAKE) & (value == LOCOMOTIVE),
        (kind == log.CLAIM) & ferry,
        begun,
        *(begun & (value == extra) for extra in range(4)),
        kind == log.WITHDRAW,
        (kind == log.OFFERED) & (games.arrays.turn > 0),
        kind == log.STATION,
        kind == log.PASS,
    ):
        yield np.bincount(games.arrays.game[happened], minlength=len(games))
    points = games.arrays.results["total"][:, : games.seats]
    bonus = games.arrays.results["bonus"][:, : games.seats] > 0
    level = np.count_nonzero(points == points.max(axis=1, keepdims=True), axis=1) > 1
    shared = np.count_nonzero(games.arrays.wins, axis=1) > 1
    yield (games.arrays.states["ticket_left"] == 0).astype(np.int64)
    called = np.bincount(games.arrays.game[kind == log.LAST_ROUND], minlength=len(games))
    yield called
    yield (called == 0).astype(np.int64)
    yield (bonus.sum(axis=1) > 1).astype(np.int64)
    yield (level & ~shared).astype(np.int64)
    yield shared.astype(np.int64)


def _counts(shape: tuple[int, ...], *places: Any, weights: Any = None) -> Ints:
    """Return an array of this shape with the number, or the weight, of what is at each place.

    Sums of whole numbers in floats are exact far beyond what a batch can reach.
    """
    flat = np.ravel_multi_index(tuple(np.asarray(place, np.int64) for place in places), shape)
    return np.bincount(flat, weights, int(np.prod(shape))).astype(np.int64).reshape(shape)


def _bits(masks: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.bool_]:
    """Return sets of up to 64 members a mask, along the last axis, as truth values."""
    whole = np.ascontiguousarray(masks.astype("<u8")).view(np.uint8)
    return np.unpackbits(whole, axis=-1, count=count, bitorder="little").astype(np.bool_)
