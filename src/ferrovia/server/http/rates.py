"""Rate limits: how many requests a client may send at once, and how many per second."""

from collections import OrderedDict

import msgspec


class Rate(msgspec.Struct, frozen=True):
    """`burst` at once, and then so many per second."""

    burst: float
    per_second: float


class RateLimiter:
    """A rate limit for one client (a token bucket)."""

    __slots__ = ("_left", "_rate", "_then")

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left = rate.burst
        self._then: float | None = None

    def take(self, now: float, amount: float = 1) -> bool:
        """Count a request, or this amount, and return whether it is allowed; `now` is in monotonic
        seconds.
        """
        if self._then is not None:
            gained = max(0.0, now - self._then) * self._rate.per_second
            self._left = min(self._rate.burst, self._left + gained)
        self._then = now
        if self._left < amount:
            return False
        self._left -= amount
        return True


class RateLimiters:
    """A rate limit for each of the addresses seen last, `most` of them at a time."""

    def __init__(self, rate: Rate, most: int = 10_000) -> None:
        self._rate = rate
        self._most = most
        self._limiters: OrderedDict[str, RateLimiter] = OrderedDict()

    def take(self, address: str, now: float, amount: float = 1) -> bool:
        """Count a request of an address, or this amount, and return whether it is allowed."""
        limiter = self._limiters.pop(address, None) or RateLimiter(self._rate)
        self._limiters[address] = limiter  # the last one seen is at the end
        if len(self._limiters) > self._most:
            self._limiters.popitem(last=False)
        return limiter.take(now, amount)
