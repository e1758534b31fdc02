"""The root: the arms are tried in the same worlds, and the worse half leaves, until one is left.

(Sequential halving, as in Gumbel searches, without their noise: the prior says who takes part, and
counts as if it were visits.) Several cores search trees of their own and share what the root
learns.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import numpy.typing as npt

from ferrovia.bots.search.desk import Desk
from ferrovia.bots.search.tree import grow, plant
from ferrovia.game.lexicon import Buffer

ARMS = 16  # options that take part
SUBSETS = 32  # ... when tickets are chosen, where the prior knows little
TRIES = 12  # iterations that there must be for each
FAITH = 120.0  # visits that the prior is worth
SPREAD = 0.03  # value that a likelihood e times smaller stands for
CHUNK = 64  # iterations between two looks at the clock
_WORLDS = 1 << 24  # of each core

Floats = npt.NDArray[np.float64]
Arms = npt.NDArray[np.int64]


class Root:
    """The decision of a seat in a view, searched on one desk for each core."""

    def __init__(self, book: Buffer, view: Buffer, seat: int, desks: list[Desk], arms: int) -> None:
        self._book, self._view, self._seat = book, view, seat
        self._desks = desks
        self._worlds = [core * _WORLDS for core in range(len(desks))]
        for desk in desks:
            count = plant(book, view, seat, arms, desk)
        self.alive: Arms = np.arange(1, count + 1)
        self._likelihood: Floats = np.log(desks[0].weights[:count])

    @property
    def action(self) -> int:
        """The best option so far."""
        best = self.alive[np.argmax(self._ratings())]
        return int(self._desks[0].nodes["action"][best])

    def search(self, iterations: int) -> None:
        """Halve the arms until one is left, after about so many iterations in all."""
        stages = self._stages
        for stage in range(stages):
            tries = iterations * (stage + 1) // stages - iterations * stage // stages
            worlds = max(1, round(tries / len(self.alive) / len(self._desks)))
            self._on_every_core(partial(self._grow, worlds))
            self._halve()

    def search_for(self, seconds: float) -> None:
        """The same within a time."""
        begin, stages = time.monotonic(), self._stages
        for stage in range(stages):
            end = begin + seconds * (stage + 1) / stages
            self._on_every_core(partial(self._grow_until, end))
            self._halve()

    @property
    def _stages(self) -> int:
        return (len(self.alive) - 1).bit_length()

    def _on_every_core(self, work: Callable[[int], None]) -> None:
        cores = range(len(self._desks))
        if len(cores) == 1:
            work(0)
        else:
            with ThreadPoolExecutor(len(cores)) as threads:
                list(threads.map(work, cores))

    def _grow(self, worlds: int, core: int) -> None:
        first, desk = self._worlds[core], self._desks[core]
        grow(self._book, self._view, self._seat, self.alive, first, worlds, desk)
        self._worlds[core] += worlds

    def _grow_until(self, end: float, core: int) -> None:
        self._grow(1, core)
        while time.monotonic() < end:
            self._grow(max(1, CHUNK // len(self.alive)), core)

    def _ratings(self) -> Floats:
        """The value of every arm that is left, the prior taken into account."""
        visits = sum(desk.nodes["visits"][self.alive] for desk in self._desks)
        totals = sum(desk.nodes["total"][self.alive] for desk in self._desks)
        expected = totals.sum() / max(1, visits.sum()) + SPREAD * self._likelihood[self.alive - 1]
        ratings: Floats = (totals + FAITH * expected) / (visits + FAITH)
        return ratings

    def _halve(self) -> None:
        best_first = np.argsort(-self._ratings(), kind="stable")
        self.alive = np.sort(self.alive[best_first[: (len(self.alive) + 1) // 2]])
