"""The pace of bots: when an answer may be seen, so that the time it took reveals nothing.

How long a bot thinks depends on cards that only its seat knows. So an answer is held back until a
time that follows from what everybody can see: when the decision was asked for, when a process was
free for it, and how long decisions of this kind take at most.
"""

from collections import deque
from collections.abc import Hashable
from math import ceil, inf, log

_SHORTEST = 0.1  # seconds
_STEP = 1.25  # from one bound to the next
_WINDOW = 256  # decisions


class Pace:
    """Bounds of the time that decisions take, by a kind that everybody can see.

    A bound is the longest of the last decisions of the kind, rounded up. Only a decision that takes
    longer than all of those before it shows that it did, and that coarsely.
    """

    def __init__(self, longest: float = inf) -> None:
        self._longest = longest
        self._took: dict[Hashable, deque[float]] = {}

    def bound(self, kind: Hashable, took: float) -> float:
        """Count a decision, and return after how many seconds it may be seen."""
        window = self._took.setdefault(kind, deque(maxlen=_WINDOW))
        window.append(took)
        return min(self._longest, _rounded(max(window)))


def _rounded(seconds: float) -> float:
    if seconds <= _SHORTEST:
        return _SHORTEST
    return float(_SHORTEST * _STEP ** ceil(log(seconds / _SHORTEST, _STEP) - 1e-9))
