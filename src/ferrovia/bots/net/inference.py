"""The net in whole numbers: the same decision on every machine, in whatever order it adds.

Activations are fixed-point numbers of at most 14 bits, weights have 16 bits, and `quantise` (see
ferrovia.learn) leaves room, so that no sum of 32 bits can overflow.
"""

from typing import Any, NamedTuple

from ferrovia.bots.kernel.scratch import PLAN, Plan
from ferrovia.bots.net.observation import observe, weigh_subsets
from ferrovia.kernel import (
    INT,
    Array,
    Bundle,
    Grid,
    One,
    entry,
    int32,
    intrinsic,
    kernel,
    uint8,
)
from ferrovia.rules.calls import RULES, SEEN
from ferrovia.rules.state.layout import OVER, SEATS, Book, State

Numbers = Any

Four = tuple[int, int, int, int]

MOST = 8191  # of an activation
BLOCK = 32  # columns that are compared at once
MEMORIES = SEATS * OVER  # of what was seen: by seat and phase


class Weights(NamedTuple):
    """The weights of one board.

    A row of the first layer is what one column adds to all outputs; in all others there is a row
    for each output.
    """

    first: Numbers  # int16 (columns, wide)
    first_bias: Numbers  # int32
    second: Numbers  # int16 (narrow, wide)
    second_bias: Numbers
    third: Numbers  # int16 (narrow, narrow)
    third_bias: Numbers
    policy: Numbers  # int16 (actions, narrow): a row for each action
    policy_bias: Numbers
    trust: Numbers  # int16 (narrow,)
    trust_bias: Numbers  # int32 (1,)
    value: Numbers  # int16 (small, narrow)
    value_bias: Numbers
    worth: Numbers  # int16 (small,)
    worth_bias: Numbers  # int32 (1,)
    shifts: Numbers  # int32: bits behind the point of each layer, see `quantise`
    rewards: Numbers  # int32: millionths, of a point, a win, and the part for half-built ways


class Activations(NamedTuple):
    """Where one decision is worked out."""

    obs: Numbers  # uint8 (columns, 1)
    seen: Numbers  # the same memory, as a row
    worths: Numbers  # int32 (SUBSETS,)
    before: Numbers  # uint8 (MEMORIES, columns): what was seen last, see `memory_of`
    first: Numbers  # int32 (MEMORIES, wide): the sums of the first layer for it
    changed: Numbers  # int32: columns that are greater now, then those that are less
    wide: Numbers  # int16, as all activations
    narrow: Numbers
    last: Numbers
    small: Numbers


_BYTES, _ROW, _LIST = Array("u1"), Array("i2"), Array("i4")
_MATRIX = Grid("i2", 2, constant=True)
_VECTOR, _BIAS = Array("i2", constant=True), Array("i4", constant=True)

WEIGHTS = Bundle(
    Weights,
    (
        *(_MATRIX, _BIAS),
        *(_MATRIX, _BIAS),
        *(_MATRIX, _BIAS),
        *(_MATRIX, _BIAS),
        *(_VECTOR, _BIAS),
        *(_MATRIX, _BIAS),
        *(_VECTOR, _BIAS),
        *(_BIAS, _BIAS),
    ),
)
ACTIVATIONS = Bundle(
    Activations,
    (Grid("u1", 2), _BYTES, _LIST, Grid("u1", 2), Grid("i4", 2), _LIST, _ROW, _ROW, _ROW, _ROW),
)


@kernel
def _add_four(weights: Numbers, rows: Four, factors: Four, sums: Numbers) -> None:
    """Add four rows, each as often as its factor says."""
    a, b, c, d = rows
    x, y, z, w = factors
    for j in range(sums.shape[0]):
        more = x * int(weights[a, j]) + y * int(weights[b, j])
        sums[j] += more + z * int(weights[c, j]) + w * int(weights[d, j])


@kernel
def _take_four(weights: Numbers, rows: Four, factors: Four, sums: Numbers) -> None:
    """Take four rows away, each as often as its factor says, which fits 16 bits without a sign."""
    a, b, c, d = rows
    x, y, z, w = factors
    for j in range(sums.shape[0]):
        less = x * int(weights[a, j]) + y * int(weights[b, j])
        sums[j] -= less + z * int(weights[c, j]) + w * int(weights[d, j])


@kernel
def _add_one(weights: Numbers, row: int, factor: int, sums: Numbers) -> None:
    for j in range(sums.shape[0]):
        sums[j] += factor * int(weights[row, j])


@kernel
def _excess(one: Numbers, other: Numbers, i: int) -> int:
    """Return how much greater a column is. The mask tells the compiler that 16 bits will do."""
    return (int(one[i]) - int(other[i])) & 255


@kernel
def _four_excesses(one: Numbers, other: Numbers, rows: Four) -> Four:
    a, b, c, d = rows
    return (
        _excess(one, other, a),
        _excess(one, other, b),
        _excess(one, other, c),
        _excess(one, other, d),
    )


@kernel
def _differ(one: Numbers, other: Numbers, begin: int, end: int) -> bool:
    """Return whether some columns differ; a whole block is compared at once."""
    bits = uint8(0)
    if end - begin == BLOCK:
        for i in range(BLOCK):
            bits = uint8(bits | (one[begin + i] ^ other[begin + i]))
    else:
        for i in range(begin, end):
            bits = uint8(bits | (one[i] ^ other[i]))
    return bool(bits != 0)


