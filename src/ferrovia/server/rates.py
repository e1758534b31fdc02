"""Rate limits: how many requests a client may send at once, and how many per second."""

from collections import OrderedDict

import msgspec


class Rate(msgspec.Struct, frozen=True):
    """`burst` at once, and then a number per second."""

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
        left = self._left_at(now)
        self._then = now
        allowed = left >= amount
        self._left = left - amount if allowed else left
        return allowed

    def allows(self, now: float, amount: float = 1) -> bool:
        """Return whether a request would be allowed, without counting it."""
        return self._left_at(now) >= amount

    def _left_at(self, now: float) -> float:
        left, rate, then = self._left, self._rate, self._then
        if then is not None and now > then:
            left += (now - then) * rate.per_second
            if left > rate.burst:
                left = rate.burst
        return left


class RateLimiters:
    """A rate limit for each of the addresses seen last, `most` of them at a time."""

    def __init__(self, rate: Rate, most: int = 10_000) -> None:
        self._rate = rate
        self._most = most
        self._limiters: OrderedDict[str, RateLimiter] = OrderedDict()

    def take(self, address: str, now: float, amount: float = 1) -> bool:
        """Count a request of an address, or this amount, and return whether it is allowed."""
        limiter = self._limiters.get(address)
        if limiter is None:
            limiter = self._limiters[address] = RateLimiter(self._rate)
            if len(self._limiters) > self._most:
                self._limiters.popitem(last=False)
        else:
            self._limiters.move_to_end(address)  # those seen last are at the end
        return limiter.take(now, amount)

    def allows(self, address: str, now: float) -> bool:
        """Return whether a request of an address would be allowed, without counting it."""
        limiter = self._limiters.get(address)
        return limiter is None or limiter.allows(now)
