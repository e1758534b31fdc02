"""Targets: the routes on the cheapest ways of a seat's tickets, those with most points first.

Also which tickets of an offer to keep, by the cost of their ways.
"""

from ferrovia.bots.kernel.paths import NO_WAY, find_ways, follow_way
from ferrovia.bots.kernel.scratch import Plan
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.actions import keep_action
from ferrovia.rules.chapters.stations import built
from ferrovia.rules.chapters.ticket_scoring import score_tickets
from ferrovia.rules.chapters.tickets import keep_bounds
from ferrovia.rules.state.bits import EMPTY, has, has_member, insert, next_member, remove
from ferrovia.rules.state.layout import (
    COLORS,
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

NO_LIMIT = 1 << 10  # turns: as many as a ticket may need


@kernel
def lendable(s: State, seat: int, word: int) -> Word:
    """Return the routes of all others, one word of them."""
    routes = EMPTY
    for other in range(s.players):
        if other != seat:
            routes |= s.routes[other, word]
    return routes


@kernel
def _still_holds(s: State, seat: int, plan: Plan, turns: int) -> bool:
    """Return whether the plan was made for what this view shows; if not, note what it shows.

    With a limit of turns the plan depends on the hand too, and is made again.
    """
    same = plan.seen_stationed == s.stationed and turns == NO_LIMIT == plan.seen_turns
    plan.seen_turns = turns
    plan.seen_stationed = s.stationed
    for word in range(ROUTE_WORDS):
        lent = lendable(s, seat, word)
        same = (
            same
            and plan.seen_open[word] == s.open[seat, word]
            and plan.seen_routes[word] == s.routes[seat, word]
            and plan.seen_lent[word] == lent
        )
        plan.seen_open[word] = s.open[seat, word]
        plan.seen_routes[word] = s.routes[seat, word]
        plan.seen_lent[word] = lent
    for word in range(TICKET_WORDS):
        same = same and plan.seen_tickets[word] == s.tickets[seat, word]
        plan.seen_tickets[word] = s.tickets[seat, word]
    return bool(same)


@kernel
def _dearest(book: Book, plan: Plan) -> int:
    """Return the waiting ticket of most points, the first of equals, or NONE."""
    dearest = NONE
    for word in range(TICKET_WORDS):
        left = plan.waiting[word]
        while left != EMPTY:
            ticket, left = next_member(left, 64 * word)
            if dearest == NONE or book.ticket_points[ticket] > book.ticket_points[dearest]:
                dearest = ticket
    return dearest


@kernel
def _clear_way(plan: Plan) -> None:
    """Empty `plan.way`."""
    for word in range(ROUTE_WORDS):
        plan.way[word] = EMPTY


@kernel
def _adopt_way(book: Book, s: State, seat: int, plan: Plan) -> bool:
    """Make the routes of a way targets, either half of a double; return whether trains suffice."""
    trains = 0
    for word in range(ROUTE_WORDS):
        left = plan.way[word] & ~plan.targets[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            trains += int(book.length[route])
    if plan.bound + trains > s.trains[seat]:
        return False
    plan.bound += trains
    for word in range(ROUTE_WORDS):
        left = plan.way[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            insert(plan.targets, route)
            twin = book.twin[route]
            if twin != NONE and has_member(s.open[seat], twin):
                insert(plan.targets, twin)
    return True


@kernel
def turns_for(book: Book, s: State, seat: int, wanted: Words, plan: Plan) -> int:
    """Return the turns that some routes take at the least: one for each, and one for two cards.

    Gray routes take whatever the coloured ones leave; locomotives replace what is missing.
    """
    routes, gray = 0, 0
    for color in range(COLORS):
        plan.need[color] = 0
    for word in range(ROUTE_WORDS):
        left = wanted[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            routes += 1
            if book.color[route] == GRAY:
                gray += book.length[route]
            else:
                plan.need[book.color[route]] += book.length[route]
    lacking = 0
    for color in range(COLORS):
        lack = plan.need[color] - s.hand[seat, color]
        if lack > 0:
            lacking += lack
        else:
            gray += lack
    lacking += max(gray, 0) - s.hand[seat, LOCOMOTIVE]
    return routes + (max(int(lacking), 0) + 1) // 2


@kernel
def _best_loan(book: Book, s: State, plan: Plan) -> tuple[int, int, int]:
    """Return the cheapest way in two parts with a route of another player between them.

    `plan.cost` has the ways from one end, `plan.other_cost` those from the other. The result is the
    cost and the two cities of the route, one of which must be free for a station.
    """
    best, near, far = NO_WAY, NONE, NONE
    for word in range(ROUTE_WORDS):
        left = plan.seen_lent[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            a, b = book.end_a[route], book.end_b[route]
            if has(s.stationed, a) and has(s.stationed, b):
                continue
            cost = plan.cost[a] + plan.other_cost[b]
            if cost < best:
                best, near, far = cost, a, b
            cost = plan.cost[b] + plan.other_cost[a]
            if cost < best:
                best, near, far = cost, b, a
    return best, near, far


@kernel
def _plan_station(book: Book, s: State, seat: int, ticket: int, plan: Plan, turns: int) -> bool:
    """Plan the way of a lost ticket with one route that a new station would borrow (R9.3).

    Return whether there is such a way.
    """
    a, b = book.ticket_a[ticket], book.ticket_b[ticket]
    find_ways(book, s, seat, b, NONE, plan)
    for city in range(book.cities):
        plan.other_cost[city] = plan.cost[city]
    find_ways(book, s, seat, a, NONE, plan)
    cost, near, far = _best_loan(book, s, plan)
    if cost > s.trains[seat]:
        return False
    _clear_way(plan)
    follow_way(book, s, seat, a, near, plan)
    find_ways(book, s, seat, b, far, plan)
    follow_way(book, s, seat, b, far, plan)
    if turns_for(book, s, seat, plan.way, plan) >= turns or not _adopt_way(book, s, seat, plan):
        return False
    if cost == 0 and plan.station == NONE:
        plan.station = far if has(s.stationed, near) else near
    return True


@kernel
def _sum_up(book: Book, plan: Plan) -> None:
    """Sum up what the targets ask for: cards of each colour, one more for a tunnel, locomotives."""
    plan.ferry = 0
    for color in range(COLORS):
        plan.need[color] = 0
    for word in range(ROUTE_WORDS):
        left = plan.targets[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            plan.ferry = max(plan.ferry, book.ferry[route])
            if book.color[route] != GRAY:
                plan.need[book.color[route]] += book.length[route] + book.tunnel[route]


@kernel
def find_targets_within(book: Book, s: State, seat: int, plan: Plan, turns: int) -> None:
    """Bring the plan up to date with the view, for a number of turns.

    Tickets that cannot be finished in time are lost, as those without a way are: only a station can
    still finish them.
    """
    if _still_holds(s, seat, plan, turns):
        return
    plan.bound = 0
    plan.station = NONE
    for word in range(ROUTE_WORDS):
        plan.targets[word] = EMPTY
    for word in range(TICKET_WORDS):
        plan.waiting[word] = s.tickets[seat, word]
    stations = built(s, seat)
    if stations > 0:
        score_tickets(book, s, seat, plan.score, plan.work)
        for word in range(TICKET_WORDS):
            plan.waiting[word] &= ~plan.score.completed[seat, word]
    stations_left = book.stations - stations
    ticket = _dearest(book, plan)
    while ticket != NONE:
        remove(plan.waiting, ticket)
        a, b = book.ticket_a[ticket], book.ticket_b[ticket]
        find_ways(book, s, seat, a, b, plan)
        lost = plan.cost[b] > s.trains[seat]
        if not lost and plan.cost[b] > 0:
            _clear_way(plan)
            follow_way(book, s, seat, a, b, plan)
            lost = turns_for(book, s, seat, plan.way, plan) > turns
            if not lost:
                _adopt_way(book, s, seat, plan)
        # R10.4: the ticket must be worth more than the station in hand.
        if lost and stations_left > 0 and book.ticket_points[ticket] > book.station_bonus:
            if _plan_station(book, s, seat, ticket, plan, turns):
                stations_left -= 1
        ticket = _dearest(book, plan)
    _sum_up(book, plan)


@kernel
def find_targets(book: Book, s: State, seat: int, plan: Plan) -> None:
    """Bring the plan up to date with the view."""
    find_targets_within(book, s, seat, plan, NO_LIMIT)


@kernel
def keep_cheapest(book: Book, s: State, seat: int, plan: Plan, tenths: int) -> int:
    """Return the keep of the cheapest tickets: as few as must be, and what is easily paid.

    A further ticket may bind `tenths` tenths of the trains that no open ticket binds yet.
    """
    offered = s.offered[seat]
    for i in range(offered):
        ticket = s.offer[seat, i]
        a, b = book.ticket_a[ticket], book.ticket_b[ticket]
        find_ways(book, s, seat, a, b, plan)
        plan.price[i] = plan.cost[b]
    fewest, most = keep_bounds(book, s, seat)
    free = int(s.trains[seat] - plan.bound)
    subset, kept, looked_at = 0, 0, 0
    for _ in range(offered):
        best = NONE
        for i in range(offered):
            if (looked_at >> i) & 1 == 0 and (best == NONE or plan.price[i] < plan.price[best]):
                best = i
        looked_at |= 1 << best
        price = int(plan.price[best])
        if kept < fewest or (kept < most and 10 * price <= tenths * free):
            subset |= 1 << best
            kept += 1
            free -= price
    return keep_action(book, subset, 0)
