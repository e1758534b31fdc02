"""Finished games of a run, as arrays for speed and as events for people."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ferrovia.boards import Edition
from ferrovia.game.codec.events import events_of
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.game.events import Event
from ferrovia.game.scores import Result, result_of
from ferrovia.kernel import Buffer
from ferrovia.lab.results import Results
from ferrovia.lab.run.plan import Plan
from ferrovia.rules.state.layout import STATE
from ferrovia.rules.state.log import Rows

if TYPE_CHECKING:
    from ferrovia.lab.arrays import GameArrays


@dataclass(frozen=True)
class PlayedGame:
    """One finished game: what was played, everything that happened, and how it ended."""

    edition: Edition
    bots: tuple[str, ...]
    number: int
    seed: bytes
    lexicon: Lexicon
    state: Buffer
    rows: Rows

    @cached_property
    def events(self) -> list[Event]:
        """Everything that happened, in order."""
        return events_of(self.lexicon, self.rows)

    @cached_property
    def result(self) -> Result:
        """The scores by seat, and the winners."""
        return result_of(self.lexicon, self.state)


class Games:
    """Some finished games of a plan.

    `states` and `scores` are records of ferrovia.rules.state.layout, one after another, `rows` the
    events of each game in the format of ferrovia.rules.state.log. `arrays` has all of them for
    NumPy.
    """

    def __init__(
        self,
        plan: Plan,
        lexicon: Lexicon,
        numbers: Sequence[int],
        states: Buffer,
        scores: Buffer,
        results: Results,
        rows: Sequence[Rows],
    ) -> None:
        self.plan = plan
        self.lexicon = lexicon
        self.numbers = numbers
        self.states, self.scores, self.results = states, scores, results
        self.rows = rows

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[PlayedGame]:
        return iter(self._played)

    @cached_property
    def _played(self) -> list[PlayedGame]:
        plan = self.plan
        return [
            PlayedGame(
                plan.edition,
                plan.bots,
                number,
                plan.seed_of(number),
                self.lexicon,
                self.states[place * STATE.size : (place + 1) * STATE.size],
                self.rows[place],
            )
            for place, number in enumerate(self.numbers)
        ]

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.plan.bots)

    @cached_property
    def arrays(self) -> "GameArrays":
        """The same as arrays of NumPy; the first index of each is the game, or the event."""
        from ferrovia.lab.arrays import GameArrays

        return GameArrays(self)
