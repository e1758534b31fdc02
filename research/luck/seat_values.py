"""What positions are worth to every seat, seen with open cards.

Each seat has what the net expects of its own view, its points as they stand, and the columns that
describe it; a seat's chance of winning grows with these (a conditional logit over the seats). Any
weights give an unbiased result; good ones leave little luck in it.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ferrovia.boards import Edition
from ferrovia.bots.net.columns import OWN, layout
from ferrovia.bots.net.inference import MOST, Weights
from ferrovia.bots.net.weight_file import net_for, weights_of
from ferrovia.env import BatchEnv, Kind
from ferrovia.kernel import Buffer
from ferrovia.rules.state.layout import NONE, SEATS, START, STATE, TURN

Array = npt.NDArray[Any]

FILE = Path(__file__).parent / "seat_values.json"
_RIDGE = 1e-3
_STEPS = 3000


class SeatValues:
    """Features and values of the positions of one kind of game."""

    def __init__(self, edition: Edition, players: int) -> None:
        self.edition, self.players = edition, players
        self._columns = layout(edition.board.id)
        first = np.zeros(1, np.int64)
        self._env = BatchEnv(
            [Kind(edition, players)], first, key=0, columns=self._columns, threads=1
        )
        self._net = _Net(weights_of(net_for(edition.board.id, players)).of)
        names = [column.name for column in self._columns.all]
        begin = names.index("deck")
        self._own = slice(begin, begin + len(OWN))
        self._scales = np.array(self._columns.scales(), np.float32)

    def describe(self, states: Sequence[Buffer]) -> tuple[Array, Array]:
        """Return the features (states, seats, features), and the shares of the games that are over,
        NaN for all others."""
        seats, count = self.players, len(states)
        seen = np.zeros((count * seats, self._columns.count), np.uint8)
        standings = np.zeros((count, seats))
        shares = np.full((count, seats), np.nan)
        row, one = np.zeros((1, 1 + SEATS)), np.zeros(1, np.int64)
        column = np.zeros((self._columns.count, 1), np.uint8)
        fewest, waits = np.zeros((count, 1, 1)), np.zeros((count, seats))
        scripted = np.zeros(1, np.int64)
        partial = float(self._net.rewards[2]) / 1e6
        for number, state in enumerate(states):
            self._env.arrays["whole"][0] = state
            self._env.stand(one, partial, row)
            standings[number] = row[0, 1 : 1 + seats]
            if row[0, 0] != NONE:
                winners = int(row[0, 0])
                shares[number] = [(winners >> s & 1) / winners.bit_count() for s in range(seats)]
                continue
            s = STATE.of(state)
            fewest[number] = min(s.trains[seat] for seat in range(seats)) / self.edition.trains
            for seat in range(seats):
                waits[number, seat] = (seat - s.seat) % seats / seats
                self._env.arrays["whole"][0] = _to_act(state, seat)
                self._env.play_and_advise(NONE, column, scripted)
                seen[number * seats + seat] = column[:, 0]
        expected = self._net.expectations(seen).reshape(count, seats)
        own = (seen[:, self._own] * self._scales[self._own]).reshape(count, seats, -1)
        margin = standings - (standings.sum(1, keepdims=True) - standings) / (seats - 1)
        promise = (float(self._net.rewards[0]) / 1e6 * margin + expected)[:, :, None]
        plain = np.concatenate([promise, margin[:, :, None] / 50, waits[:, :, None], own], axis=2)
        return np.concatenate([plain, plain * fewest], axis=2), shares

    def values(self, states: Sequence[Buffer], weights: Array) -> Array:
        """Return every seat's share of the victory in states (states, seats)."""
        features, shares = self.describe(states)
        return np.where(np.isnan(shares), chances(features, weights), shares)


def _to_act(state: Buffer, seat: int) -> Buffer:
    """Return a state as if a seat were to act now, which is what the net has learned to judge."""
    s = STATE.of(state)
    if s.phase != START and s.seat == seat:
        return state
    changed = state.copy()
    s = STATE.of(changed)
    if s.phase == START and s.offered[seat]:
        for each in range(s.players):
            if each != seat:
                s.offered[each] = 0
    else:
        s.phase, s.seat = TURN, seat
    return changed


class _Net:
    """What the net expects, for many views at once."""

    def __init__(self, w: Weights) -> None:
        def real(weights: Any) -> Array:
            return np.asarray(weights).astype(np.float32)

        self.rewards = np.asarray(w.rewards)
        shifts = [float(1 << int(shift)) for shift in np.asarray(w.shifts)]
        self._layers = [
            (real(w.first) / shifts[0], real(w.first_bias) / shifts[0]),
            (real(w.second).T / shifts[1], real(w.second_bias) / shifts[1]),
            (real(w.third).T / shifts[2], real(w.third_bias) / shifts[2]),
            (real(w.value).T / shifts[3], real(w.value_bias) / shifts[3]),
        ]
        self._worth, self._bias = real(w.worth) / shifts[5], real(w.worth_bias) / shifts[5]

    def expectations(self, seen: Array) -> Array:
        """Return what seats still expect, from rows of columns."""

        def layer(x: Array, number: int) -> Array:
            weights, bias = self._layers[number]
            return np.clip(x @ weights + bias, 0, MOST)

        narrow = layer(layer(seen.astype(np.float32), 0), 1)
        last = np.clip(layer(narrow, 2) + narrow, 0, MOST)
        found: Array = layer(last, 3) @ self._worth + self._bias
        return found


def chances(features: Array, weights: Array) -> Array:
    """Return the shares of the victory (states, seats) that weights find in features."""
    worth = features @ weights
    worth = np.exp(worth - worth.max(1, keepdims=True))
    found: Array = worth / worth.sum(1, keepdims=True)
    return found


def fitted(parts: Iterable[tuple[Array, Array]]) -> Array:
    """Return the weights that explain best who won, from features and shares of many positions."""
    found = list(parts)
    size = found[0][0].shape[2]
    weights, moment, scatter = np.zeros(size), np.zeros(size), np.zeros(size)
    total = sum(len(shares) for _, shares in found)
    for step in range(1, _STEPS + 1):
        slope = 2 * _RIDGE * weights
        for features, shares in found:
            slope += np.einsum("nsf,ns->f", features, chances(features, weights) - shares) / total
        moment = 0.9 * moment + 0.1 * slope
        scatter = 0.99 * scatter + 0.01 * slope**2
        rate = 0.05 * (1 - step / _STEPS)
        weights -= rate * (moment / (1 - 0.9**step)) / (np.sqrt(scatter / (1 - 0.99**step)) + 1e-8)
    return weights


@cache
def weights_for(board: str) -> Array:
    """Return the weights of a board that comes with Ferrovia."""
    return np.array(json.loads(FILE.read_text(encoding="utf-8"))[board])
