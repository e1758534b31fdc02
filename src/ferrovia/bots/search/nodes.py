"""The tree. Its nodes are sequences of decisions, in whatever world: information sets.

In every world only what is legal there can be chosen. Each seat is taken to seek its own value
(max-n): the prior has it follow the script with the tickets of the world, and what proves better
for it is chosen more often. (Not paranoid, all others playing against one: to block costs the
blocker a turn, and at a table of four that helps two others more. This is reasoned, not measured.)
"""

from math import sqrt

from ferrovia.bots.planner import planner
from ferrovia.bots.planner.weights import PLANNER
from ferrovia.bots.search import scout
from ferrovia.bots.search.prior import list_options
from ferrovia.bots.search.rollout import evaluate, play_on, roll_out
from ferrovia.bots.search.workspace import DEPTH, Array, Desk, desk_type
from ferrovia.bots.search.worlds import fit_tickets, sample_world
from ferrovia.rules.compiler import BYTES, INT, INTS, Need, entry, kernel
from ferrovia.rules.playout import next_seat
from ferrovia.rules.state.layout import BOOK, NONE, START, STATE, Book, State

RIPE = 8  # visits from which on a leaf has children
WIDTH = 12  # options that are looked at below the root
EXPLORE = 0.5  # how strongly the prior draws, in values


@kernel
def _clear(desk: Desk, node: int, action: int) -> None:
    here = desk.nodes[node]
    here.total = 0.0
    here.visits = 0
    here.first = NONE
    here.next = NONE
    here.action = action


@kernel
def _child(desk: Desk, node: int, action: int) -> int:
    """The node that an action leads to, or NONE."""
    child = desk.nodes[node].first
    while child != NONE and desk.nodes[child].action != action:
        child = desk.nodes[child].next
    return int(child)


@kernel
def _add_child(desk: Desk, node: int, action: int) -> int:
    """A new node for an action, or NONE when the tree is full."""
    child = int(desk.used[0])
    if child == desk.nodes.shape[0]:
        return NONE
    desk.used[0] = child + 1
    _clear(desk, child, action)
    desk.nodes[child].next = desk.nodes[node].first
    desk.nodes[node].first = child
    return child


@kernel
def _mean(desk: Desk, node: int) -> float:
    """What a node has been worth to the seat that chooses there; 0 when it was never chosen."""
    total, visits = 0.0, 0
    child = desk.nodes[node].first
    while child != NONE:
        total += desk.nodes[child].total
        visits += desk.nodes[child].visits
        child = desk.nodes[child].next
    return total / visits if visits > 0 else 0.0


@kernel
def _select(desk: Desk, node: int, count: int) -> int:
    """PUCT: the option of most value so far, and more the likelier and the less tried it is."""
    urge = EXPLORE * sqrt(float(desk.nodes[node].visits))
    untried = _mean(desk, node)
    best, most = NONE, 0.0
    for i in range(count):
        child = _child(desk, node, desk.options[i])
        visits, value = 0, untried
        if child != NONE:
            visits = int(desk.nodes[child].visits)
            value = desk.nodes[child].total / visits
        promise = value + urge * desk.weights[i] / (1 + visits)
        if best == NONE or promise > most:
            best, most = i, promise
    return best


@kernel
def _descend(book: Book, s: State, node: int, desk: Desk) -> int:
    """From a node down to a leaf, which may be new; gives the length of the path below the node."""
    depth = 0
    while depth < DEPTH and desk.nodes[node].visits >= RIPE:
        seat = next_seat(s)
        if seat == NONE:
            break
        choice = scout.decide(book, s, seat, desk.plans[seat])
        count = list_options(book, s, seat, choice, WIDTH, desk)
        action = desk.options[_select(desk, node, count)]
        play_on(book, s, seat, action, desk)
        if count == 1:
            continue
        child = _child(desk, node, action)
        if child == NONE:
            child = _add_child(desk, node, action)
        if child == NONE:
            break
        desk.path[depth] = child
        desk.movers[depth] = seat
        depth += 1
        node = child
    return depth


@kernel
def _iterate(book: Book, seat: int, arm: int, desk: Desk) -> None:
    """One game from the world on: an arm of the root, down the tree, to the end by script."""
    desk.state[:] = desk.world
    s = desk.state.view(STATE)[0]
    for each in range(s.players):
        desk.plans[each] = desk.first_plans[each]
    play_on(book, s, seat, desk.nodes[arm].action, desk)
    depth = _descend(book, s, arm, desk)
    roll_out(book, s, desk)
    evaluate(book, s, desk)
    desk.nodes[arm].visits += 1
    desk.nodes[arm].total += desk.values[seat]
    for i in range(depth):
        desk.nodes[desk.path[i]].visits += 1
        desk.nodes[desk.path[i]].total += desk.values[desk.movers[i]]


@entry(BYTES, BYTES, INT, INT, desk_type, needed_for=Need.SEARCH)
def plant(book: Array, view: Array, seat: int, most: int, desk: Desk) -> int:
    """Begin a tree for the decision of a seat, from its view; gives the number of its arms.

    They are nodes 1 and so on, likeliest first, with `desk.weights` telling how likely.
    """
    rules, s = book.view(BOOK)[0], view.view(STATE)[0]
    _clear(desk, 0, NONE)
    desk.used[0] = 1
    choice = planner.decide(rules, s, seat, desk.plans[seat], PLANNER)
    count = list_options(rules, s, seat, choice, most, desk)
    for i in range(count):
        _add_child(desk, 0, desk.options[i])
    if s.phase != START:
        fit_tickets(rules, view, desk)
    return count


@entry(BYTES, BYTES, INT, INTS, INT, INT, desk_type, needed_for=Need.SEARCH)
def grow(
    book: Array, view: Array, seat: int, arms: Array, first: int, worlds: int, desk: Desk
) -> None:
    """Try some arms in so many worlds, from number `first` on: all of them in each.

    One arm in one world is an iteration.
    """
    rules = book.view(BOOK)[0]
    for number in range(first, first + worlds):
        sample_world(rules, view, number, desk)
        world = desk.world.view(STATE)[0]
        for each in range(world.players):
            scout.plan_anew(rules, world, each, desk.first_plans[each])
        for i in range(arms.shape[0]):
            _iterate(rules, seat, arms[i], desk)
