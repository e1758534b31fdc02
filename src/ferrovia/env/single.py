"""One game by small numbers: what the interfaces of other libraries are built on.

An action is a number below `actions`, an observation the columns of `ferrovia.bots.net.columns`.
Seats decide one after the other; what chance does follows from the seed.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ferrovia.boards import Edition, load_edition
from ferrovia.bots.net.columns import Columns
from ferrovia.env.batch import BatchEnv, Kind
from ferrovia.game.chance.seeds import seed_bytes
from ferrovia.kernel import Buffer
from ferrovia.rules import calls
from ferrovia.rules.state.layout import EVERYTHING, NONE, SEATS, STATE

Observation = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.int8]


class SingleGame:
    """A game of an edition; after `reset` the seat `seat` is to act, until it is NONE.

    Without `advice` the columns of planner's plan and decision are zeros: see `BatchEnv`.
    """

    def __init__(self, name: str | Edition, players: int, *, advice: bool = True) -> None:
        self.edition = name if isinstance(name, Edition) else load_edition(name)
        self.edition.check_seats(players)
        self.players = players
        kinds, first = [Kind(self.edition, players)], np.zeros(1, np.int64)
        self._env = BatchEnv(kinds, first, key=0, advice=advice, threads=1)
        self.columns: Columns = self._env.columns
        count, self._actions = self.columns.count, self.columns.actions
        self._seat = NONE
        self._obs = np.zeros((count, 1), np.uint8)
        self._row = self._obs[:, 0]  # what the seat to act sees
        self._rows = list(self._env.arrays["rows_seen"])  # of every seat, without advice
        self._seen = np.zeros((count, 1), np.uint8)
        self._planner = np.full(1, NONE, np.int64)
        self._standing: BatchEnv | None = None

    @property
    def actions(self) -> int:
        """The number of actions."""
        return self._actions

    @property
    def seat(self) -> int:
        """The seat that is to act, NONE when the game is over."""
        return self._seat

    @property
    def planner(self) -> int:
        """What planner would do for that seat; NONE without its advice."""
        return int(self._planner[0])

    @property
    def state(self) -> npt.NDArray[np.uint8]:
        """The bytes of the whole state: nothing is hidden in it. They are not a copy."""
        whole: npt.NDArray[np.uint8] = self._env.arrays["whole"][0]
        return whole

    @state.setter
    def state(self, whole: Buffer | npt.NDArray[np.uint8]) -> None:
        self._env.arrays["whole"][0] = whole
        self._look()

    def reset(self, seed: int | bytes) -> None:
        """Begin the game of a seed, the same as `Game` begins with it."""
        self._env.arrays["seeds"][0] = np.frombuffer(seed_bytes(seed), np.uint8)
        self._env.reset()
        self._look()

    def _look(self) -> None:
        self._play(NONE)

    def _play(self, action: int) -> None:
        """Carry out an action, if it is one, and take over what the next seat sees."""
        if self._env.advice:
            self._seat = self._env.play_and_advise(action, self._obs, self._planner)
            return
        self._seat = seat = self._env.play_and_see(action)
        if seat != NONE:
            self._row = self._rows[seat]

    def observe(self, seat: int) -> Observation:
        """Return what a seat sees now. Planner's decision is in it if the seat is to act."""
        if seat == self.seat:
            return self._row.copy()
        self._env.look(0, seat, self._seen)
        return self._seen[:, 0].copy()

    def mask(self, seat: int) -> Mask:
        """Return 1 for every action that is legal for the seat, 0 for all others."""
        if seat != self.seat:
            return np.zeros(self._actions, np.int8)
        return self._row[: self._actions].view(np.int8).copy()

    def play(self, action: int) -> None:
        """Carry out an action of the seat that is to act. ValueError if it is not legal."""
        if self.seat == NONE:
            raise ValueError("the game is over")
        if not 0 <= action < self._actions or not self._row[action]:
            raise ValueError(f"action {action} is not legal now")
        self._play(action)

    def totals(self) -> list[int]:
        """Return the points of every seat, as if the game ended now."""
        return [int(points) for points in self._result()[1 : 1 + self.players]]

    def standings(self, partial: float = 0.0) -> list[float]:
        """Return the points of every seat as they stand, with this part of the credit for ways that
        are half built (see ferrovia.bots.net.reward)."""
        if self._standing is None:  # a game of its own, since this overwrites what was planned
            self._standing = BatchEnv(
                [Kind(self.edition, self.players)], np.zeros(1, np.int64), key=0, threads=1
            )
        row = np.zeros((1, 1 + SEATS))
        self._standing.arrays["whole"][0] = self.state
        self._standing.stand(np.zeros(1, np.int64), partial, row)
        return [float(points) for points in row[0, 1 : 1 + self.players]]

    def rewards(self) -> list[float]:
        """Return what the end is worth to every seat (see `rewards_of`); zeros before it."""
        if self.seat != NONE:
            return [0.0] * self.players
        return rewards_of(int(self._result()[0]), self.players)

    def _result(self) -> Any:
        return self._env.results()[0]

    def resample(self, seat: int, rng: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
        """Return a whole state that agrees with what a seat sees, the rest drawn at random."""
        view = np.zeros_like(self.state)
        calls.view(self.state, seat, view)
        out = np.zeros_like(view)
        book = self._env.books.view(np.uint8)
        calls.sample(book, view, out, rng)
        out.view(STATE)[0].viewer = EVERYTHING
        return out


def rewards_of(winners: int, players: int) -> list[float]:
    """Return what a finished game is worth to each seat, from its winners as bits.

    The sum is zero: winning alone is worth 1, a shared win less, everything else what the
    others lose together, -1 with two seats, -1/(n - 1) with n.
    """
    shares = [((winners >> seat) & 1) / winners.bit_count() for seat in range(players)]
    return [(players * share - 1) / (players - 1) for share in shares]
