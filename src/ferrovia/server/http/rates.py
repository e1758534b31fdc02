"""Limits on how fast anything may be asked for. A rate is an ordinary value."""

from collections import OrderedDict

import msgspec


class Rate(msgspec.Struct, frozen=True):
    """So many at once, and then so many per second."""

    burst: float
    per_second: float


class Meter:
    """How much of a rate is left to one client."""

    __slots__ = ("_left", "_rate", "_then")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left = rate.burst
        self._then: float | None = None

    def take(self, now: float) -> bool:
        """Use one up, if there is one; `now` is in seconds on a clock that never goes back."""
        if self._then is not None:
            gained = max(0.0, now - self._then) * self._rate.per_second
            self._left = min(self._rate.burst, self._left + gained)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Meters:
    """A meter for every address that was seen lately."""

    def __init__(self, rate: Rate, most: int = 10_000) -> None:
        self._rate = rate
        self._most = most
        self._meters: OrderedDict[str, Meter] = OrderedDict()

    def take(self, address: str, now: float) -> bool:
        meter = self._meters.pop(address, None) or Meter(self._rate)
        self._meters[address] = meter  # the last one seen is at the end
        if len(self._meters) > self._most:
            self._meters.popitem(last=False)
        return meter.take(now)
