"""The prior: which options of a position are considered, and how likely each is the best.

Every option is given the points that it is expected to win or lose. Those of cards, tickets and
routes follow means over 80 positions of USA classic with two seats, each option tried in 200 worlds
against the choice of planner, rounded and grouped; the others are guesses.
"""

from ferrovia.bots.kernel.scratch import Plan
from ferrovia.bots.planner.ticket_tree import in_tree
from ferrovia.bots.search.exponential import exp
from ferrovia.bots.search.workspace import OPTIONS, Workspace
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.actions import DRAW_BLIND, DRAW_TICKETS, PAYMENT, ROUTE, TAKE
from ferrovia.rules.chapters.menu import BASIC, CITY, KEEPS, PAYMENTS, ROUTES_0, Menu, base_of, menu
from ferrovia.rules.state.bits import EMPTY, has, has_member, next_member
from ferrovia.rules.state.layout import (
    KEEP,
    KINDS,
    LENGTH,
    LOCOMOTIVE,
    NONE,
    PAY,
    ROUTE_WORDS,
    SECOND,
    START,
    TURN,
    Book,
    State,
    Word,
)

TEMPERATURE = 3.0  # points that make an option e times as likely

SCRIPTED = 2.0  # the choice of the script
BLIND = -1.0
NEEDED = 0.0  # a colour that the tree lacks
WANTED = -1.0  # that the side routes lack
ANY_COLOR = -4.0
FACE_UP_LOCOMOTIVE = -1.5
TICKETS = -7.0
TREE = 0.0  # a route of the plan, for tickets
SIDE = -1.0  # and for points
LONG_ROUTE = -4.0  # others, of 6 spaces and more
SHORT_ROUTE = -5.5  # of at most 2
ROUTE_BETWEEN = -6.5
STATION = -3.0
OTHER_COLOR = -1.0  # another payment than the script's
MORE_LOCOMOTIVES = -6.0
WITHDRAWAL = -3.0
SUBSET = 0.0


@kernel
def _add(workspace: Workspace, count: int, action: int, points: float) -> int:
    """Add an option and return how many there are now. Without room for it, it is left out."""
    if count == OPTIONS:
        return count
    workspace.options[count] = action
    workspace.weights[count] = points
    return count + 1


@kernel
def _add_set(base: int, left: Word, points: float, workspace: Workspace, count: int) -> int:
    """Add all members of a set as options."""
    while left != EMPTY:
        action, left = next_member(left, base)
        count = _add(workspace, count, action, points)
    return count


@kernel
def _add_cards(
    s: State, seat: int, cards: Word, plan: Plan, workspace: Workspace, count: int
) -> int:
    """Add the cards that can be drawn."""
    if has(cards, DRAW_BLIND):
        count = _add(workspace, count, DRAW_BLIND, BLIND)
    for card in range(KINDS):
        if has(cards, TAKE + card):
            if card == LOCOMOTIVE:
                points = FACE_UP_LOCOMOTIVE
            elif plan.need[card] > s.hand[seat, card]:
                points = NEEDED
            else:
                points = WANTED if plan.want[card] > s.hand[seat, card] else ANY_COLOR
            count = _add(workspace, count, TAKE + card, points)
    return count


@kernel
def _add_routes(book: Book, options: Menu, plan: Plan, workspace: Workspace, count: int) -> int:
    """Add the routes that can be claimed."""
    for word in range(ROUTE_WORDS):
        left = options[ROUTES_0 + word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            if in_tree(book, plan, route):
                points = TREE
            elif has_member(plan.side, route):
                points = SIDE
            elif book.length[route] >= 6:
                points = LONG_ROUTE
            else:
                points = SHORT_ROUTE if book.length[route] <= 2 else ROUTE_BETWEEN
            count = _add(workspace, count, ROUTE + route, points)
    return count


@kernel
def _add_payments(left: Word, workspace: Workspace, count: int) -> int:
    """Add all payments: of every colour, those with more locomotives than needed are unlikely."""
    before = NONE
    while left != EMPTY:
        payment, left = next_member(left, 0)
        color = payment // LENGTH
        points = MORE_LOCOMOTIVES if color == before else OTHER_COLOR
        count = _add(workspace, count, PAYMENT + payment, points)
        before = color
    return count


@kernel
def _add_all(book: Book, s: State, seat: int, plan: Plan, workspace: Workspace) -> int:
    """Add all options by what they are, stations only where the plan borrows."""
    options = menu(book, s, seat)
    if s.phase == START or s.phase == KEEP:
        return _add_set(base_of(book, KEEPS), options[KEEPS], SUBSET, workspace, 0)
    if s.phase != TURN and s.phase != SECOND:
        basic = MORE_LOCOMOTIVES if s.phase == PAY else WITHDRAWAL
        count = _add_set(0, options[BASIC], basic, workspace, 0)
        return _add_payments(options[PAYMENTS], workspace, count)
    count = _add_cards(s, seat, options[BASIC], plan, workspace, 0)
    if has(options[BASIC], DRAW_TICKETS):
        count = _add(workspace, count, DRAW_TICKETS, TICKETS)
    count = _add_routes(book, options, plan, workspace, count)
    for word in range(ROUTE_WORDS):
        left = plan.loans[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            for city in (book.end_a[route], book.end_b[route]):
                if has(options[CITY], city):
                    count = _add(workspace, count, base_of(book, CITY) + city, STATION)
    return count


@kernel
def _prefer(workspace: Workspace, count: int, choice: int) -> int:
    """Raise the script's choice, which may not be among the options yet; return their number."""
    place = 0
    while place < count and workspace.options[place] != choice:
        place += 1
    if place == count:
        place = min(place, OPTIONS - 1)
        count = _add(workspace, place, choice, SCRIPTED)
    workspace.weights[place] = SCRIPTED
    return count


@kernel
def _sort(workspace: Workspace, count: int) -> None:
    """Sort the options by points, the highest first, and equal ones in the order of adding."""
    for i in range(1, count):
        action, points = workspace.options[i], workspace.weights[i]
        j = i
        while j > 0 and workspace.weights[j - 1] < points:
            workspace.options[j] = workspace.options[j - 1]
            workspace.weights[j] = workspace.weights[j - 1]
            j -= 1
        workspace.options[j] = action
        workspace.weights[j] = points


@kernel
def list_options(
    book: Book, s: State, seat: int, choice: int, most: int, workspace: Workspace
) -> int:
    """Write the options of a seat that may act, at most `most`; return their number.

    All are legal; the likeliest come first; their weights are the logarithms of how likely each is,
    as compared with the first. `s` is the seat's view, or a world, of which no more is read.
    `choice` is what the script does; its plan is in the workspace.
    """
    count = _add_all(book, s, seat, workspace.plans[seat], workspace)
    count = _prefer(workspace, count, choice)
    _sort(workspace, count)
    count = min(count, most)
    best = workspace.weights[0]
    for i in range(count):
        workspace.weights[i] = (workspace.weights[i] - best) / TEMPERATURE
    return count


@kernel
def make_probabilities(workspace: Workspace, count: int) -> None:
    """Make logarithms of how likely options are into numbers that add up to 1."""
    total = 0.0
    for i in range(count):
        workspace.weights[i] = exp(workspace.weights[i])
        total += workspace.weights[i]
    for i in range(count):
        workspace.weights[i] /= total
