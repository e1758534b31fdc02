"""The root: the arms are tried in the same worlds, and the worse half leaves, until one is left.

This is sequential halving, as in Gumbel searches, without their noise: the prior chooses the arms,
and counts as if it were visits. Several cores search trees of their own and share what the root
learns.
"""

import time
from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Protocol

from ferrovia.bots.search import halving
from ferrovia.bots.search.halving import Chunk
from ferrovia.bots.search.nodes import grow, plant
from ferrovia.bots.search.workspace import NODE, Workspace
from ferrovia.kernel import Buffer, Ints, Pack

ARMS = 24  # options that take part
TRIES = 24  # iterations that there must be for each
_WORLDS = 1 << 24  # numbers of worlds for each core


class Method(halving.HalvingConstants, Protocol):
    """How options are found and tried, in one workspace for each core."""

    workspaces: list[Pack[Workspace]]

    def plant(self, core: int, book: Buffer, view: Buffer, seat: int, most: int) -> Sequence[float]:
        """List at most `most` options as nodes 1 and so on.

        Return the logarithm of how likely each is, as compared with the first.
        """

    def grow(
        self,
        core: int,
        book: Buffer,
        view: Buffer,
        seat: int,
        arms: Ints,
        first: int,
        worlds: int,
    ) -> None:
        """Try some options in worlds numbered from `first` on."""


class ByPlanner:
    """Trees with planner as prior, and rollouts by script."""

    # How hard it is to turn the search away from what planner would do. Less (20 visits, 0.03) was
    # best by the worlds of single positions, and worse in matches against planner (short ones).
    prior_visits = 60.0
    spread = 0.1
    clear = 0.1  # 400 games of USA classic against planner showed no loss by it
    certain: float | None = None

    def __init__(self, workspaces: list[Pack[Workspace]]) -> None:
        self.workspaces = workspaces

    def plant(self, core: int, book: Buffer, view: Buffer, seat: int, most: int) -> Sequence[float]:
        workspace = self.workspaces[core]
        return workspace.of.weights[: plant(book, view, seat, most, workspace)].tolist()

    def grow(
        self,
        core: int,
        book: Buffer,
        view: Buffer,
        seat: int,
        arms: Ints,
        first: int,
        worlds: int,
    ) -> None:
        grow(book, view, seat, arms, first, worlds, self.workspaces[core])


class Root:
    """The decision of a seat in a view, searched in one workspace for each core."""

    def __init__(self, book: Buffer, view: Buffer, seat: int, method: Method, arms: int) -> None:
        self._book, self._view, self._seat = book, view, seat
        self._method = method
        self._nodes = [workspace.of.nodes for workspace in method.workspaces]
        self._worlds = [core * _WORLDS for core in range(len(self._nodes))]
        for core in reversed(range(len(self._nodes))):
            self._likelihood = method.plant(core, book, view, seat, arms)
        self.alive = list(range(1, len(self._likelihood) + 1))
        # What the arms that are left were worth, for each core.
        self._chunks: list[list[Chunk]] = [[] for _ in self._nodes]

    @property
    def action(self) -> int:
        """The best option so far."""
        best = self.alive[halving.best(self._ratings())]
        return int(NODE.of(self._nodes[0], best).action)

    @property
    def iterations(self) -> int:
        """How many there have been: one arm in one world is one."""
        arms = range(1, 1 + len(self._likelihood))
        return sum(NODE.of(nodes, arm).visits for nodes in self._nodes for arm in arms)

    def search(self, iterations: float, seconds: float) -> None:
        """Halve the arms until one is left, within a number of iterations or seconds.

        Every halving has its share of both, and ends with the first of them. When a lead is clear
        after one, the others are left out.
        """
        begin = time.monotonic()
        stages = halving.stages(len(self.alive), iterations)
        for stage, (_, visits) in enumerate(stages):
            if stage > 0 and self._is_clear(sum(visits for _, visits in stages[stage:])):
                return
            end = begin + seconds * (stage + 1) / len(stages)
            worlds = max(1.0, visits / len(self._nodes))
            self._on_every_core(partial(self._grow, worlds, end))
            self._halve()
            if self._is_certain(0):
                return

    def _on_every_core(self, work: Callable[[int], None]) -> None:
        """Do the work on every core at the same time."""
        cores = range(len(self._nodes))
        if len(cores) == 1:
            work(0)
        else:
            with ThreadPoolExecutor(len(cores)) as threads:
                list(threads.map(work, cores))

    def _grow(self, worlds: float, end: float, core: int) -> None:
        """Try all arms in some worlds, in one at least."""
        done, first = 0, self._worlds[core]
        arms = array("q", self.alive)
        while done == 0 or time.monotonic() < end:
            more = halving.worlds_of_chunk(len(self.alive), worlds, done)
            if more == 0:
                return
            before = self._totals(core)
            self._method.grow(core, self._book, self._view, self._seat, arms, first + done, more)
            self._worlds[core] += more
            done += more
            gained = zip(self._totals(core), before, strict=True)
            self._chunks[core].append(Chunk([(now - was) / more for now, was in gained], more))
            if len(self._nodes) == 1 and self._is_certain(core):
                return  # (several cores do not know of each other while they search)

    def _is_clear(self, to_come: float) -> bool:
        """Return whether further visits to each arm are not expected to change the best."""
        return halving.is_clear(self._ratings(), self._visits, to_come, self._method)

    def _is_certain(self, core: int) -> bool:
        """Return whether the worlds of a core leave no doubt which arm is the best."""
        if self._method.certain is None:
            return False
        return halving.is_certain(self._ratings(), self._visits, self._chunks[core], self._method)

    @property
    def _visits(self) -> int:
        """Of each arm that is left."""
        return sum(NODE.of(nodes, self.alive[0]).visits for nodes in self._nodes)

    def _totals(self, core: int) -> list[float]:
        """Return the sums of the values of the arms that are left."""
        return [NODE.of(self._nodes[core], arm).total for arm in self.alive]

    def _ratings(self) -> list[float]:
        """Return the value of every arm that is left, the prior taken into account."""
        totals = [0.0] * len(self.alive)
        for core in range(len(self._nodes)):
            totals = [a + b for a, b in zip(totals, self._totals(core), strict=True)]
        likelihood = [self._likelihood[arm - 1] for arm in self.alive]
        return halving.rate(totals, self._visits, likelihood, self._method)

    def _halve(self) -> None:
        """Drop the worse half of the arms."""
        kept = halving.better_half(self._ratings())
        self.alive = [self.alive[place] for place in kept]
        for chunks in self._chunks:
            chunks[:] = [Chunk([means[place] for place in kept], it) for means, it in chunks]
