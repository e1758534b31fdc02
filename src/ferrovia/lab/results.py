"""The results of many games, and the sums over them."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from ferrovia.bots.kernel.results import PER_SEAT, RESULT, SUMS, WHOLE_WIN, add_results
from ferrovia.kernel import Buffer

__all__ = ["PER_SEAT", "RESULT", "WHOLE_WIN", "Results", "Tally"]


class Results:
    """The results of some games, one after another: rows of RESULT in memory."""

    def __init__(self, memory: Buffer) -> None:
        self.memory = memoryview(memory).cast("B")

    def __len__(self) -> int:
        return len(self.memory) // RESULT.size

    def __getitem__(self, games: slice) -> "Results":
        begin, end, _ = games.indices(len(self))
        return Results(self.memory[begin * RESULT.size : end * RESULT.size])

    def __reduce__(self) -> Any:  # memory of others does not travel between processes
        return Results, (self.tobytes(),)

    def tobytes(self) -> bytes:
        """Return the rows as they lie in memory."""
        return self.memory.tobytes()

    @cached_property
    def table(self) -> Any:
        """The rows as an array of NumPy, with the fields of RESULT."""
        import numpy as np

        return np.frombuffer(self.memory, RESULT.dtype)

    def wins(self, seats: int) -> list[tuple[int, ...]]:
        """Return the win of each seat in each game, in parts of WHOLE_WIN: one may be shared."""
        at = RESULT.fields["winners"].begin
        return [_wins(winners, seats) for winners in self.memory[at :: RESULT.size]]

    def numbers(self, name: str) -> Iterator[Any]:
        """Yield a field of RESULT, game by game."""
        return (getattr(RESULT.of(self.memory, game), name) for game in range(len(self)))


def _wins(winners: int, seats: int) -> tuple[int, ...]:
    part = WHOLE_WIN // max(1, winners.bit_count())
    return tuple(part * (winners >> seat & 1) for seat in range(seats))


class Tally:
    """The sums over many games: whole numbers, so that no order of adding changes them."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self._memory = SUMS.new()
        self._sums = SUMS.of(self._memory)

    def add(self, results: Results) -> None:
        """Count some more games."""
        add_results(results.memory, self._memory)

    @property
    def games(self) -> int:
        """How many games were counted."""
        return int(self._sums.games)

    @property
    def turns(self) -> int:
        """The turns of all games."""
        return int(self._sums.turns)

    @property
    def decisions(self) -> int:
        """The decisions of all games."""
        return int(self._sums.decisions)

    def sums(self, name: str) -> list[int]:
        """Return the sum of a number of RESULT for every seat."""
        return list(getattr(self._sums, name)[: self.seats])

    def win_share(self, seat: int) -> float:
        """Return the share of the games that a seat won; a shared win counts as a fraction."""
        return float(self._sums.wins[seat] / WHOLE_WIN / self.games)

    def mean(self, name: str, seat: int) -> float:
        """Return the mean of a number of RESULT over all games."""
        return self.sums(name)[seat] / self.games

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
