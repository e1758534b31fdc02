"""The net in whole numbers: the same decision on every machine, whatever it adds first.

Activations are fixed-point numbers of at most 14 bits, weights have 16 bits, and `quantise` (see
ferrovia.learn) leaves room, so that no sum of 32 bits can overflow.
"""

from typing import Any, NamedTuple

import numba

from ferrovia.bots.kernel.scratch import PLAN, Plan
from ferrovia.bots.net.observation import observe, weigh_subsets
from ferrovia.rules.compiler import BYTES, INT, Need, entry, kernel
from ferrovia.rules.state.layout import BOOK, STATE, Book, State

Numbers = Any

MOST = 8191  # of an activation


class Weights(NamedTuple):
    """The weights of one board, inputs first: a row is what one input adds to all outputs."""

    first: Numbers  # int16 (columns, wide)
    first_bias: Numbers  # int32
    second: Numbers  # int16 (wide, narrow)
    second_bias: Numbers
    third: Numbers  # int16 (narrow, narrow)
    third_bias: Numbers
    policy: Numbers  # int16 (actions, narrow): a row for each action
    policy_bias: Numbers
    trust: Numbers  # int16 (narrow,)
    trust_bias: Numbers  # int32 (1,)
    value: Numbers  # int16 (narrow, small)
    value_bias: Numbers
    worth: Numbers  # int16 (small,)
    worth_bias: Numbers  # int32 (1,)
    shifts: Numbers  # int32: bits behind the point of each layer, see `quantise`
    rewards: Numbers  # int32: millionths, of a point, a win, and the part for half-built ways


class Room(NamedTuple):
    """Where one decision is worked out."""

    obs: Numbers  # uint8 (columns, 1)
    worths: Numbers  # int32 (SUBSETS,)
    active: Numbers  # int32: inputs that are not zero
    sums: Numbers  # int32
    wide: Numbers  # int32
    narrow: Numbers  # int32
    last: Numbers  # int32
    small: Numbers  # int32


_types: Any = numba.types
_ROWS, _LIST = _types.int16[:, ::1], _types.int32[::1]


def weights_type() -> Any:
    """Return Numba's type of `Weights`."""
    kinds = (
        _ROWS,
        _LIST,
        _ROWS,
        _LIST,
        _ROWS,
        _LIST,
        _ROWS,
        _LIST,
        _types.int16[::1],
        _LIST,
        _ROWS,
        _LIST,
        _types.int16[::1],
        _LIST,
        _LIST,
        _LIST,
    )
    return _types.NamedTuple(kinds, Weights)


def room_type() -> Any:
    """Return Numba's type of `Room`."""
    return _types.NamedTuple((_types.uint8[:, ::1], *(_LIST,) * 7), Room)


@kernel
def add_rows(
    inputs: Numbers, weights: Numbers, bias: Numbers, active: Numbers, sums: Numbers
) -> None:
    """sums = bias + inputs × weights; inputs that are zero cost nothing."""
    count = 0
    for i in range(inputs.shape[0]):
        if inputs[i] != 0:
            active[count] = i
            count += 1
    outputs = bias.shape[0]
    for j in range(outputs):
        sums[j] = bias[j]
    at = 0
    while at + 4 <= count:
        a, b, c, d = active[at], active[at + 1], active[at + 2], active[at + 3]
        x, y, z, w = int(inputs[a]), int(inputs[b]), int(inputs[c]), int(inputs[d])
        row_a, row_b, row_c, row_d = weights[a], weights[b], weights[c], weights[d]
        for j in range(outputs):
            more = x * int(row_a[j]) + y * int(row_b[j])
            sums[j] += more + z * int(row_c[j]) + w * int(row_d[j])
        at += 4
    while at < count:
        a = active[at]
        x, row_a = int(inputs[a]), weights[a]
        for j in range(outputs):
            sums[j] += x * int(row_a[j])
        at += 1


@kernel
def _rectify(sums: Numbers, shift: int, out: Numbers) -> None:
    """Drop bits, rounding to the nearest, and bound the result to 0 and MOST."""
    shift = int(shift)
    half = 1 << (shift - 1)
    for j in range(out.shape[0]):
        out[j] = min(max((int(sums[j]) + half) >> shift, 0), MOST)


@kernel
def think(w: Weights, room: Room) -> int:
    """Work out the trunk from `room.obs` to `room.last`; returns the trust in planner."""
    add_rows(room.obs[:, 0], w.first, w.first_bias, room.active, room.sums)
    _rectify(room.sums, w.shifts[0], room.wide)
    add_rows(room.wide, w.second, w.second_bias, room.active, room.sums)
    _rectify(room.sums, w.shifts[1], room.narrow)
    add_rows(room.narrow, w.third, w.third_bias, room.active, room.sums)
    _rectify(room.sums, w.shifts[2], room.last)
    trust = int(w.trust_bias[0])
    for i in range(room.last.shape[0]):
        room.last[i] = min(int(room.last[i]) + int(room.narrow[i]), MOST)
        trust += int(room.last[i]) * int(w.trust[i])
    return trust


@kernel
def logit(w: Weights, action: int, room: Room) -> int:
    """How likely an action is to the net, before its trust in planner: a logarithm."""
    worth = int(w.policy_bias[action])
    row = w.policy[action]
    for i in range(room.last.shape[0]):
        worth += int(room.last[i]) * int(row[i])
    return worth


@kernel
def expectation(w: Weights, room: Room) -> float:
    """What the seat will still gain over the mean of the others, in rewards of its training."""
    add_rows(room.last, w.value, w.value_bias, room.active, room.sums)
    _rectify(room.sums, w.shifts[3], room.small)
    total = int(w.worth_bias[0])
    for i in range(room.small.shape[0]):
        total += int(room.small[i]) * int(w.worth[i])
    return float(total) / float(1 << int(w.shifts[5]))


@kernel
def choose(w: Weights, planner: int, room: Room) -> int:
    """The legal action of most worth to the net, the lowest of equals, for what is in `room`."""
    trust = think(w, room)
    best, most = -1, 0
    for action in range(w.policy.shape[0]):
        if room.obs[action, 0] != 0:
            worth = logit(w, action, room)
            if action == planner:
                worth += trust
            if best < 0 or worth > most:
                best, most = action, worth
    return best


@kernel
def decide(
    book: Book, s: State, seat: int, slots: int, others: int, plan: Plan, w: Weights, room: Room
) -> int:
    """The decision of a seat that may act, from its view."""
    weigh_subsets(book, s, seat, plan, room.worths)
    planner = observe(book, s, seat, slots, others, plan, room.worths, room.obs, 0)
    return choose(w, planner, room)


@entry(BYTES, BYTES, INT, INT, INT, BYTES, weights_type, room_type, needed_for=Need.NET)
def decide_by_net(
    book: Any, view: Any, seat: int, slots: int, others: int, plan: Any, w: Weights, room: Room
) -> int:
    """`decide` over byte buffers (see ferrovia.rules.calls)."""
    rules, s = book.view(BOOK)[0], view.view(STATE)[0]
    return decide(rules, s, seat, slots, others, plan.view(PLAN)[0], w, room)