@kernel
def add_changes(
    obs: Numbers, before: Numbers, weights: Numbers, changed: Numbers, sums: Numbers
) -> None:
    """Bring sums = bias + before × weights to `obs`, which becomes `before`.

    Columns that are as they were cost nothing.
    """
    columns = obs.shape[0]
    up, down = 0, columns
    for begin in range(0, columns, BLOCK):
        end = min(begin + BLOCK, columns)
        if not _differ(obs, before, begin, end):
            continue
        for i in range(begin, end):  # without a branch, which nobody could predict
            changed[up] = i
            up += 1 if obs[i] > before[i] else 0
        for i in range(begin, end):
            changed[down] = i
            down += 1 if obs[i] < before[i] else 0
    at = 0
    while at + 4 <= up:
        rows = changed[at], changed[at + 1], changed[at + 2], changed[at + 3]
        _add_four(weights, rows, _four_excesses(obs, before, rows), sums)
        at += 4
    while at < up:
        _add_one(weights, changed[at], _excess(obs, before, changed[at]), sums)
        at += 1
    at = columns
    while at + 4 <= down:
        rows = changed[at], changed[at + 1], changed[at + 2], changed[at + 3]
        _take_four(weights, rows, _four_excesses(before, obs, rows), sums)
        at += 4
    while at < down:
        _add_one(weights, changed[at], -_excess(before, obs, changed[at]), sums)
        at += 1
    for i in range(columns):
        before[i] = obs[i]


@intrinsic("dot")
def dot(inputs: Numbers, weights: Numbers) -> int:
    """Return inputs × weights, in sums of 32 bits: a processor adds many of those at once."""
    return int(inputs.astype(int32) @ weights.astype(int32))


@kernel
def _rectified(total: int, shift: int) -> int:
    """Return a sum with bits dropped, rounded to the nearest, and bounded to 0 and MOST."""
    return min(max((total + (1 << (shift - 1))) >> shift, 0), MOST)


@kernel
def _rectify(sums: Numbers, shift: int, out: Numbers) -> None:
    for j in range(out.shape[0]):
        out[j] = _rectified(int(sums[j]), shift)


@kernel
def _layer(inputs: Numbers, weights: Numbers, bias: Numbers, shift: int, out: Numbers) -> None:
    for j in range(out.shape[0]):
        out[j] = _rectified(int(bias[j]) + dot(inputs, weights[j]), shift)


@kernel
def memory_of(s: State, seat: int) -> int:
    """Return which memory of the activations holds what the seat last saw in such a phase."""
    return SEATS * int(s.phase) + seat


@kernel
def think(w: Weights, activations: Activations, memory: int) -> int:
    """Work out the trunk from `activations.obs` to `activations.last`; return the trust in planner.

    The result is the same from any `memory`; that of `memory_of` is fastest.
    """
    first = activations.first[memory]
    add_changes(activations.seen, activations.before[memory], w.first, activations.changed, first)
    _rectify(first, int(w.shifts[0]), activations.wide)
    _layer(activations.wide, w.second, w.second_bias, int(w.shifts[1]), activations.narrow)
    _layer(activations.narrow, w.third, w.third_bias, int(w.shifts[2]), activations.last)
    for i in range(activations.last.shape[0]):
        activations.last[i] = min(int(activations.last[i]) + int(activations.narrow[i]), MOST)
    return int(w.trust_bias[0]) + dot(activations.last, w.trust)


@kernel
def logit(w: Weights, action: int, activations: Activations) -> int:
    """Return the logarithm of how likely the net finds an action, before its trust in planner."""
    return int(w.policy_bias[action]) + dot(activations.last, w.policy[action])


@kernel
def expectation(w: Weights, activations: Activations) -> float:
    """Return what the seat will still gain over the mean of the others, in rewards of training."""
    _layer(activations.last, w.value, w.value_bias, int(w.shifts[3]), activations.small)
    total = int(w.worth_bias[0]) + dot(activations.small, w.worth)
    return float(total) / float(1 << int(w.shifts[5]))


@kernel
def choose(w: Weights, planner: int, activations: Activations, memory: int) -> int:
    """Return the legal action that the net likes best, the lowest of equals, for `activations`."""
    trust = think(w, activations, memory)
    last, policy, bias = activations.last, w.policy, w.policy_bias
    best, most = -1, 0
    for action in range(policy.shape[0]):
        if activations.obs[action, 0] != 0:
            worth = int(bias[action]) + dot(last, policy[action])  # `logit`, ten times as fast
            if action == planner:
                worth += trust
            if best < 0 or worth > most:
                best, most = action, worth
    return best


@kernel
def decide(
    book: Book,
    s: State,
    seat: int,
    slots: int,
    others: int,
    plan: Plan,
    w: Weights,
    activations: Activations,
) -> int:
    """Return the decision of a seat that may act, from its view."""
    weigh_subsets(book, s, seat, plan, activations.worths)
    planner = observe(book, s, seat, slots, others, plan, activations.worths, activations.obs, 0)
    return choose(w, planner, activations, memory_of(s, seat))


@entry(RULES, SEEN, INT, INT, INT, One(PLAN), WEIGHTS, ACTIVATIONS)
def decide_by_net(
    book: Book,
    view: State,
    seat: int,
    slots: int,
    others: int,
    plan: Plan,
    w: Weights,
    activations: Activations,
) -> int:
    """Return what `decide` does."""
    return decide(book, view, seat, slots, others, plan, w, activations)
