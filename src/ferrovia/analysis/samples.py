"""What became of options in many worlds: numbers by option and seat, one for each world."""

from array import array
from collections.abc import Iterable, Sequence
from math import fsum, sqrt
from typing import Any

import msgspec

from ferrovia.rules.state.layout import SEATS

INTERVAL = 2.576  # standard errors on either side: 99 of 100 intervals hold the true value

Numbers = Sequence[float]


class Interval(msgspec.Struct, frozen=True):
    """A mean with the bounds of its interval."""

    mean: float
    low: float
    high: float

    @property
    def is_above_zero(self) -> bool:
        """Whether the interval excludes zero, above it."""
        return self.low > 0.0

    def rounded(self, digits: int) -> "Interval":
        """Return the interval rounded to a number of decimals."""
        return Interval(*(round(it, digits) for it in (self.mean, self.low, self.high)))


def mean(numbers: Numbers) -> float:
    """Return the mean of numbers; 0 of none."""
    return fsum(numbers) / len(numbers) if len(numbers) else 0.0


def variance(numbers: Numbers) -> float:
    """Return the variance of what two or more numbers were drawn from."""
    middle = mean(numbers)
    return fsum((it - middle) ** 2 for it in numbers) / (len(numbers) - 1)


def interval_of(numbers: Numbers) -> Interval:
    """Return the mean of numbers and its interval; unbounded for fewer than two."""
    middle = mean(numbers)
    if len(numbers) < 2:
        return Interval(middle, float("-inf"), float("inf"))
    half = INTERVAL * sqrt(variance(numbers)) / sqrt(len(numbers))
    return Interval(middle, middle - half, middle + half)


def differences(numbers: Iterable[float], others: Iterable[float]) -> Numbers:
    """Return by how much numbers are greater than others, one by one."""
    return array("d", (a - b for a, b in zip(numbers, others, strict=True)))


def new_outcomes(worlds: int, options: int) -> Any:
    """Return memory for outcomes, by world, option and seat."""
    return memoryview(bytearray(8 * worlds * options * SEATS)).cast("d", (worlds, options, SEATS))


class Samples:
    """The outcomes of some options for every seat, world by world."""

    def __init__(self, columns: list[list["array[float]"]]) -> None:
        self._columns = columns

    @classmethod
    def of(cls, outcomes: Any, players: int) -> "Samples":
        """Return what was written to `new_outcomes`."""
        _, options, seats = outcomes.shape
        flat = array("d", outcomes.tobytes())
        step = options * seats
        return cls([[flat[o * seats + s :: step] for s in range(players)] for o in range(options)])

    def __getitem__(self, place: tuple[int, int]) -> Numbers:
        """Return the numbers of an option for a seat."""
        option, seat = place
        return self._columns[option][seat]

    @property
    def options(self) -> int:
        """How many there are."""
        return len(self._columns)

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self._columns[0])

    def means(self, seat: int) -> list[float]:
        """Return the mean of every option for a seat."""
        return [mean(seats[seat]) for seats in self._columns]

    def means_of(self, option: int) -> list[float]:
        """Return the mean of an option for every seat."""
        return [mean(numbers) for numbers in self._columns[option]]

    def between(self, option: int, other: int, seat: int) -> Numbers:
        """Return what one option is worth more than another to a seat, world by world."""
        return differences(self[option, seat], self[other, seat])

    def only(self, options: Iterable[int]) -> "Samples":
        """Return the outcomes of some of the options."""
        return Samples([self._columns[option] for option in options])

    def and_more(self, other: "Samples") -> "Samples":
        """Return the outcomes in these worlds and those of another part."""
        pairs = zip(self._columns, other._columns, strict=True)
        return Samples([[a + b for a, b in zip(*both, strict=True)] for both in pairs])
