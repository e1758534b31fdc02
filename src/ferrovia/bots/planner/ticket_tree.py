"""One tree for all tickets: the routes that join what they ask for, at the least real cost.

What a route costs is counted in turns, cards and trains, less its points. The way of each ticket is
found with the ways of all others free, in two passes. Tickets that the trains or the turns do not
suffice for, or that are not worth their routes, are dropped, the least loss first.
"""

from ferrovia.bots.kernel.paths import NO_WAY, find_priced_ways, follow_way
from ferrovia.bots.kernel.scratch import PLANNED, RING, Plan
from ferrovia.bots.planner.needs import count_supply, total_of
from ferrovia.bots.planner.weights import POINT, Style
from ferrovia.bots.simple.targets import lendable, turns_for
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.payments import richest
from ferrovia.rules.chapters.stations import built
from ferrovia.rules.chapters.ticket_scoring import score_tickets
from ferrovia.rules.state.bits import EMPTY, has, has_member, insert, next_member, popcount
from ferrovia.rules.state.layout import (
    GRAY,
    LOCOMOTIVE,
    NONE,
    ROUTE_WORDS,
    TICKET_WORDS,
    Book,
    State,
    Word,
    Words,
)


@kernel
def _price_loans(book: Book, s: State, seat: int, plan: Plan, style: Style) -> None:
    """Set what it costs to borrow a route: a station, its bonus, its cards and a turn."""
    stations = built(s, seat)
    net = style.turn + style.card * (stations + 1) + POINT * int(book.station_bonus)
    for word in range(ROUTE_WORDS):
        plan.lent[word] = EMPTY
        left = lendable(s, seat, word) if stations < book.stations else EMPTY
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            if not (has(s.stationed, book.end_a[route]) and has(s.stationed, book.end_b[route])):
                insert(plan.lent, route)
                plan.net[route] = net
                plan.toll[route] = max(1, min(RING - 1, net))
        plan.priced[word] = s.open[seat, word] | plan.lent[word]


