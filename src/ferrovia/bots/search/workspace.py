"""The memory of one searching thread: allocated once, so that the search allocates nothing.

The tree has a fixed number of nodes; when all are used it grows no further, and the rollouts start
from its leaves.
"""

from typing import Any, NamedTuple

import numba
import numpy as np

from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.rules.state.layout import RNG_WORDS, SCORE, SEATS, STATE, TICKETS, WORK

Array = Any

_typeof: Any = numba.typeof

NODES = 1 << 15
OPTIONS = 128  # more than the payments of a route or the subsets of an offer
DEPTH = 64

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("total", "f8"),  # of the values for the seat that chose the action
                ("visits", "i4"),
                ("first", "i4"),  # child
                ("next", "i4"),  # child of the same parent
                ("action", "i2"),  # that leads here
            ],
            align=True,
        ),
    )
)


class Workspace(NamedTuple):
    """The arrays of a search. Node 0 of the tree is the decision that is searched."""

    nodes: Array
    used: Array  # nodes, one number
    path: Array  # nodes from the root on, of this iteration
    movers: Array  # the seats that chose them
    options: Array  # actions to consider, likeliest first
    weights: Array  # how likely each is, adding up to 1
    fit: Array  # of each ticket to what each seat has claimed
    values: Array  # of the end of this iteration, by seat
    world: Array  # a full state that agrees with the view
    state: Array  # what becomes of it
    first_plans: Array  # of the scripts in that world, by seat
    plans: Array  # what becomes of them
    score: Array
    work: Array
    seed: Array
    rng: Array


def make_workspace(seed: bytes) -> Workspace:
    """Return an empty workspace of some megabytes."""
    return Workspace(
        nodes=np.zeros(NODES, NODE),
        used=np.zeros(1, np.int64),
        path=np.zeros(DEPTH, np.int32),
        movers=np.zeros(DEPTH, np.int32),
        options=np.zeros(OPTIONS, np.int16),
        weights=np.zeros(OPTIONS, np.float64),
        fit=np.ones((SEATS, TICKETS), np.float64),
        values=np.zeros(SEATS, np.float64),
        world=np.zeros(STATE.itemsize, np.uint8),
        state=np.zeros(STATE.itemsize, np.uint8),
        first_plans=np.zeros(SEATS, PLAN),
        plans=np.zeros(SEATS, PLAN),
        score=np.zeros(1, SCORE),
        work=np.zeros(1, WORK),
        seed=np.frombuffer(seed, np.uint8).copy(),
        rng=np.zeros(RNG_WORDS, np.uint32),
    )


def workspace_type() -> Any:
    """Return the type of a workspace as an argument of compiled functions."""
    return _typeof(make_workspace(bytes(32)))
