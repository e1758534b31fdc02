"""Where a result came from: start + cards + tickets + others' moves + own choices = result.

The value of a position to a seat is the mean of its points when the scripts play on from it. From
the deal to the end these values make a chain whose last link is the result, so whatever the steps
between are ascribed to, the sheet closes. In a seat's own turn its choices count as the judge
found them by what the seat knew; the rest of the step was luck: of the cards, or of the tickets in
a turn in which tickets were drawn. What changes in the turns of others is theirs.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import floor, sqrt
from typing import NamedTuple

import msgspec

PARTS = ("start", "cards", "tickets", "others", "choices")


class Sheet(msgspec.Struct, frozen=True):
    """The sheet of one seat, in points. `errors` are standard errors; `whole` are the same parts in
    whole points, which add up to the result as well.
    """

    seat: int
    start: float
    cards: float
    tickets: float
    others: float
    choices: float
    result: int
    errors: dict[str, float]
    whole: dict[str, int]


class Transition(NamedTuple):
    """What lies between two positions of the chain: whose step it is (None: the deal), to which
    part the luck of it belongs, and what the choices of each seat in it were worth.
    """

    seat: int | None
    luck: str
    choices: Mapping[int, tuple[float, float]]  # mean and variance, by seat


class Value(NamedTuple):
    """The value of a position to every seat, and the variance of each."""

    points: Sequence[float]
    variances: Sequence[float]


def sheet_of(seat: int, values: Sequence[Value], steps: Sequence[Transition], result: int) -> Sheet:
    """Return the sheet of a seat from the chain of values, the last of which is the result."""
    parts = dict.fromkeys(PARTS, 0.0)
    weights: dict[str, defaultdict[int, int]] = {part: defaultdict(int) for part in PARTS}
    own_variance = defaultdict[str, float](float)
    parts["start"] = values[0].points[seat]
    weights["start"][0] += 1
    for place, step in enumerate(steps):
        change = values[place + 1].points[seat] - values[place].points[seat]
        part = step.luck if step.seat in (None, seat) else "others"
        worth, variance = step.choices.get(seat, (0.0, 0.0))
        parts["choices"] += worth
        parts[part] += change - worth
        own_variance["choices"] += variance
        own_variance[part] += variance
        weights[part][place + 1] += 1
        weights[part][place] -= 1
    # Whatever was lost in the last digits of the sums.
    parts["cards"] += result - sum(parts.values())
    errors = {
        part: sqrt(
            own_variance[part]
            + sum(
                weight**2 * values[place].variances[seat] for place, weight in weights[part].items()
            )
        )
        for part in PARTS
    }
    return Sheet(seat, result=result, errors=errors, whole=in_whole_points(parts, result), **parts)


def in_whole_points(parts: Mapping[str, float], result: int) -> dict[str, int]:
    """Return parts that add up to a result in whole points, each as near as that allows."""
    whole = {part: floor(value) for part, value in parts.items()}
    missing = result - sum(whole.values())
    nearest = sorted(parts, key=lambda part: whole[part] - parts[part])
    for part in nearest[: max(0, missing)]:
        whole[part] += 1
    return whole
