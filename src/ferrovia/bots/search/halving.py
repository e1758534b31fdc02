"""The arithmetic of sequential halving: how arms are rated, when they are halved, when it is over.

All functions work on the arms of one decision, or of many with as many arms each: the last axis of
an array is the arm, those before it are decisions. A decision of many comes out as it does alone,
to the last bit.
"""

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

CHUNK = 32  # iterations between two checks
LEAST_CHUNKS = 5  # that say how much values scatter

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Terms(Protocol):
    """The constants of a search that the halving depends on."""

    prior_visits: float  # visits that the prior is worth
    spread: float  # value that a probability e times smaller stands for
    # The search is over when the second arm could pass the first only by being worth so much more,
    # on average over all visits to come.
    clear: float
    # It is over, too, when the first arm leads every other by so many standard errors of their
    # difference in the worlds so far. None: never.
    certain: float | None


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


def rate(totals: Floats, visits: Any, likelihood: Floats, terms: Terms) -> Floats:
    """Return the value of every arm, the prior taken into account."""
    mean = totals.sum(axis=-1, keepdims=True) / np.maximum(1, visits.sum(axis=-1, keepdims=True))
    expected = mean + terms.spread * likelihood
    ratings: Floats = (totals + terms.prior_visits * expected) / (visits + terms.prior_visits)
    return ratings


def better_half(ratings: Floats) -> Ints:
    """Return the places of the better half of the arms, in their order."""
    best_first = np.argsort(-ratings, axis=-1, kind="stable")
    return np.sort(best_first[..., : (ratings.shape[-1] + 1) // 2], axis=-1)


def is_clear(ratings: Floats, visits: Any, to_come: Any, terms: Terms) -> Any:
    """Return whether so many more visits of each arm cannot be expected to change the best."""
    ordered = np.sort(ratings, axis=-1)
    lead = ordered[..., -1] - ordered[..., -2]
    return lead * (visits + terms.prior_visits) > terms.clear * to_come


def errors_of_differences(means: Floats, worlds: Floats, best: Any) -> Floats:
    """Return the standard error of the value of each arm less that of the arm at a place.

    `means` (chunks, arms) are what the arms were worth in chunks of so many `worlds` (a chunk of no
    worlds counts as none). Errors are infinite where there are too few chunks.
    """
    chunks = (worlds > 0).sum(axis=-1)[..., None]
    weights = worlds[..., None]
    differences = means - np.take_along_axis(means, np.asarray(best)[..., None, None], axis=-1)
    all_worlds = worlds.sum(axis=-1)[..., None]
    middle = (weights * differences).sum(axis=-2) / all_worlds
    scatter = (weights * (differences - middle[..., None, :]) ** 2).sum(axis=-2)
    squares = scatter / np.maximum(1, chunks - 1)
    errors: Floats = np.where(chunks < LEAST_CHUNKS, np.inf, np.sqrt(squares / all_worlds))
    return errors


def is_certain(ratings: Floats, visits: Any, means: Floats, worlds: Floats, terms: Terms) -> Any:
    """Return whether the worlds so far leave no doubt which arm is the best."""
    if terms.certain is None or ratings.shape[-1] == 1 or worlds.shape[-1] < LEAST_CHUNKS:
        return np.zeros(ratings.shape[:-1], np.bool_)
    best = np.argmax(ratings, axis=-1)
    weight = np.asarray(visits / (visits + terms.prior_visits))[..., None]
    errors = weight * errors_of_differences(means, worlds, best)
    lead = np.take_along_axis(ratings, best[..., None], axis=-1) - ratings
    leads = lead > terms.certain * errors
    np.put_along_axis(leads, best[..., None], True, axis=-1)
    return np.all(leads, axis=-1)
