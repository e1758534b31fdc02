"""The clock of a server: all servers on one store go by the time of the store.

A deadline is a time that everybody has to agree on. Servers whose own clocks differ would end a
turn early or late, so each measures how far the store's clock is from its own, and checks it again
now and then. In between, time passes as the machine counts it, whatever is done to its date.
"""

import time
from collections.abc import Callable

from ferrovia.server.store import Store

CHECK_SECONDS = 30.0
_LONG = 1.0  # seconds; a measurement that took longer is too uncertain to replace another


class StoreClock:
    """The time of a store, in seconds since 1970; `check` asks the store, `now` never does."""

    def __init__(self, store: Store, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._monotonic = monotonic
        self._offset: float | None = None
        self._last = 0.0
        self.check()

    def now(self) -> float:
        """Return the time; it never goes back."""
        assert self._offset is not None
        self._last = max(self._last, self._monotonic() + self._offset)
        return self._last

    def check(self) -> None:
        """Measure how far the clock of the store is from that of this machine."""
        asked = self._monotonic()
        there = self._store.time()
        answered = self._monotonic()
        if self._offset is None or answered - asked < _LONG:
            self._offset = there - (asked + answered) / 2
