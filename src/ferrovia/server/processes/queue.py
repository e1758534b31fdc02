"""The queue for what there is too little of, as processes: fair between addresses, and bounded.

Bots decide by it, films and analyses are made by it, hints and webhooks wait in it.
"""

import asyncio
import math
from collections import Counter, deque
from collections.abc import Callable
from typing import NamedTuple

from ferrovia.errors import FerroviaError

_RANKS = 3
_LONGEST_EVERY = 8  # one turn in eight goes to whoever has waited longest, so nobody waits for ever
_RERANK_SECONDS = 0.25
_AT_LEAST = 0.001  # seconds that every turn costs


class QueueFull(FerroviaError):
    """There is no room in a queue for whoever would wait."""


class Standing(NamedTuple):
    """Who waits: `rank` 0 comes first, and within a rank the addresses take turns."""

    rank: int = 0
    address: str = ""


class Waiting:
    """Somebody who waits; `turn` is done when it is theirs."""

    __slots__ = ("address", "ask", "turn")

    def __init__(self, ask: Callable[[], Standing], turn: "asyncio.Future[None]") -> None:
        self.ask = ask
        self.turn = turn
        self.address = ask().address


class FairQueue:
    """Lets `places` in at a time; `most` wait, and `most_of_address` of an address.

    When there is no room, the newest of the address that has most waiting gives way.

    Within a rank the address goes next that has used the least time so far; who was away has saved
    nothing up. Standings change while people wait (somebody begins to watch a table), so they are
    asked for again now and then.
    """

    def __init__(
        self, places: int, most: float = math.inf, most_of_address: float = math.inf
    ) -> None:
        self._free = places
        self._most = most
        self._most_of_address = most_of_address
        self._all: deque[Waiting] = deque()
        self._ranks: list[dict[str, deque[Waiting]]] = [{} for _ in range(_RANKS)]
        self._used: dict[str, float] = {}  # seconds of each address, on a scale that they share
        self._scale = 0.0
        self._turns = 0
        self._ranked = 0.0
        self._waiting = 0

    def __len__(self) -> int:
        """Return how many wait."""
        return self._waiting

    @property
    def free(self) -> int:
        """How many places are free."""
        return self._free

    async def enter(self, ask: Callable[[], Standing]) -> None:
        """Wait for a place; `leave` gives it back. Raises `QueueFull`."""
        await self.turn_of(self.line_up(ask))

    def line_up(self, ask: Callable[[], Standing]) -> Waiting:
        """Begin to wait for a place; raises `QueueFull`. `turn_of` waits until it is there."""
        waiting = Waiting(ask, asyncio.get_running_loop().create_future())
        if self._free and not self._waiting:
            self._free -= 1
            waiting.turn.set_result(None)
            return waiting
        self._make_room(waiting.address)
        self._all.append(waiting)
        self._add(waiting)
        self._waiting += 1
        return waiting

    async def turn_of(self, waiting: Waiting) -> None:
        """Wait for a place that was lined up for; raises `QueueFull` when others need the room."""
        try:
            await waiting.turn
        except asyncio.CancelledError:
            if waiting.turn.cancelled():
                self._waiting -= 1
            elif waiting.turn.exception() is None:  # it was our turn just now
                self._free += 1
                self._admit()
            raise

    def _make_room(self, address: str) -> None:
        if self._waiting < min(self._most, self._most_of_address):
            return
        there = [one for one in self._all if not one.turn.done()]
        counts = Counter(one.address for one in there)
        if counts[address] >= self._most_of_address:
            raise QueueFull(f"{counts[address]} wait already")
        if self._waiting < self._most:
            return
        [(longest, most)] = counts.most_common(1)
        if counts[address] + 1 >= most:
            raise QueueFull(f"{self._waiting} wait already")
        newest = next(one for one in reversed(there) if one.address == longest)
        newest.turn.set_exception(QueueFull("others need the room"))
        newest.turn.exception()  # it may be that nobody waits for it any more
        self._waiting -= 1

    def leave(self, address: str, seconds: float) -> None:
        """Give a place back; the seconds that it was held count for an address."""
        used = max(self._used.get(address, 0.0), self._scale)
        self._used[address] = used + max(seconds, _AT_LEAST)
        self._free += 1
        self._admit()

    def open_to_all(self) -> None:
        """Let everybody in who waits."""
        self._free += self._waiting
        self._admit()

    def _admit(self) -> None:
        while self._free and (waiting := self._next()) is not None:
            self._free -= 1
            self._waiting -= 1
            waiting.turn.set_result(None)

    def _next(self) -> Waiting | None:
        self._turns += 1
        if self._turns % _LONGEST_EVERY == 0:
            return self._longest()
        now = asyncio.get_running_loop().time()
        if now - self._ranked > _RERANK_SECONDS:
            self._rerank(now)
        for addresses in self._ranks:
            while addresses:
                address = min(addresses, key=lambda one: self._used.get(one, 0.0))
                waiting = _pop(addresses[address])
                if not addresses[address]:
                    del addresses[address]
                if waiting is not None:
                    self._scale = max(self._scale, self._used.get(address, 0.0))
                    return waiting
        return None

    def _longest(self) -> Waiting | None:
        return _pop(self._all)

    def _rerank(self, now: float) -> None:
        """Sort those who wait anew, and forget the time of addresses that have used no more."""
        self._ranked = now
        self._all = deque(waiting for waiting in self._all if not waiting.turn.done())
        self._ranks = [{} for _ in range(_RANKS)]
        for waiting in self._all:
            self._add(waiting)
        self._used = {a: used for a, used in self._used.items() if used > self._scale}

    def _add(self, waiting: Waiting) -> None:
        rank, address = waiting.ask()
        self._ranks[rank].setdefault(address, deque()).append(waiting)


def _pop(waiting: deque[Waiting]) -> Waiting | None:
    """Return the first that still waits, and drop what is before it."""
    while waiting:
        first = waiting.popleft()
        if not first.turn.done():
            return first
    return None
