"""Whole random games driven through the kernel, for properties that hold at every step."""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from hypothesis import strategies as st

from ferrovia.boards import editions, load_edition
from ferrovia.game.codec.lexicon import Lexicon, lexicon_of
from ferrovia.rules import calls
from ferrovia.rules.state.layout import OVER, START, STATE
from tests.memory import fields

NO_ROWS, NO_TAPE = bytearray(), array("i")
OUT = np.empty(1024, np.int16)


@dataclass
class Table:
    """A game in the kernel, and the chance that decides for its seats."""

    lexicon: Lexicon
    players: int
    state: Any
    chance: np.random.Generator

    @cached_property
    def s(self) -> Any:
        """The state by the names of its fields; it changes with the state."""
        return fields(self.state, STATE)

    def awaited(self) -> list[int]:
        s = self.s
        phase = s["phase"]
        if phase == OVER:
            return []
        if phase == START:
            return [seat for seat in range(self.players) if s["offered"][seat] > 0]
        return [int(s["seat"])]

    def legal(self, seat: int) -> list[int]:
        count = calls.legal(self.lexicon.book, self.state, seat, OUT)
        listed: list[int] = OUT[:count].tolist()
        return listed

    def apply(self, seat: int, action: int) -> int:
        return int(calls.apply(self.lexicon.book, self.state, seat, action, NO_ROWS, NO_TAPE))

    def step(self) -> None:
        seat = self._one_of(self.awaited())
        assert self.apply(seat, self._one_of(self.legal(seat))) == 0

    def _one_of(self, numbers: list[int]) -> int:
        """Return one of them; `choice` would make an array of them first, which takes long."""
        return numbers[int(self.chance.integers(len(numbers)))]

    def steps(self) -> Iterator[int]:
        """Play to the end; yields before every decision and once after the last."""
        number = 0
        while self.awaited():
            yield number
            self.step()
            number += 1
        yield number


def table(edition: str, players: int, seed: int) -> Table:
    lexicon = lexicon_of(load_edition(edition))
    chance = np.random.default_rng(seed)
    state = STATE.new()
    key = chance.integers(0, 256, 32, dtype=np.uint8)
    calls.start(lexicon.book, state, key, players, -1, NO_ROWS, NO_TAPE)
    return Table(lexicon, players, state, chance)


tables = st.builds(table, st.sampled_from(editions()), st.integers(2, 5), st.integers(0, 2**32 - 1))
