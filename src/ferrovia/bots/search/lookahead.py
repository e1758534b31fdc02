"""Looking ahead with a net: a few turns by its policy in many worlds, then what it expects.

An iteration plays one option in one world, lets the net decide for every seat until the own turn
comes again some times, and takes the position as it stands with what the net still expects of it;
a game that ends before counts as it ended. Luck is averaged by the net, not by playing to the end:
two options are told apart by far fewer worlds so.

Everything is whole numbers, or sums of fractions in a fixed order: a decision depends on the view,
the seed and the number of iterations alone, on every machine.
"""

from typing import Any, NamedTuple

import numba
import numpy as np

from ferrovia.bots.kernel.scratch import PLAN, Plan
from ferrovia.bots.net.inference import (
    Room,
    Weights,
    decide,
    expectation,
    logit,
    memory_of,
    room_type,
    think,
    weights_type,
)
from ferrovia.bots.net.observation import observe, weigh_subsets
from ferrovia.bots.net.reward import mean_of_others, share_of_win, standing
from ferrovia.bots.search.rollout import play_on
from ferrovia.bots.search.workspace import OPTIONS, Workspace, workspace_type
from ferrovia.bots.search.worlds import fit_tickets, sample_world
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.compiler import BYTES, INT, INTS, Need, entry, kernel
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.layout import BOOK, NONE, SEATS, START, STATE, TURN, Book, State
from ferrovia.rules.state.visibility import copy_whole

Array = Any

_types: Any = numba.types
_typeof: Any = numba.typeof

UNLIKELY = 7.0  # an option less likely than the best by this power of e takes no part


class Sight(NamedTuple):
    """What looking ahead needs beside the workspace of a search."""

    slots: int  # of the layout of columns
    others: int
    turns: int  # own turns to look ahead
    distances: Array  # of the tickets
    standings: Array  # float64, by seat
    plans: Array  # one, for the net's decisions
    weights: Weights
    room: Room


def sight_type() -> Any:
    """Return Numba's type of `Sight`."""
    kinds = (
        INT,
        INT,
        INT,
        _types.int16[::1],
        _types.float64[::1],
        _typeof(np.zeros(1, PLAN)),
        weights_type(),
        room_type(),
    )
    return _types.NamedTuple(kinds, Sight)


@kernel
def _see(book: Book, s: State, seat: int, sight: Sight, plan: Plan) -> int:
    """Write what a seat sees to the room; return planner's decision."""
    weigh_subsets(book, s, seat, plan, sight.room.worths)
    room = sight.room
    return observe(book, s, seat, sight.slots, sight.others, plan, room.worths, room.obs, 0)


@kernel
def list_by_net(book: Book, s: State, seat: int, most: int, workspace: Any, sight: Sight) -> int:
    """Write the likeliest options of a seat, at most so many, the best first; return their number.

    What planner would do is one of them: positions that the net never met are not strange to it.
    Their weights are logarithms of how likely each is, as compared with the first.
    """
    planner = _see(book, s, seat, sight, sight.plans[0])
    trust = think(sight.weights, sight.room, memory_of(s, seat))
    count = 0
    for action in range(sight.weights.policy.shape[0]):
        if sight.room.obs[action, 0] == 0 or count == OPTIONS:
            continue
        worth = logit(sight.weights, action, sight.room)
        if action == planner:
            worth += trust
        place = count
        while place > 0 and workspace.weights[place - 1] < worth:
            workspace.options[place] = workspace.options[place - 1]
            workspace.weights[place] = workspace.weights[place - 1]
            place -= 1
        workspace.options[place] = action
        workspace.weights[place] = float(worth)
        count += 1
    unit, best = float(1 << int(sight.weights.shifts[4])), workspace.weights[0]
    for i in range(count):
        workspace.weights[i] = (workspace.weights[i] - best) / unit
    kept = 1
    while kept < min(count, most) and workspace.weights[kept] >= -UNLIKELY:
        kept += 1
    for place in range(kept, count):
        if workspace.options[place] == planner and most > 1:
            kept = min(kept + 1, most)
            workspace.options[kept - 1] = planner
            workspace.weights[kept - 1] = max(workspace.weights[place], -UNLIKELY)
            break
    return kept


@kernel
def worth_of_end(totals: Array, winners: int, players: int, seat: int, rewards: Array) -> float:
    """Return what a finished game is worth to a seat, by its result."""
    margin = float(totals[seat]) - mean_of_others(totals, players, seat)
    won = share_of_win(winners, seat) - 1.0 / float(players)
    return (float(rewards[0]) * margin + 2.0 * float(rewards[1]) * won) / 1e6


