"""The root: the arms are tried in the same worlds, and the worse half leaves, until one is left.

This is sequential halving, as in Gumbel searches, without their noise: the prior chooses the arms,
and counts as if it were visits. Several cores search trees of their own and share what the root
learns.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ferrovia.bots.search import halving
from ferrovia.bots.search.nodes import grow, plant
from ferrovia.bots.search.workspace import Workspace
from ferrovia.game.codec.lexicon import Buffer

ARMS = 24  # options that take part
TRIES = 24  # iterations that there must be for each
_WORLDS = 1 << 24  # numbers of worlds for each core

Floats = halving.Floats
Arms = npt.NDArray[np.int64]


class Method(halving.Terms, Protocol):
    """How options are found and tried, in one workspace for each core."""

    workspaces: list[Workspace]

    def plant(self, core: int, book: Buffer, view: Buffer, seat: int, most: int) -> Floats:
        """List at most so many options as nodes 1 and so on.

        Return the logarithm of how likely each is.
        """

    def grow(
        self, core: int, book: Buffer, view: Buffer, seat: int, arms: Arms, first: int, worlds: int
    ) -> None:
        """Try some options in so many worlds, from number `first` on."""


class ByPlanner:
    """Trees with planner as prior, and rollouts by script."""

    # How hard it is to turn the search away from what planner would do. Less (20 visits, 0.03) was
    # best by the worlds of single positions, and worse in matches against planner (short ones).
    prior_visits = 60.0
    spread = 0.1
    clear = 0.1  # 400 games of USA classic against planner showed no loss by it
    certain: float | None = None

    def __init__(self, workspaces: list[Workspace]) -> None:
        self.workspaces = workspaces

    def plant(self, core: int, book: Buffer, view: Buffer, seat: int, most: int) -> Floats:
        workspace = self.workspaces[core]
        count = plant(book, view, seat, most, workspace)
        likelihood: Floats = np.log(workspace.weights[:count])
        return likelihood

    def grow(
        self, core: int, book: Buffer, view: Buffer, seat: int, arms: Arms, first: int, worlds: int
    ) -> None:
        grow(book, view, seat, arms, first, worlds, self.workspaces[core])


class Differences:
    """What arms were worth in the same worlds, chunk by chunk: how sure their order is."""

    def __init__(self) -> None:
        self._arms: list[Arms] = []
        self._means: list[Floats] = []
        self._worlds: list[int] = []

    def add(self, arms: Arms, means: Floats, worlds: int) -> None:
        """Add what some arms were worth on average in so many worlds more."""
        self._arms.append(arms)
        self._means.append(means)
        self._worlds.append(worlds)

    def of(self, arms: Arms) -> tuple[Floats, Floats]:
        """Return what some arms were worth in each chunk, and the worlds of the chunks.

        These arms must have been in all worlds so far.
        """
        means = [
            mean[np.searchsorted(had, arms)]
            for had, mean in zip(self._arms, self._means, strict=True)
        ]
        return np.array(means).reshape(-1, len(arms)), np.array(self._worlds, np.float64)


class Root:
    """The decision of a seat in a view, searched in one workspace for each core."""

    def __init__(self, book: Buffer, view: Buffer, seat: int, method: Method, arms: int) -> None:
        self._book, self._view, self._seat = book, view, seat
        self._method, self._workspaces = method, method.workspaces
        self._worlds = [core * _WORLDS for core in range(len(self._workspaces))]
        self._differences = [Differences() for _ in self._workspaces]
        for core in reversed(range(len(self._workspaces))):
            self._likelihood = method.plant(core, book, view, seat, arms)
        self.alive: Arms = np.arange(1, len(self._likelihood) + 1)

    @property
    def action(self) -> int:
        """The best option so far."""
        best = self.alive[np.argmax(self._ratings())]
        return int(self._workspaces[0].nodes["action"][best])

    @property
    def iterations(self) -> int:
        """How many there have been: one arm in one world is one."""
        arms = slice(1, 1 + len(self._likelihood))
        return sum(int(workspace.nodes["visits"][arms].sum()) for workspace in self._workspaces)

    def search(self, iterations: float, seconds: float) -> None:
        """Halve the arms until one is left, after about so many iterations or so long in all.

        Every halving has its share of both, and ends with the first of them. When a lead is clear
        after one, the others are left out.
        """
        begin = time.monotonic()
        stages = halving.stages(len(self.alive), iterations)
        for stage, (_, visits) in enumerate(stages):
            if stage > 0 and self._is_clear(sum(visits for _, visits in stages[stage:])):
                return
            end = begin + seconds * (stage + 1) / len(stages)
            worlds = max(1.0, visits / len(self._workspaces))
            self._on_every_core(partial(self._grow, worlds, end))
            self._halve()
            if self._is_certain(0):
                return

    def _on_every_core(self, work: Callable[[int], None]) -> None:
        """Do the work on every core at the same time."""
        cores = range(len(self._workspaces))
        if len(cores) == 1:
            work(0)
        else:
            with ThreadPoolExecutor(len(cores)) as threads:
                list(threads.map(work, cores))

    def _grow(self, worlds: float, end: float, core: int) -> None:
        """Try all arms in some worlds, in one at least."""
        done, first = 0, self._worlds[core]
        totals = self._workspaces[core].nodes["total"]
        while done == 0 or time.monotonic() < end:
            more = halving.worlds_of_chunk(len(self.alive), worlds, done)
            if more == 0:
                return
            before = totals[self.alive]
            self._method.grow(
                core, self._book, self._view, self._seat, self.alive, first + done, more
            )
            self._worlds[core] += more
            done += more
            self._differences[core].add(self.alive, (totals[self.alive] - before) / more, more)
            if len(self._workspaces) == 1 and self._is_certain(core):
                return  # (several cores do not know of each other while they search)

    def _is_clear(self, to_come: float) -> bool:
        """Return whether so many more visits of each arm cannot be expected to change the best."""
        return bool(halving.is_clear(self._ratings(), self._visits, to_come, self._method))

    def _is_certain(self, core: int) -> bool:
        """Return whether the worlds of a core leave no doubt which arm is the best."""
        if self._method.certain is None:
            return False
        found = self._differences[core].of(self.alive)
        return bool(halving.is_certain(self._ratings(), self._visits, *found, self._method))

    @property
    def _visits(self) -> int:
        """Of each arm that is left."""
        return sum(int(each.nodes["visits"][self.alive[0]]) for each in self._workspaces)

    def _ratings(self) -> Floats:
        """Return the value of every arm that is left, the prior taken into account."""
        visits = sum(workspace.nodes["visits"][self.alive] for workspace in self._workspaces)
        totals = sum(workspace.nodes["total"][self.alive] for workspace in self._workspaces)
        return halving.rate(totals, visits, self._likelihood[self.alive - 1], self._method)

    def _halve(self) -> None:
        """Drop the worse half of the arms."""
        self.alive = self.alive[halving.better_half(self._ratings())]
