"""Finished games as arrays of NumPy, for statistics that count a whole batch at once."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ferrovia.rules.state import log
from ferrovia.rules.state.layout import SCORE, STATE

if TYPE_CHECKING:
    from ferrovia.lab.games import Games

Ints = npt.NDArray[np.int64]


class GameArrays:
    """The arrays of some games. `rows` are the events of all games one after the other; `game` is
    the game that each of them belongs to.
    """

    def __init__(self, games: "Games") -> None:
        self.states: Any = np.frombuffer(games.states, STATE.dtype)
        self.scores: Any = np.frombuffer(games.scores, SCORE.dtype)
        self.results: Any = games.results.table
        rows = [np.asarray(part, np.int16).reshape(-1, log.COLUMNS) for part in games.rows]
        self.rows = np.concatenate([np.empty((0, log.COLUMNS), np.int16), *rows])
        self._counts = np.array([len(part) for part in rows], np.int64)
        self._seats, self._deals = games.seats, len(games.plan.edition.deals)
        wins = np.array(games.results.wins(games.seats), np.int64)
        self.wins: Ints = wins.reshape(-1, games.seats)
        """The win of each seat in each game, in parts of WHOLE_WIN."""

    @cached_property
    def game(self) -> Ints:
        """The place in the batch of the game that each row belongs to."""
        return np.repeat(np.arange(len(self._counts), dtype=np.int64), self._counts)

    @cached_property
    def turn(self) -> Ints:
        """The turn that each row belongs to, from 1; 0 in the set-up (`game/records/turns.py`)."""
        return turn_of_rows(self.rows, self._counts, self._seats, self._deals)


def turn_of_rows(rows: npt.NDArray[np.int16], counts: Ints, players: int, deals: int) -> Ints:
    """Return the turn of each row, from 1; 0 in the set-up.

    `rows` are the logs of several games, one after the other; `counts` says how many rows each has.
    """
    kind, seat = rows[:, log.EVENT], rows[:, log.PLAYER]
    game = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    kept = (kind == log.KEPT).astype(np.int64)
    playing = _since_start(kept, counts) - kept >= players * deals
    acting = np.flatnonzero(playing & (seat >= 0))
    begun = np.zeros(len(rows), np.int64)
    begun[acting[1:]] = (np.diff(seat[acting]) != 0) | (np.diff(game[acting]) != 0)
    begun[acting[:1]] = 1
    turn: Ints = _since_start(begun, counts) * playing
    shuffles = np.flatnonzero(kind == log.SHUFFLE)
    others = np.flatnonzero(kind != log.SHUFFLE)
    after = np.searchsorted(others, shuffles)
    shuffles, after = shuffles[after < len(others)], after[after < len(others)]
    same = game[shuffles] == game[others[after]]
    turn[shuffles[same]] = turn[others[after[same]]]
    return turn


def _since_start(numbers: Ints, counts: Ints) -> Ints:
    """Return the sums of `numbers` from the start of each row's game to the row."""
    before = np.concatenate([[0], np.cumsum(numbers)])
    firsts = np.cumsum(counts) - counts
    since: Ints = before[1:] - np.repeat(before[firsts], counts)
    return since
