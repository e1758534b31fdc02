"""Looking ahead with a net: a few turns by its policy in many worlds, then what it expects.

An iteration plays one option in one world, lets the net decide for every seat until the seat's own
turn has come round a few times, and takes the position as it stands with what the net still expects
of it; a game that ends sooner counts as it ended. Luck is averaged by the net, not by playing to
the end, so far fewer worlds are enough to tell two options apart.

Everything is whole numbers, or sums of fractions in a fixed order: a decision depends on the view,
the seed and the number of iterations alone, on every machine.
"""

from array import array
from typing import Any, NamedTuple

from ferrovia.bots.kernel.scratch import PLAN, Plan
from ferrovia.bots.net.columns import Columns
from ferrovia.bots.net.inference import (
    ACTIVATIONS,
    WEIGHTS,
    Activations,
    Weights,
    decide,
    expectation,
    logit,
    memory_of,
    think,
)
from ferrovia.bots.net.observation import observe, weigh_subsets
from ferrovia.bots.net.reward import mean_of_others, share_of_win, standing
from ferrovia.bots.search.rollout import play_on
from ferrovia.bots.search.workspace import OPTIONS, WORKSPACE, Workspace
from ferrovia.bots.search.worlds import fit_tickets, sample_world
from ferrovia.kernel import INT, Array, Bundle, entry, kernel, record
from ferrovia.rules.calls import BYTES_SEEN, CHOICES, RULES
from ferrovia.rules.chapters.scoring import score
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.layout import NONE, SEATS, START, STATE, TICKETS, TURN, Book, State
from ferrovia.rules.state.visibility import copy_whole

Numbers = Any

UNLIKELY = 7.0  # an option less likely than the best by this power of e takes no part


class Sight(NamedTuple):
    """What looking ahead needs besides the workspace of a search."""

    slots: int  # of the layout of columns
    others: int
    turns: int  # own turns to look ahead
    distances: Numbers  # of the tickets
    standings: Numbers  # float64, by seat
    plans: Numbers  # one, for the net's decisions
    weights: Weights
    activations: Activations


SIGHT = Bundle(
    Sight,
    (
        INT,
        INT,
        INT,
        Array("i2", (), TICKETS),
        Array("f8", (), SEATS),
        Array(PLAN, (), 1),
        WEIGHTS,
        ACTIVATIONS,
    ),
)


@kernel
def _see(book: Book, s: State, seat: int, sight: Sight, plan: Plan) -> int:
    """Write what a seat sees to the activations; return planner's decision."""
    weigh_subsets(book, s, seat, plan, sight.activations.worths)
    activations = sight.activations
    return observe(
        book, s, seat, sight.slots, sight.others, plan, activations.worths, activations.obs, 0
    )


@kernel
def list_by_net(book: Book, s: State, seat: int, most: int, workspace: Any, sight: Sight) -> int:
    """Write the likeliest options of a seat, at most `most`, the best first; return their number.

    What planner would do is one of them: positions that the net never met are not strange to it.
    Their weights are logarithms of how likely each is, as compared with the first.
    """
    planner = _see(book, s, seat, sight, sight.plans[0])
    trust = think(sight.weights, sight.activations, memory_of(s, seat))
    count = 0
    for action in range(sight.weights.policy.shape[0]):
        if sight.activations.obs[action, 0] == 0 or count == OPTIONS:
            continue
        worth = logit(sight.weights, action, sight.activations)
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
def worth_of_end(totals: Numbers, winners: int, players: int, seat: int, rewards: Numbers) -> float:
    """Return what a finished game is worth to a seat, by its result."""
    margin = float(totals[seat]) - mean_of_others(totals, players, seat)
    won = share_of_win(winners, seat) - 1.0 / float(players)
    return (float(rewards[0]) * margin + 2.0 * float(rewards[1]) * won) / 1e6


@kernel
def worth_ahead(
    standings: Numbers, players: int, seat: int, expected: float, rewards: Numbers
) -> float:
    """Return what a position is worth to a seat, by all standings and what it still expects."""
    now = float(standings[seat]) - mean_of_others(standings, players, seat)
    return float(rewards[0]) / 1e6 * now + expected


@kernel
def _outcome(book: Book, s: State, seat: int, workspace: Workspace, rewards: Numbers) -> float:
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
    think(sight.weights, sight.activations, memory_of(s, seat))
    expected = expectation(sight.weights, sight.activations)
    return worth_ahead(sight.standings, int(s.players), seat, expected, rewards)


@kernel
def _try(book: Book, seat: int, action: int, workspace: Workspace, sight: Sight) -> float:
    """Play an option in the world and the net's decisions after it; return what comes of it."""
    copy_whole(workspace.world, workspace.state)
    s = record(workspace.state, STATE)
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
            sight.activations,
        )
        play_on(book, s, mover, action, workspace)
        mover = next_seat(s)
    return _outcome(book, s, seat, workspace, sight.weights.rewards)


@kernel
def list_options(
    book: Book, view: Numbers, seat: int, most: int, workspace: Workspace, sight: Sight
) -> int:
    """List the options of a seat, from its view, as nodes 1 and so on; return their number.

    `workspace.weights` are as `list_by_net` writes them.
    """
    s = record(view, STATE)
    count = list_by_net(book, s, seat, most, workspace, sight)
    for i in range(count):
        node = workspace.nodes[1 + i]
        node.total = 0.0
        node.visits = 0
        node.action = workspace.options[i]
    if s.phase != START:
        fit_tickets(book, view, workspace)
    return count


@kernel
def _try_options(
    book: Book,
    view: Numbers,
    seat: int,
    arms: Numbers,
    first: int,
    worlds: int,
    workspace: Workspace,
    sight: Sight,
) -> None:
    """Try some options in worlds numbered from `first` on: all of them in each."""
    for number in range(first, first + worlds):
        sample_world(book, view, number, workspace)
        for i in range(arms.shape[0]):
            node = workspace.nodes[arms[i]]
            node.total += _try(book, seat, int(node.action), workspace, sight)
            node.visits += 1


@entry(RULES, BYTES_SEEN, INT, CHOICES, INT, INT, WORKSPACE, SIGHT, long=True)
def look_ahead(
    book: Book,
    view: Numbers,
    seat: int,
    arms: Numbers,
    first: int,
    worlds: int,
    workspace: Workspace,
    sight: Sight,
) -> int:
    """Try some options in worlds numbered from `first` on: all of them in each.

    In no world at all it lists the options, at most `first` of them, and returns their number. One
    function does both, since the rules and the net are in either: they are compiled only once.
    """
    if worlds == 0:
        return list_options(book, view, seat, first, workspace, sight)
    _try_options(book, view, seat, arms, first, worlds, workspace, sight)
    return int(arms.shape[0])


def sight_for(
    weights: Weights, activations: Activations, columns: Columns, distances: Numbers, turns: int
) -> Sight:
    """Return what looking ahead needs, for one core."""
    return Sight(
        columns.offer,
        columns.others,
        turns,
        distances,
        array("d", [0.0] * SEATS),
        PLAN.new(),
        weights,
        activations,
    )
