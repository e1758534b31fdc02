"""The arithmetic of sequential halving: how arms are rated, when they are halved, when it is over.

Sums are made from left to right, so that a decision is the same on every system.
"""

from collections.abc import Iterable, Sequence
from math import inf, sqrt
from typing import NamedTuple, Protocol

CHUNK = 32  # iterations between two checks
LEAST_CHUNKS = 5  # that say how much values scatter


class HalvingConstants(Protocol):
    """The constants of a search that the halving depends on."""

    prior_visits: float  # visits that the prior is worth
    spread: float  # value that a probability e times smaller stands for
    # The search is over when the second arm could pass the first only by being worth so much more,
    # on average over all visits to come.
    clear: float
    # It is over, too, when the first arm leads every other by this many standard errors of their
    # difference in the worlds so far. None: never.
    certain: float | None


class Chunk(NamedTuple):
    """What arms were worth on average in some worlds, the same for all."""

    means: Sequence[float]
    worlds: int


def stages(arms: int, iterations: float) -> list[tuple[int, float]]:
    """Return the arms of every stage until one is left, and in how many worlds each is tried."""
    counts = []
    while arms > 1:
        counts.append(arms)
        arms = (arms + 1) // 2
    return [(count, iterations / len(counts) / count) for count in counts]


def worlds_of_chunk(arms: int, worlds: float, done: int) -> int:
    """Return in how many worlds to try the arms next, after some of those of a stage.

    It is at least one in a stage, and 0 when the stage is over.
    """
    if done > 0 and done + 0.5 > worlds:
        return 0
    return int(min(max(1, CHUNK // arms), worlds + 0.5 - done))


def rate(
    totals: Sequence[float], visits: int, likelihood: Sequence[float], terms: HalvingConstants
) -> list[float]:
    """Return the value of every arm, with its prior; all had `visits` visits."""
    mean = _sum(totals) / max(1, visits * len(totals))
    return [
        (total + terms.prior_visits * (mean + terms.spread * likely))
        / (visits + terms.prior_visits)
        for total, likely in zip(totals, likelihood, strict=True)
    ]


def best(ratings: Sequence[float]) -> int:
    """Return the place of the best arm, the first of equals."""
    return max(range(len(ratings)), key=ratings.__getitem__)


def better_half(ratings: Sequence[float]) -> list[int]:
    """Return the places of the better half of the arms, in their order."""
    best_first = sorted(range(len(ratings)), key=lambda place: -ratings[place])
    return sorted(best_first[: (len(ratings) + 1) // 2])


def is_clear(
    ratings: Sequence[float], visits: int, to_come: float, terms: HalvingConstants
) -> bool:
    """Return whether a number of further visits to each arm is not expected to change the best."""
    *_, second, first = sorted(ratings)
    return (first - second) * (visits + terms.prior_visits) > terms.clear * to_come


def errors_of_differences(chunks: Sequence[Chunk], best: int) -> list[float]:
    """Return the standard error of the value of each arm less that of the best one.

    Errors are infinite where there are too few chunks.
    """
    arms = len(chunks[0].means)
    if len(chunks) < LEAST_CHUNKS:
        return [inf] * arms
    worlds = sum(chunk.worlds for chunk in chunks)
    errors = []
    for arm in range(arms):
        differences = [(c.worlds, c.means[arm] - c.means[best]) for c in chunks]
        middle = _sum(weight * it for weight, it in differences) / worlds
        scatter = _sum(weight * (it - middle) ** 2 for weight, it in differences)
        errors.append(sqrt(scatter / (len(chunks) - 1) / worlds))
    return errors


def is_certain(
    ratings: Sequence[float], visits: int, chunks: Sequence[Chunk], terms: HalvingConstants
) -> bool:
    """Return whether the worlds so far leave no doubt which arm is the best."""
    if terms.certain is None or len(ratings) == 1 or len(chunks) < LEAST_CHUNKS:
        return False
    first = best(ratings)
    weight = visits / (visits + terms.prior_visits)
    errors = errors_of_differences(chunks, first)
    return all(
        arm == first or ratings[first] - ratings[arm] > terms.certain * (weight * errors[arm])
        for arm in range(len(ratings))
    )


def _sum(numbers: Iterable[float]) -> float:
    total = 0.0
    for number in numbers:
        total += number
    return total
