"""Two judges of different kinds for moves that no rule decides, in worlds that a seat may expect.

The first plays every world to its end by planner's scripts and counts points and victories. The
second has learned by self-play: its net decides for all seats for some turns and then says what it
expects. They share nothing but the worlds' sampler, and see worlds of their own.
"""

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ferrovia.analysis.outcomes import try_options
from ferrovia.analysis.samples import Interval, interval_of
from ferrovia.bots.net.net_bot import has_learned
from ferrovia.bots.net.weight_file import net_for, weights_of
from ferrovia.bots.search.net_search import ByNet
from ferrovia.bots.search.nodes import plant
from ferrovia.bots.search.workspace import NODE, Workspace, make_workspace
from ferrovia.game import PublicView, View
from ferrovia.game.scores import result_of
from ferrovia.kernel import Pack
from ferrovia.rules.state.layout import SEATS

POINTS = 2.0
"""The margin in points: an answer that costs no more is right."""
WINS = 0.03
"""The margin in the chance of winning, likewise."""

FIRST, SECOND = "planner", "net"

Codes = Sequence[int]
Floats = npt.NDArray[np.float64]


class Outcomes(NamedTuple):
    """By world and option, to the seat that chooses: points, and its share of the victory."""

    points: Floats
    wins: Floats


class Ending(NamedTuple):
    """How a world ended: the tickets that the seat finished, and who owns which route."""

    finished: frozenset[str]
    owners: dict[str, int]


class TwoJudges:
    """Both judges of one position, which is what `view` shows."""

    def __init__(self, view: View, seed: bytes) -> None:
        if not has_learned(view.lexicon, view.players):
            raise ValueError("the second judge has not learned this board")
        self._view, self._seat = view, view.seat
        self._scripts = make_workspace(seed)
        self._net = ByNet([make_workspace(seed[::-1])], view.lexicon, view.players)
        net = weights_of(net_for(view.edition.board.id, view.players)).of
        self._point = float(net.rewards[0]) / 1e6  # of the rewards that it learned by

    def options(self, most: int) -> list[int]:
        """Return the decisions that the judges think likeliest, the first judge's first."""
        book, seen = self._view.lexicon.book, self._view.buffer
        count = plant(book, seen, self._seat, most, self._scripts)
        found = _nodes(self._scripts)["action"][1 : 1 + count].tolist()
        count = len(self._net.plant(0, book, seen, self._seat, most))
        found += _nodes(self._net.workspaces[0])["action"][1 : 1 + count].tolist()
        return list(dict.fromkeys(found))

    def play_on(self, codes: Codes, first: int, worlds: int) -> Outcomes:
        """Return what comes of options by the first judge, in worlds from number `first` on."""
        points = np.zeros((worlds, len(codes), SEATS))
        wins = np.zeros((worlds, len(codes), SEATS))
        self._try(codes, first, worlds, points, wins)
        return Outcomes(points[:, :, self._seat], wins[:, :, self._seat])

    def endings(self, code: int, first: int, worlds: int) -> list[Ending]:
        """Return how worlds end after an option, by the first judge."""
        points, wins = np.zeros((1, 1, SEATS)), np.zeros((1, 1, SEATS))
        found = []
        for number in range(first, first + worlds):
            self._try([code], number, 1, points, wins)
            state = self._scripts.of.state
            score = result_of(self._view.lexicon, state).scores[self._seat]
            owners = PublicView(self._view.lexicon, state).owners
            found.append(Ending(frozenset(score.completed), owners))
        return found

    def look_ahead(self, codes: Codes, first: int, worlds: int) -> Floats:
        """Return what the second judge expects of options, by world: points ahead of the mean of
        the others, with what a victory is worth to it.
        """
        book, seen = self._view.lexicon.book, self._view.buffer
        self._net.plant(0, book, seen, self._seat, 1)
        nodes = _nodes(self._net.workspaces[0])
        arms = np.arange(1, 1 + len(codes))
        for arm, code in zip(arms, codes, strict=True):
            nodes[arm]["action"], nodes[arm]["total"], nodes[arm]["visits"] = code, 0.0, 0
        found = np.zeros((worlds, len(codes)))
        for number in range(worlds):
            self._net.grow(0, book, seen, self._seat, array("q", arms), first + number, 1)
            found[number] = nodes["total"][arms]
        found[1:] -= found[:-1].copy()  # the nodes add up
        return found / self._point

    def _try(
        self,
        codes: Codes,
        first: int,
        worlds: int,
        points: npt.NDArray[np.float64],
        wins: npt.NDArray[np.float64],
    ) -> None:
        book, seen = self._view.lexicon.book, self._view.buffer
        plant(book, seen, self._seat, 1, self._scripts)  # how tickets fit the others' routes
        options = np.array(codes, np.int64)
        try_options(book, seen, self._seat, options, first, worlds, self._scripts, points, wins)


def _nodes(workspace: Pack[Workspace]) -> Any:
    """Return the nodes of a search as an array of NumPy."""
    return np.frombuffer(workspace.of.nodes, NODE.dtype)


class Difference(NamedTuple):
    """What an option costs compared with the best: by the first judge twice, by the second once."""

    points: Interval
    wins: Interval
    lead: Interval

    @property
    def is_wrong(self) -> bool:
        """Whether it surely costs more than the margin, and both judges are sure that it costs."""
        return self.points.low > POINTS and self.wins.low > WINS and self.lead.low > 0.0

    @property
    def is_right(self) -> bool:
        """Whether it lies within the margin, and the second judge does not surely differ."""
        return self.points.mean <= POINTS and self.wins.mean <= WINS and self.lead.low <= 0.0


def difference(outcomes: Outcomes, leads: Floats, option: int, best: int) -> Difference:
    """Return what an option costs compared with the best, from the same worlds."""
    return Difference(
        interval_of((outcomes.points[:, best] - outcomes.points[:, option]).tolist()),
        interval_of((outcomes.wins[:, best] - outcomes.wins[:, option]).tolist()),
        interval_of((leads[:, best] - leads[:, option]).tolist()),
    )
