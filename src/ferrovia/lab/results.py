"""The result of a game in a few numbers, and the sums over many games."""

from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ferrovia.rules.state.layout import SCORE, SEATS, STATE

PER_SEAT = ("total", "routes", "tickets", "stations", "bonus", "longest", "completed", "failed")

RESULT = np.dtype(
    [
        ("winners", "u1"),  # a bit for each seat
        ("first", "i1"),  # the seat that began
        ("turns", "i4"),
        ("decisions", "i4"),
        *((name, "i2", (SEATS,)) for name in PER_SEAT),
    ]
)
"""One finished game."""

# All numbers of the seats as one: summing them field by field takes eight times as long.
_BY_SEAT = np.dtype(
    {
        "names": ["numbers"],
        "formats": [("i2", (len(PER_SEAT), SEATS))],
        "offsets": [cast("dict[str, Any]", RESULT.fields)[PER_SEAT[0]][1]],
        "itemsize": RESULT.itemsize,
    }
)

Results = npt.NDArray[np.void]

WHOLE_WIN = 60  # a win is counted in sixtieths: up to six seats can share it without rounding


def results_of(
    states: npt.NDArray[np.uint8], scores: npt.NDArray[np.uint8], decisions: npt.ArrayLike
) -> Results:
    """Return the results of finished games, a row each, from the kernel's states and scores."""
    s, score = states.view(STATE)[:, 0], scores.view(SCORE)[:, 0]
    results = np.zeros(len(states), RESULT)
    results["winners"] = score["winners"]
    results["first"] = s["first"]
    results["turns"] = s["turns"]
    results["decisions"] = decisions
    for name in ("total", "routes", "tickets", "stations", "bonus", "longest"):
        results[name] = score[name]
    results["completed"] = score["completed_count"]
    results["failed"] = s["ticket_count"].astype(np.int16) - score["completed_count"]
    return results


def won_sixtieths(results: Results, seats: int) -> npt.NDArray[np.int64]:
    """Return the win of each seat in each game, in sixtieths."""
    won = (results["winners"][:, None] >> np.arange(seats)) & 1
    shares: npt.NDArray[np.int64] = won * (WHOLE_WIN // np.maximum(won.sum(axis=1), 1))[:, None]
    return shares


@dataclass
class Tally:
    """The sums over many games: whole numbers, so that no order of adding changes them."""

    seats: int
    games: int = 0
    turns: int = 0
    decisions: int = 0
    wins: list[int] = field(init=False)
    sums: dict[str, list[int]] = field(init=False)

    def __post_init__(self) -> None:
        self.wins = [0] * self.seats
        self.sums = {name: [0] * self.seats for name in PER_SEAT}

    def add(self, results: Results) -> None:
        """Count some more games."""
        self.games += len(results)
        self.turns += int(results["turns"].sum(dtype=np.int64))
        self.decisions += int(results["decisions"].sum(dtype=np.int64))
        for seat, won in enumerate(won_sixtieths(results, self.seats).sum(axis=0).tolist()):
            self.wins[seat] += won
        totals = results.view(_BY_SEAT)["numbers"].sum(axis=0, dtype=np.int64).tolist()
        for name, more in zip(PER_SEAT, totals, strict=True):
            self.sums[name] = [sum(both) for both in zip(self.sums[name], more, strict=False)]

    def win_share(self, seat: int) -> float:
        """Return the share of the games that a seat won; a shared win counts as a fraction."""
        return self.wins[seat] / WHOLE_WIN / self.games

    def mean(self, name: str, seat: int) -> float:
        """Return the mean of a number of RESULT over all games."""
        return self.sums[name][seat] / self.games

    def summary(self, bots: tuple[str, ...]) -> dict[str, Any]:
        """Return everything, for programs; `bots` are the names of the seats."""
        if self.games == 0:
            return {"games": 0, "seats": []}
        return {
            "games": self.games,
            "turns": round(self.turns / self.games, 3),
            "decisions": round(self.decisions / self.games, 3),
            "seats": [
                {
                    "seat": seat,
                    "bot": bot,
                    "win_share": round(self.win_share(seat), 6),
                    **{name: round(self.mean(name, seat), 3) for name in PER_SEAT},
                }
                for seat, bot in enumerate(bots)
            ],
        }
