"""Counting in arrays of whole numbers."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ferrovia.lab.games import Ints


def table(shape: tuple[int, ...], *places: Any, weights: Any = None) -> Ints:
    """An array of this shape with the sum of the weights, or the number, of what is at each place.

    Sums of whole numbers in floats are exact far beyond what a batch can reach.
    """
    flat = np.ravel_multi_index(tuple(np.asarray(place, np.int64) for place in places), shape)
    return np.bincount(flat, weights, int(np.prod(shape))).astype(np.int64).reshape(shape)


def bits(words: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.bool_]:
    """Sets of up to 64 members a word, along the last axis, as truth values."""
    whole = np.ascontiguousarray(words.astype("<u8")).view(np.uint8)
    return np.unpackbits(whole, axis=-1, count=count, bitorder="little").astype(np.bool_)
