"""Win shares, and how sure one may be of them."""

from math import inf, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

SURE = 1.959963984540054  # standard deviations on either side of 95% of a normal distribution


class Share(NamedTuple):
    """A share with its 95% confidence interval."""

    value: float
    low: float
    high: float


def wilson(share: float, games: float) -> Share:
    """Wilson's interval for a share of so many independent games."""
    z = SURE**2 / games
    middle = (share + z / 2) / (1 + z)
    half = sqrt(share * (1 - share) * z + z * z / 4) / (1 + z)
    return Share(share, max(0.0, middle - half), min(1.0, middle + half))


def paired_share(pairs: npt.NDArray[np.float64]) -> Share:
    """The share won in pairs of games that were played with the same seed; a row each.

    The two games of a pair are not independent. Wilson's interval is taken for as many games as
    the spread of the pairs speaks for: never more than were played, never fewer than pairs.
    """
    means = pairs.mean(axis=1)
    share = float(means.mean())
    spread = float(means.var(ddof=1)) / len(means) if len(means) > 1 else 0.0
    doubt = share * (1 - share)
    speaking = doubt / spread if spread > 0 else inf if doubt > 0 else 0.0
    return wilson(share, min(max(speaking, len(means)), pairs.size))
