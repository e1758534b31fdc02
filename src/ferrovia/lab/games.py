"""Finished games of a run, as arrays for speed and as events for people."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ferrovia.boards import Edition
from ferrovia.game.codec.events import events_of
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.game.events import Event
from ferrovia.game.records.turns import turn_of_rows
from ferrovia.game.scores import Result, result_of
from ferrovia.lab.results import Results, won_sixtieths
from ferrovia.lab.run.plan import Plan
from ferrovia.rules.state import log
from ferrovia.rules.state.layout import SCORE, STATE

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PlayedGame:
    """One finished game: what was played, everything that happened, and how it ended."""

    edition: Edition
    bots: tuple[str, ...]
    number: int
    seed: bytes
    words: Lexicon
    state: npt.NDArray[np.uint8]
    rows: npt.NDArray[np.int16]

    @cached_property
    def events(self) -> list[Event]:
        """Everything that happened, in order."""
        return events_of(self.words, self.rows)

    @cached_property
    def result(self) -> Result:
        """The scores by seat, and the winners."""
        return result_of(self.words, self.state)


class Games:
    """Some finished games of a plan; the first index of every array is the game.

    `states` and `scores` are records of ferrovia.rules.state.layout, `results` rows of RESULT.
    `rows` are the events of all games one after the other, in the format of
    ferrovia.rules.state.log; `game` is the game that each of them belongs to.
    """

    def __init__(
        self,
        plan: Plan,
        words: Lexicon,
        numbers: Sequence[int],
        states: npt.NDArray[np.uint8],
        scores: npt.NDArray[np.uint8],
        results: Results,
        rows: Sequence[npt.NDArray[np.int16]],
    ) -> None:
        self.plan = plan
        self.words = words
        self.numbers = numbers
        self.states: Any = states.view(STATE)[:, 0]
        self.scores: Any = scores.view(SCORE)[:, 0]
        self.results = results
        self.rows = np.concatenate([np.empty((0, log.COLUMNS), np.int16), *rows])
        self._state_bytes = states
        self._counts = np.array([len(part) for part in rows], np.int64)

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[PlayedGame]:
        return iter(self._played)

    @cached_property
    def _played(self) -> list[PlayedGame]:
        plan, ends = self.plan, np.cumsum(self._counts)
        return [
            PlayedGame(
                plan.edition,
                plan.bots,
                number,
                plan.seed_of(number),
                self.words,
                self._state_bytes[place],
                self.rows[ends[place] - self._counts[place] : ends[place]],
            )
            for place, number in enumerate(self.numbers)
        ]

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.plan.bots)

    @cached_property
    def game(self) -> Ints:
        """The place in the batch of the game that each row belongs to."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self._counts)

    @cached_property
    def wins(self) -> Ints:
        """The win of each seat in each game, in sixtieths: a shared win is a fraction."""
        return won_sixtieths(self.results, self.seats)

    @cached_property
    def turn(self) -> Ints:
        """The turn that each row belongs to, from 1; 0 in the set-up (`game/records/turns.py`)."""
        deals = len(self.plan.edition.deals)
        return turn_of_rows(self.rows, self._counts, self.seats, deals)