@kernel
def worth_ahead(
    standings: Array, players: int, seat: int, expected: float, rewards: Array
) -> float:
    """Return what a position is worth to a seat, by all standings and what it still expects."""
    now = float(standings[seat]) - mean_of_others(standings, players, seat)
    return float(rewards[0]) / 1e6 * now + expected


@kernel
def _outcome(book: Book, s: State, seat: int, workspace: Workspace, rewards: Array) -> float:
    """Return what a finished game is worth to a seat."""
    result = workspace.score[0]
    score(book, s, result, workspace.work[0])
    players = int(s.players)
    return worth_of_end(result.total, int(result.winners), players, seat, rewards)


@kernel
def _promise(book: Book, s: State, seat: int, sight: Sight) -> float:
    """Return what a position is worth to the seat whose turn it is."""
    rewards, plan = sight.weights.rewards, sight.plans[0]
    for each in range(s.players):
        sight.standings[each] = standing(
            book, s, each, plan, sight.distances, float(rewards[2]) / 1e6
        )
    _see(book, s, seat, sight, plan)
    think(sight.weights, sight.room, memory_of(s, seat))
    expected = expectation(sight.weights, sight.room)
    return worth_ahead(sight.standings, int(s.players), seat, expected, rewards)


@kernel
def _try(book: Book, seat: int, action: int, workspace: Workspace, sight: Sight) -> float:
    """Play an option in the world and the net's decisions after it; return what comes of it."""
    copy_whole(workspace.world, workspace.state)
    s = workspace.state.view(STATE)[0]
    until = int(s.turns) + sight.turns * int(s.players)
    play_on(book, s, seat, action, workspace)
    mover = next_seat(s)
    while mover != NONE:
        if mover == seat and s.phase == TURN and s.turns >= until:
            return _promise(book, s, seat, sight)
        action = decide(
            book,
            s,
            mover,
            sight.slots,
            sight.others,
            sight.plans[0],
            sight.weights,
            sight.room,
        )
        play_on(book, s, mover, action, workspace)
        mover = next_seat(s)
    return _outcome(book, s, seat, workspace, sight.weights.rewards)


@kernel
def list_options(
    book: Array, view: Array, seat: int, most: int, workspace: Workspace, sight: Sight
) -> int:
    """List the options of a seat, from its view, as nodes 1 and so on; return their number.

    `workspace.weights` are as `list_by_net` writes them.
    """
    rules, s = book.view(BOOK)[0], view.view(STATE)[0]
    count = list_by_net(rules, s, seat, most, workspace, sight)
    for i in range(count):
        node = workspace.nodes[1 + i]
        node.total = 0.0
        node.visits = 0
        node.action = workspace.options[i]
    if s.phase != START:
        fit_tickets(rules, view, workspace)
    return count


@kernel
def _try_options(
    book: Array,
    view: Array,
    seat: int,
    arms: Array,
    first: int,
    worlds: int,
    workspace: Workspace,
    sight: Sight,
) -> None:
    """Try some options in so many worlds, from number `first` on: all of them in each."""
    rules = book.view(BOOK)[0]
    for number in range(first, first + worlds):
        sample_world(rules, view, number, workspace)
        for i in range(arms.shape[0]):
            node = workspace.nodes[arms[i]]
            node.total += _try(rules, seat, int(node.action), workspace, sight)
            node.visits += 1


@entry(BYTES, BYTES, INT, INTS, INT, INT, workspace_type, sight_type, needed_for=Need(0))
def look_ahead(
    book: Array,
    view: Array,
    seat: int,
    arms: Array,
    first: int,
    worlds: int,
    workspace: Workspace,
    sight: Sight,
) -> int:
    """Try some options in so many worlds, from number `first` on: all of them in each.

    In no world at all it lists the options, at most `first` of them, and returns their number. One
    function does both, since the rules and the net are in either: they are compiled only once.
    """
    if worlds == 0:
        return list_options(book, view, seat, first, workspace, sight)
    _try_options(book, view, seat, arms, first, worlds, workspace, sight)
    return int(arms.shape[0])


def sight_for(weights: Weights, room: Room, layout: Any, distances: Array, turns: int) -> Sight:
    """Return what looking ahead needs, for one core."""
    return Sight(
        layout.offer,
        layout.others,
        turns,
        distances,
        np.zeros(SEATS, np.float64),
        np.zeros(1, PLAN),
        weights,
        room,
    )
