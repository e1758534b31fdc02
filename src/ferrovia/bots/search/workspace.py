"""The memory of one searching thread: allocated once, so that the search allocates nothing.

The tree has a fixed number of nodes; when all are used it grows no further, and the rollouts start
from its leaves.
"""

from array import array
from typing import Any, NamedTuple

from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.kernel import Array, Buffer, Bundle, Pack, RecordLayout, bytes_of
from ferrovia.rules.state.layout import RNG_WORDS, SCORE, SEATS, STATE, TICKETS, WORK

Numbers = Any

NODES = 1 << 15
OPTIONS = 128  # more than the payments of a route or the subsets of an offer
DEPTH = 64

NODE = RecordLayout(
    "NODE",
    ("total", "f8"),  # of the values for the seat that chose the action
    ("visits", "i4"),
    ("first", "i4"),  # child
    ("next", "i4"),  # child of the same parent
    ("action", "i2"),  # that leads here
)


class Workspace(NamedTuple):
    """The arrays of a search. Node 0 of the tree is the decision that is searched."""

    nodes: Numbers
    used: Numbers  # nodes, one number
    path: Numbers  # nodes from the root on, of this iteration
    movers: Numbers  # the seats that chose them
    options: Numbers  # actions to consider, likeliest first
    weights: Numbers  # how likely each is, or the logarithm of that
    fit: Numbers  # of each ticket to what each seat has claimed
    values: Numbers  # of the end of this iteration, by seat
    world: Numbers  # a full state that agrees with the view
    state: Numbers  # what becomes of it
    first_plans: Numbers  # of the scripts in that world, by seat
    plans: Numbers  # what becomes of them
    score: Numbers
    work: Numbers
    seed: Numbers
    rng: Numbers


_PLANS, _GAME = Array(PLAN, (), SEATS), Array("u1", (), STATE.size)

WORKSPACE = Bundle(
    Workspace,
    (
        Array(NODE),
        Array("i8", (), 1),
        Array("i4", (), DEPTH),
        Array("i4", (), DEPTH),
        Array("i2", (), OPTIONS),
        Array("f8", (), OPTIONS),
        Array("f8", (TICKETS,), SEATS),
        Array("f8", (), SEATS),
        _GAME,
        _GAME,
        _PLANS,
        _PLANS,
        Array(SCORE, (), 1),
        Array(WORK, (), 1),
        bytes_of(32, constant=True),
        Array("u4", (), RNG_WORDS),
    ),
)


def make_workspace(seed: Buffer) -> Pack[Workspace]:
    """Return an empty workspace of some megabytes."""
    return Pack(
        WORKSPACE,
        Workspace(
            nodes=NODE.new(NODES),
            used=array("q", [0]),
            path=array("i", [0] * DEPTH),
            movers=array("i", [0] * DEPTH),
            options=array("h", [0] * OPTIONS),
            weights=array("d", [0.0] * OPTIONS),
            fit=array("d", [1.0] * (SEATS * TICKETS)),
            values=array("d", [0.0] * SEATS),
            world=STATE.new(),
            state=STATE.new(),
            first_plans=PLAN.new(SEATS),
            plans=PLAN.new(SEATS),
            score=SCORE.new(),
            work=WORK.new(),
            seed=seed,
            rng=array("I", [0] * RNG_WORDS),
        ),
    )
