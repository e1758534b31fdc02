"""How often the rules are used that one has to look up."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ferrovia.lab.accumulators import Accumulator
from ferrovia.lab.games import Games, Ints
from ferrovia.rules.state import log
from ferrovia.rules.state.layout import LOCOMOTIVE

Truths = npt.NDArray[np.bool_]


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
"""The number of a rule, and what happened."""


def _uses(games: Games) -> Iterator[Ints]:
    """How often each rule of `RULES` was used in each game, in their order."""
    kind, value = games.rows[:, log.EVENT], games.rows[:, log.VALUE]
    begun = kind == log.REVEAL
    ferry = games.words.tables.ferry[games.rows[:, log.SUBJECT]] > 0
    for happened in (
        kind == log.FLUSH,
        kind == log.SHUFFLE,
        (kind == log.TAKE) & (value == LOCOMOTIVE),
        (kind == log.CLAIM) & ferry,
        begun,
        *(begun & (value == extra) for extra in range(4)),
        kind == log.WITHDRAW,
        (kind == log.OFFERED) & (games.turn > 0),
        kind == log.STATION,
        kind == log.PASS,
    ):
        yield np.bincount(games.game[happened], minlength=len(games))
    points = games.results["total"][:, : games.seats]
    bonus = games.results["bonus"][:, : games.seats] > 0
    level = np.count_nonzero(points == points.max(axis=1, keepdims=True), axis=1) > 1
    shared = np.count_nonzero(games.wins, axis=1) > 1
    yield (games.states["ticket_left"] == 0).astype(np.int64)
    called = np.bincount(games.game[kind == log.LAST_ROUND], minlength=len(games))
    yield called
    yield (called == 0).astype(np.int64)
    yield (bonus.sum(axis=1) > 1).astype(np.int64)
    yield (level & ~shared).astype(np.int64)
    yield shared.astype(np.int64)
