"""The queue for the bots' processes: fair between addresses, and people come before bots."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

_RANKS = 3
_LONGEST_EVERY = 8  # one turn in eight goes to whoever has waited longest, so nobody waits for ever
_RERANK_SECONDS = 0.25
_AT_LEAST = 0.001  # seconds that every turn costs


class Standing(NamedTuple):
    """Who waits: `rank` 0 comes first, and within a rank the addresses take turns."""

    rank: int = 0
    address: str = ""


class _Waiting:
    __slots__ = ("ask", "turn")

    def __init__(self, ask: Callable[[], Standing], turn: "asyncio.Future[None]") -> None:
        self.ask = ask
        self.turn = turn


class FairQueue:
    """Lets `places` in at a time.

    Within a rank the address goes next that has used the least time so far; who was away has saved
    nothing up. Standings change while people wait (somebody begins to watch a table), so they are
    asked for again now and then.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._all: deque[_Waiting] = deque()
        self._ranks: list[dict[str, deque[_Waiting]]] = [{} for _ in range(_RANKS)]
        self._used: dict[str, float] = {}  # seconds of each address, on a scale that they share
        self._scale = 0.0
        self._turns = 0
        self._ranked = 0.0
        self._waiting = 0

    def __len__(self) -> int:
        """Return how many wait."""
        return self._waiting

    async def enter(self, ask: Callable[[], Standing]) -> None:
        """Wait for a place; `leave` gives it back."""
        if self._free and not self._waiting:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        waiting = _Waiting(ask, turn)
        self._all.append(waiting)
        self._add(waiting)
        self._waiting += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._waiting -= 1
            else:  # it was our turn just now
                self._free += 1
                self._admit()
            raise

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

    def _next(self) -> _Waiting | None:
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

    def _longest(self) -> _Waiting | None:
        return _pop(self._all)

    def _rerank(self, now: float) -> None:
        """Sort those who wait anew, and forget the time of addresses that have used no more."""
        self._ranked = now
        self._all = deque(waiting for waiting in self._all if not waiting.turn.done())
        self._ranks = [{} for _ in range(_RANKS)]
        for waiting in self._all:
            self._add(waiting)
        self._used = {a: used for a, used in self._used.items() if used > self._scale}

    def _add(self, waiting: _Waiting) -> None:
        rank, address = waiting.ask()
        self._ranks[rank].setdefault(address, deque()).append(waiting)


def _pop(waiting: deque[_Waiting]) -> _Waiting | None:
    """Return the first that still waits, and drop what is before it."""
    while waiting:
        first = waiting.popleft()
        if not first.turn.done():
            return first
    return None