@kernel
def set_tolls(book: Book, s: State, seat: int, plan: Plan, style: Style) -> None:
    """Set what every open route costs now."""
    rich = richest(s, seat)
    count_supply(book, s, seat, plan)
    for word in range(ROUTE_WORDS):
        left = s.open[seat, word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            length, color = book.length[route], book.color[route]
            held = min(length, rich if color == GRAY else s.hand[seat, color])
            scarce = 0
            if color != GRAY:
                scarce = style.hue * (length - held) * 8 // max(1, plan.pool[color])
            lacking = max(0, book.ferry[route] - s.hand[seat, LOCOMOTIVE])
            net = (
                style.turn
                + style.risk
                + style.card * length
                - style.held * held
                + scarce
                + style.tunnel * book.tunnel[route]
                + style.ferry * lacking
                - POINT * book.route_points[length]
            )
            plan.net[route] = net
            plan.toll[route] = max(1, min(RING - 1, net))
    _price_loans(book, s, seat, plan, style)


@kernel
def _set_short_tolls(book: Book, s: State, seat: int, plan: Plan) -> None:
    """Set the cost of every open route to its length."""
    for word in range(ROUTE_WORDS):
        left = s.open[seat, word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            plan.toll[route] = POINT * book.length[route]


@kernel
def list_open_tickets(book: Book, s: State, seat: int, plan: Plan) -> int:
    """List the tickets that the seat has not completed, by number; return how many there are."""
    score_tickets(book, s, seat, plan.score, plan.work)
    count = 0
    for word in range(TICKET_WORDS):
        left = s.tickets[seat, word] & ~plan.score.completed[seat, word]
        while left != EMPTY and count < PLANNED:
            plan.planned[count], left = next_member(left, 64 * word)
            count += 1
    return count


@kernel
def sort_tickets(book: Book, plan: Plan, count: int) -> None:
    """Sort the listed tickets, those with most points first."""
    for i in range(1, count):
        ticket = plan.planned[i]
        j = i
        while j > 0 and book.ticket_points[plan.planned[j - 1]] < book.ticket_points[ticket]:
            plan.planned[j] = plan.planned[j - 1]
            j -= 1
        plan.planned[j] = ticket


@kernel
def _all_ways(plan: Plan, count: int, but: int, word: int) -> Word:
    """Return the routes of the ways of all tickets except one."""
    routes = EMPTY
    for i in range(count):
        if i != but:
            routes |= plan.ways[i, word]
    return routes


@kernel
def _find_way(book: Book, s: State, seat: int, plan: Plan, count: int, i: int) -> None:
    """Find the way of one ticket, with those of all others free."""
    for word in range(ROUTE_WORDS):
        plan.free[word] = s.routes[seat, word] | _all_ways(plan, count, i, word)
        plan.way[word] = EMPTY
    a, b = book.ticket_a[plan.planned[i]], book.ticket_b[plan.planned[i]]
    find_priced_ways(book, a, b, plan.free, plan.priced, plan.toll, plan)
    if plan.cost[b] < NO_WAY:
        follow_way(book, s, seat, a, b, plan)
    for word in range(ROUTE_WORDS):
        plan.ways[i, word] = plan.way[word]


@kernel
def trains_for(book: Book, routes: Words) -> int:
    """Return the trains that some routes take."""
    return total_of(book.length, routes)


@kernel
def _net_of(plan: Plan, word: int, routes: Word) -> int:
    """Return what some routes of one word cost together."""
    net = 0
    while routes != EMPTY:
        route, routes = next_member(routes, 64 * word)
        net += int(plan.net[route])
    return net


@kernel
def _join_ways(plan: Plan, count: int) -> None:
    """Join all ways: into what is to be claimed, and what is to be borrowed."""
    for word in range(ROUTE_WORDS):
        routes = _all_ways(plan, count, NONE, word)
        plan.tree[word] = routes & ~plan.lent[word]
        plan.loans[word] = routes & plan.lent[word]


@kernel
def size_of(routes: Words) -> int:
    """Return the number of routes in a set."""
    return popcount(routes[0]) + popcount(routes[1]) + popcount(routes[2])


@kernel
def _is_possible(book: Book, s: State, seat: int, plan: Plan, trains: int, turns: int) -> bool:
    """Return whether trains, stations and turns suffice for the tree."""
    loans = size_of(plan.loans)
    return (
        trains_for(book, plan.tree) <= trains
        and loans <= book.stations - built(s, seat)
        and loans + turns_for(book, s, seat, plan.tree, plan) <= turns
    )


@kernel
def _least_gain(book: Book, plan: Plan, count: int) -> tuple[int, int]:
    """Return the planned ticket that gains least over what its own routes cost, and that gain."""
    least, gain = NONE, 0
    for i in range(count):
        any_way, cost, alone = EMPTY, 0, EMPTY
        for word in range(ROUTE_WORDS):
            own = plan.ways[i, word] & ~_all_ways(plan, count, i, word)
            cost += _net_of(plan, word, own)
            any_way |= plan.ways[i, word]
            alone |= own
        worth = 2 * POINT * int(book.ticket_points[plan.planned[i]]) - cost
        if any_way != EMPTY and alone != EMPTY and (least == NONE or worth < gain):
            least, gain = i, worth
    return least, gain


@kernel
def _find_all_ways(book: Book, s: State, seat: int, plan: Plan, count: int, passes: int) -> None:
    """Find the ways of all tickets from the beginning, in a number of passes."""
    for i in range(count):
        for word in range(ROUTE_WORDS):
            plan.ways[i, word] = EMPTY
    for _ in range(passes):
        for i in range(count):
            _find_way(book, s, seat, plan, count, i)
    _join_ways(plan, count)


@kernel
def grow_tree(
    book: Book, s: State, seat: int, plan: Plan, count: int, passes: int, trains: int, turns: int
) -> None:
    """Plan the tree for the first `count` planned tickets, within a number of trains and turns.

    Where the best ways do not fit in, the shortest are tried before any ticket is dropped.
    `plan.ways` of a ticket that is dropped or has no way is empty. The tolls must be up to date.
    """
    _find_all_ways(book, s, seat, plan, count, passes)
    if not _is_possible(book, s, seat, plan, trains, turns):
        _set_short_tolls(book, s, seat, plan)
        _find_all_ways(book, s, seat, plan, count, passes)
    while True:
        least, gain = _least_gain(book, plan, count)
        if least == NONE:
            break
        if gain > 0 and _is_possible(book, s, seat, plan, trains, turns):
            break
        for word in range(ROUTE_WORDS):
            plan.ways[least, word] = EMPTY
        _join_ways(plan, count)


@kernel
def is_planned(plan: Plan, i: int) -> bool:
    """Return whether a planned ticket has a way."""
    return bool(plan.ways[i, 0] | plan.ways[i, 1] | plan.ways[i, 2] != EMPTY)


@kernel
def value_of_tree(book: Book, plan: Plan, count: int, keep: int) -> int:
    """Return what the first `count` planned tickets gain or lose, less what the tree costs."""
    value = 0
    for i in range(count):
        points = POINT * int(book.ticket_points[plan.planned[i]])
        value += points * keep // 16 if is_planned(plan, i) else -points
    for word in range(ROUTE_WORDS):
        value -= _net_of(plan, word, plan.tree[word] | plan.loans[word])
    return value


@kernel
def in_tree(book: Book, plan: Plan, route: int) -> bool:
    """Return whether a route or its twin is in the tree."""
    twin = book.twin[route]
    return has_member(plan.tree, route) or (twin != NONE and has_member(plan.tree, twin))
