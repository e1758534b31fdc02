"""Shares and means with their confidence intervals, and what lies between two of them."""

from collections.abc import Sequence
from math import fsum, inf, sqrt
from typing import NamedTuple

Z_95 = 1.959963984540054
"""The z-score of a 95% confidence interval."""


class Estimate(NamedTuple):
    """A number with its 95% confidence interval."""

    value: float
    low: float
    high: float

    @property
    def certain(self) -> bool:
        """Whether it is not zero, with 95% confidence."""
        return self.low > 0 or self.high < 0

    def scaled(self, factor: float, shift: float = 0.0) -> "Estimate":
        """Return the estimate of a multiple of the number, with something added to it."""
        ends = sorted((self.low * factor + shift, self.high * factor + shift))
        return Estimate(self.value * factor + shift, *ends)


class Share(Estimate):
    """A share with its 95% confidence interval."""


def wilson(share: float, games: float) -> Share:
    """Return a share of independent games with Wilson's interval."""
    z = Z_95**2 / games
    middle = (share + z / 2) / (1 + z)
    half = sqrt(share * (1 - share) * z + z * z / 4) / (1 + z)
    return Share(share, max(0.0, middle - half), min(1.0, middle + half))


def mean(value: float, error: float) -> Estimate:
    """Return a mean with the interval of its standard error."""
    return Estimate(value, value - Z_95 * error, value + Z_95 * error)


def difference(one: Estimate, other: Estimate) -> Estimate:
    """Return by how much the other is larger; the two must be independent of each other.

    Newcombe's interval: it uses those of both, so that of two shares stays within -1 and 1.
    """
    change = other.value - one.value
    below = sqrt((other.value - other.low) ** 2 + (one.high - one.value) ** 2)
    above = sqrt((other.high - other.value) ** 2 + (one.value - one.low) ** 2)
    return Estimate(change, change - below, change + above)


def paired_share(pairs: Sequence[Sequence[float]]) -> Share:
    """Return the share won in pairs of games that were played with the same seed; a row each.

    The two games of a pair are not independent, so Wilson's interval is taken for the effective
    sample size, which follows from the variance of the pairs: never more than the games that were
    played, never fewer than the pairs.
    """
    means = [fsum(pair) / len(pair) for pair in pairs]
    games = sum(map(len, pairs))
    share = fsum(means) / len(means)
    scatter = fsum((mean - share) ** 2 for mean in means)
    variance = scatter / (len(means) - 1) / len(means) if len(means) > 1 else 0.0
    of_one_game = share * (1 - share)
    effective = of_one_game / variance if variance > 0 else inf if of_one_game > 0 else 0.0
    return wilson(share, min(max(effective, len(means)), games))
