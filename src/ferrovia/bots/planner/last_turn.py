"""The last turn: what scores most when no other turn follows."""

from ferrovia.bots.kernel.scratch import Plan
from ferrovia.bots.planner.ticket_tree import is_planned, list_open_tickets, size_of, sort_tickets
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.claims import claimable
from ferrovia.rules.chapters.trail import score_longest
from ferrovia.rules.state.bits import EMPTY, insert, next_member
from ferrovia.rules.state.layout import NONE, ROUTE_WORDS, Book, State

_TUNNEL_TENTHS = 7  # of what a tunnel would score


@kernel
def _joined_points(book: Book, route: int, plan: Plan, count: int) -> int:
    """Return the points of open tickets that one route would complete, by the labels of cities."""
    one, other = plan.work.label[book.end_a[route]], plan.work.label[book.end_b[route]]
    points = 0
    for i in range(count):
        ticket = plan.planned[i]
        a = plan.work.label[book.ticket_a[ticket]]
        b = plan.work.label[book.ticket_b[ticket]]
        if (a == one and b == other) or (a == other and b == one):
            points += int(book.ticket_points[ticket])
    return points


@kernel
def last_score(book: Book, route: int, plan: Plan, count: int, bonus: int) -> int:
    """Return what a route scores with its tickets and a bonus, if it can be built, in tenths."""
    points = int(book.route_points[book.length[route]]) + bonus
    points += 2 * _joined_points(book, route, plan, count)
    return points * (_TUNNEL_TENTHS if book.tunnel[route] else 10)


@kernel
def _longest_of_others(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return the length of the longest route of all other seats."""
    most = 0
    for other in range(s.players):
        if other != seat:
            score_longest(book, s, other, plan.score, plan.work)
            most = max(most, int(plan.score.longest[other]))
    return most


@kernel
def _longest_with(book: Book, s: State, seat: int, route: int, plan: Plan) -> int:
    """Return the length of the seat's longest route, if this route were its own too."""
    for word in range(ROUTE_WORDS):
        plan.trial.routes[seat, word] = s.routes[seat, word]
    insert(plan.trial.routes[seat], route)
    score_longest(book, plan.trial, seat, plan.score, plan.work)
    return int(plan.score.longest[seat])


@kernel
def station_score(book: Book, plan: Plan, count: int) -> int:
    """Return what a station would score that finishes all that the plan still holds."""
    points = 0
    if size_of(plan.tree) == 0:
        for i in range(count):
            if is_planned(plan, i):
                points += 2 * int(book.ticket_points[plan.planned[i]])
    return points - int(book.station_bonus)


@kernel
def last_route(book: Book, s: State, seat: int, plan: Plan, station: bool) -> int:
    """Return the route that scores most: its points, tickets it completes, the longest-route bonus.

    NONE where a planned station scores more, or no route can be paid.
    """
    count = list_open_tickets(book, s, seat, plan)
    sort_tickets(book, plan, count)
    to_beat = _longest_of_others(book, s, seat, plan)
    score_longest(book, s, seat, plan.score, plan.work)
    leads = plan.score.longest[seat] >= max(1, to_beat)
    best, most = NONE, 10 * station_score(book, plan, count) if station else 0
    routes = claimable(book, s, seat)
    for word in range(ROUTE_WORDS):
        left = routes[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            bonus = 0
            if not leads and _longest_with(book, s, seat, route, plan) >= to_beat:
                bonus = int(book.longest_bonus)
            score = last_score(book, route, plan, count, bonus)
            if score > most:
                best, most = route, score
    return best
