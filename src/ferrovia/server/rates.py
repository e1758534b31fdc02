"""Rate limits: how many requests a client may send at once, and how many per second."""

from collections import OrderedDict

import msgspec

from ferrovia.server.networks import OF_SITE, site_of


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

    def charge(self, now: float, amount: float) -> None:
        """Count an amount that cannot be refused any more: the next requests wait for it."""
        self._left = max(-self._rate.burst, self._left_at(now) - amount)
        self._then = now

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
    """A rate limit for each of the addresses seen last, `most` of them at a time, and a larger one
    for all addresses of a site together.
    """

    def __init__(self, rate: Rate, most: int = 10_000) -> None:
        self._addresses = _Limiters(rate, most)
        self._sites = _Limiters(Rate(OF_SITE * rate.burst, OF_SITE * rate.per_second), most)

    def take(self, address: str, now: float, amount: float = 1) -> bool:
        """Count a request of an address, or this amount, and return whether it is allowed."""
        if not self._addresses.of(address).take(now, amount):
            return False
        site = site_of(address)
        return site == address or self._sites.of(site).take(now, amount)

    def charge(self, address: str, now: float, amount: float) -> None:
        """Count an amount for an address that cannot be refused any more."""
        self._addresses.of(address).charge(now, amount)
        site = site_of(address)
        if site != address:
            self._sites.of(site).charge(now, amount)

    def allows(self, address: str, now: float) -> bool:
        """Return whether a request of an address would be allowed, without counting it."""
        site = site_of(address)
        there = self._addresses.of(address).allows(now)
        return there and (site == address or self._sites.of(site).allows(now))


class _Limiters:
    """The rate limits of those seen last."""

    def __init__(self, rate: Rate, most: int) -> None:
        self._rate = rate
        self._most = most
        self._all: OrderedDict[str, RateLimiter] = OrderedDict()

    def of(self, name: str) -> RateLimiter:
        """Return the rate limit of an address or a site."""
        found = self._all.get(name)
        if found is None:
            found = self._all[name] = RateLimiter(self._rate)
            if len(self._all) > self._most:
                self._all.popitem(last=False)
        else:
            self._all.move_to_end(name)  # those seen last are at the end
        return found
