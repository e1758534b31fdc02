"""The arithmetic of ferrovia.bots.search.halving for many decisions at once, to the last bit.

The last axis of an array is the arm, those before it are decisions.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ferrovia.bots.search.halving import (
    CHUNK,
    LEAST_CHUNKS,
    HalvingConstants,
    stages,
    worlds_of_chunk,
)

__all__ = ["CHUNK", "LEAST_CHUNKS", "HalvingConstants", "better_half", "stages", "worlds_of_chunk"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def _sum(numbers: Floats, axis: int) -> Floats:
    """Return sums that are made from left to right."""
    total: Floats = np.take(np.cumsum(numbers, axis=axis), -1, axis=axis)
    return total


def rate(totals: Floats, visits: Any, likelihood: Floats, terms: HalvingConstants) -> Floats:
    """Return the value of every arm, the prior taken into account."""
    mean = _sum(totals, -1)[..., None] / np.maximum(1, visits.sum(axis=-1, keepdims=True))
    expected = mean + terms.spread * likelihood
    ratings: Floats = (totals + terms.prior_visits * expected) / (visits + terms.prior_visits)
    return ratings


def better_half(ratings: Floats) -> Ints:
    """Return the places of the better half of the arms, in their order."""
    best_first = np.argsort(-ratings, axis=-1, kind="stable")
    return np.sort(best_first[..., : (ratings.shape[-1] + 1) // 2], axis=-1)


def is_clear(ratings: Floats, visits: Any, to_come: Any, terms: HalvingConstants) -> Any:
    """Return whether this many more visits to each arm cannot be expected to change the best."""
    ordered = np.sort(ratings, axis=-1)
    lead = ordered[..., -1] - ordered[..., -2]
    return lead * (visits + terms.prior_visits) > terms.clear * to_come


def errors_of_differences(means: Floats, worlds: Floats, best: Any) -> Floats:
    """Return the standard error of the value of each arm less that of the arm at a place.

    `means` (chunks, arms) are what the arms were worth in chunks of `worlds` (a chunk of no
    worlds counts as none). Errors are infinite where there are too few chunks.
    """
    chunks = (worlds > 0).sum(axis=-1)[..., None]
    weights = worlds[..., None]
    differences = means - np.take_along_axis(means, np.asarray(best)[..., None, None], axis=-1)
    all_worlds = worlds.sum(axis=-1)[..., None]
    middle = _sum(weights * differences, -2) / all_worlds
    scatter = _sum(weights * (differences - middle[..., None, :]) ** 2, -2)
    squares = scatter / np.maximum(1, chunks - 1)
    errors: Floats = np.where(chunks < LEAST_CHUNKS, np.inf, np.sqrt(squares / all_worlds))
    return errors


def is_certain(
    ratings: Floats, visits: Any, means: Floats, worlds: Floats, terms: HalvingConstants
) -> Any:
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
