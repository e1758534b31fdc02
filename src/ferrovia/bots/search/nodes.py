"""The tree. A node is a sequence of decisions, in whatever world: an information set.

In every world only what is legal there can be chosen. Each seat is assumed to maximise its own
value (max-n): the prior has it follow the script with the tickets of the world, and what proves
better for it is chosen more often. (Not paranoid, all others playing against one: to block costs
the blocker a turn, and at a table of four that helps two others more. This is reasoned, not
measured.)
"""

from math import sqrt

from ferrovia.bots.planner import planner
from ferrovia.bots.planner.weights import PLANNER
from ferrovia.bots.search import scout
from ferrovia.bots.search.prior import list_options, make_probabilities
from ferrovia.bots.search.rollout import evaluate, play_on, roll_out
from ferrovia.bots.search.workspace import DEPTH, WORKSPACE, Numbers, Workspace
from ferrovia.bots.search.worlds import fit_tickets, sample_world
from ferrovia.kernel import INT, entry, kernel, record
from ferrovia.rules.calls import BYTES_SEEN, CHOICES, RULES
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.layout import NONE, START, STATE, Book, State
from ferrovia.rules.state.visibility import copy_whole

EXPAND_AT = 8  # visits after which a leaf gets children
WIDTH = 12  # options that are considered below the root
EXPLORATION = 0.5  # how strongly the prior attracts, in values (the constant of PUCT)


@kernel
def _clear(workspace: Workspace, node: int, action: int) -> None:
    """Make a node one that was never visited, for an action."""
    here = workspace.nodes[node]
    here.total = 0.0
    here.visits = 0
    here.first = NONE
    here.next = NONE
    here.action = action


@kernel
def _child(workspace: Workspace, node: int, action: int) -> int:
    """Return the node that an action leads to, or NONE."""
    child = workspace.nodes[node].first
    while child != NONE and workspace.nodes[child].action != action:
        child = workspace.nodes[child].next
    return int(child)


@kernel
def _add_child(workspace: Workspace, node: int, action: int) -> int:
    """Return a new node for an action, or NONE when the tree is full."""
    child = int(workspace.used[0])
    if child == workspace.nodes.shape[0]:
        return NONE
    workspace.used[0] = child + 1
    _clear(workspace, child, action)
    workspace.nodes[child].next = workspace.nodes[node].first
    workspace.nodes[node].first = child
    return child


@kernel
def _mean(workspace: Workspace, node: int) -> float:
    """Return the mean value of a node to the seat that chooses there; 0 without a visit."""
    total, visits = 0.0, 0
    child = workspace.nodes[node].first
    while child != NONE:
        total += workspace.nodes[child].total
        visits += workspace.nodes[child].visits
        child = workspace.nodes[child].next
    return total / visits if visits > 0 else 0.0


@kernel
def _select(workspace: Workspace, node: int, count: int) -> int:
    """Return the option with the highest PUCT score: its value, and more if it is hardly tried."""
    exploration = EXPLORATION * sqrt(float(workspace.nodes[node].visits))
    untried = _mean(workspace, node)
    best, most = NONE, 0.0
    for i in range(count):
        child = _child(workspace, node, workspace.options[i])
        visits, value = 0, untried
        if child != NONE:
            visits = int(workspace.nodes[child].visits)
            value = workspace.nodes[child].total / visits
        promise = value + exploration * workspace.weights[i] / (1 + visits)
        if best == NONE or promise > most:
            best, most = i, promise
    return best


@kernel
def _descend(book: Book, s: State, node: int, workspace: Workspace) -> int:
    """Go from a node down to a leaf, which may be new; return how long the path is."""
    depth = 0
    while depth < DEPTH and workspace.nodes[node].visits >= EXPAND_AT:
        seat = next_seat(s)
        if seat == NONE:
            break
        choice = scout.decide(book, s, seat, workspace.plans[seat])
        count = list_options(book, s, seat, choice, WIDTH, workspace)
        make_probabilities(workspace, count)
        action = workspace.options[_select(workspace, node, count)]
        play_on(book, s, seat, action, workspace)
        if count == 1:
            continue
        child = _child(workspace, node, action)
        if child == NONE:
            child = _add_child(workspace, node, action)
        if child == NONE:
            break
        workspace.path[depth] = child
        workspace.movers[depth] = seat
        depth += 1
        node = child
    return depth


@kernel
def _iterate(book: Book, seat: int, arm: int, workspace: Workspace) -> None:
    """Play one game from the world on: an arm of the root, down the tree, to the end by script."""
    copy_whole(workspace.world, workspace.state)
    s = record(workspace.state, STATE)
    for each in range(s.players):
        workspace.plans[each] = workspace.first_plans[each]
    play_on(book, s, seat, workspace.nodes[arm].action, workspace)
    depth = _descend(book, s, arm, workspace)
    roll_out(book, s, workspace)
    evaluate(book, s, workspace)
    workspace.nodes[arm].visits += 1
    workspace.nodes[arm].total += workspace.values[seat]
    for i in range(depth):
        workspace.nodes[workspace.path[i]].visits += 1
        workspace.nodes[workspace.path[i]].total += workspace.values[workspace.movers[i]]


@entry(RULES, BYTES_SEEN, INT, INT, WORKSPACE)
def plant(book: Book, view: Numbers, seat: int, most: int, workspace: Workspace) -> int:
    """Start a tree for the decision of a seat, from its view, and return the number of its arms.

    They are nodes 1 and so on, likeliest first; `workspace.weights` is as `list_options` writes it.
    """
    s = record(view, STATE)
    _clear(workspace, 0, NONE)
    workspace.used[0] = 1
    choice = planner.decide(book, s, seat, workspace.plans[seat], PLANNER)
    count = list_options(book, s, seat, choice, most, workspace)
    for i in range(count):
        _add_child(workspace, 0, workspace.options[i])
    if s.phase != START:
        fit_tickets(book, view, workspace)
    return count


@entry(RULES, BYTES_SEEN, INT, CHOICES, INT, INT, WORKSPACE, long=True)
def grow(
    book: Book,
    view: Numbers,
    seat: int,
    arms: Numbers,
    first: int,
    worlds: int,
    workspace: Workspace,
) -> None:
    """Try some arms in worlds numbered from `first` on: all of them in each.

    One arm in one world is an iteration.
    """
    for number in range(first, first + worlds):
        sample_world(book, view, number, workspace)
        world = record(workspace.world, STATE)
        for each in range(world.players):
            scout.plan_anew(book, world, each, workspace.first_plans[each])
        for i in range(arms.shape[0]):
            _iterate(book, seat, arms[i], workspace)
