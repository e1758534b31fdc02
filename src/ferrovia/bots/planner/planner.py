"""Planner: our best script, and collector, which is more patient. They use no randomness.

It plans one tree for all its tickets (ticket_tree.py) at the real cost in turns, cards and trains,
and side routes for the trains that the tree leaves (side_routes.py); gives every route a colour, so
that the hand pays for the most (needs.py); pays with the cards that the plan needs least
(payment.py); counts cards (card_choice.py); claims first what opponents threaten and what is
expensive to go around, and watches everybody's trains (opponents.py); borrows with a station where
that is cheaper than a detour; draws tickets while trains and turns are free, and keeps what is best
for the whole tree.

How it weighs all that is its style (weights.py).
"""

from ferrovia.bots.kernel.paths import cities_of
from ferrovia.bots.kernel.scratch import PLANNED, RING, Plan
from ferrovia.bots.planner.card_choice import choose_card
from ferrovia.bots.planner.last_turn import last_route
from ferrovia.bots.planner.needs import ferry_need, lacking, sum_needs
from ferrovia.bots.planner.opponents import detour_around, threat_to, turns_left
from ferrovia.bots.planner.payment import best_payment, is_safe
from ferrovia.bots.planner.side_routes import choose_side_routes, worth_of
from ferrovia.bots.planner.ticket_tree import (
    grow_tree,
    in_tree,
    list_open_tickets,
    set_tolls,
    size_of,
    sort_tickets,
    trains_for,
    value_of_tree,
)
from ferrovia.bots.planner.weights import POINT, Style
from ferrovia.bots.simple.claims import last_resort
from ferrovia.bots.simple.payment import answer_payment
from ferrovia.kernel import kernel, uint64
from ferrovia.rules.chapters.actions import DRAW_TICKETS, ROUTE, keep_action
from ferrovia.rules.chapters.cards import cards_left
from ferrovia.rules.chapters.claims import claimable
from ferrovia.rules.chapters.stations import buildable
from ferrovia.rules.chapters.tickets import keep_bounds
from ferrovia.rules.state.bits import EMPTY, has, has_member, next_member, popcount
from ferrovia.rules.state.layout import (
    KEEP,
    NONE,
    PAY,
    ROUTE_WORDS,
    SECOND,
    START,
    TUNNEL,
    Book,
    State,
)

_PASSES = 2  # over the ways of all tickets
_AT_ONCE = 1 << 14  # more than any other reason to claim


@kernel
def make_plan(book: Book, s: State, seat: int, plan: Plan, style: Style) -> tuple[int, int, int]:
    """Make the whole plan for a view: tree, side routes, needs.

    Return the turns likely left, those of them that the tree leaves, and the cards it lacks.
    """
    turns = turns_left(s, seat, style.pace)
    set_tolls(book, s, seat, plan, style)
    count = list_open_tickets(book, s, seat, plan)
    sort_tickets(book, plan, count)
    grow_tree(book, s, seat, plan, count, _PASSES, int(s.trains[seat]), turns)
    sum_needs(book, s, seat, plan.tree, plan.need, plan)
    plan.ferry = ferry_need(book, plan.tree)
    for each in range(s.players):
        plan.reach[each] = cities_of(book, s, each)
    plan.bound = trains_for(book, plan.tree)
    lack = lacking(s, seat, plan.need, plan.ferry)
    free = turns - size_of(plan.tree) - (lack + 1) // 2
    choose_side_routes(book, s, seat, plan, style, int(s.trains[seat] - plan.bound), max(1, free))
    return turns, free, lack


@kernel
def _danger(
    book: Book, s: State, seat: int, route: int, plan: Plan, style: Style, least: int
) -> int:
    """Return what it may cost to leave a route of the tree to others; 0 if surely below `least`."""
    threat = threat_to(book, s, seat, route, plan)
    if style.danger * (1 + threat) * RING // 64 < least:
        return 0
    return style.danger * (1 + threat) * detour_around(book, s, seat, route, plan) // 64


@kernel
def _reason_for_side_route(
    book: Book, s: State, seat: int, route: int, plan: Plan, style: Style
) -> int:
    """Return how good it is to claim a route for points now.

    It is very good if the route is worth it or nothing else can be done.
    """
    worth = worth_of(book, seat, route, plan, style)
    if size_of(plan.tree) > 0:
        worth = min(worth - style.fill, style.claim)
    elif worth > style.least or lacking(s, seat, plan.want, 0) == 0:
        worth = max(worth, 0) + _AT_ONCE
    return worth + style.block * threat_to(book, s, seat, route, plan)


@kernel
def claim(book: Book, s: State, seat: int, plan: Plan, style: Style, hoard: bool) -> int:
    """Return the planned route that is best claimed now, or NONE.

    With `hoard`, routes of the tree are claimed only when they are in danger.
    """
    routes = claimable(book, s, seat)
    best, most = NONE, 0
    for word in range(ROUTE_WORDS):
        left = routes[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            if in_tree(book, plan, route):
                danger = _danger(book, s, seat, route, plan, style, style.alarm if hoard else 0)
                if hoard and danger < style.alarm:
                    continue
                reason = style.claim + int(book.length[route]) + danger
            elif has_member(plan.side, route):
                reason = _reason_for_side_route(book, s, seat, route, plan, style)
            else:
                continue
            payment, cost = best_payment(book, s, seat, route, plan, style)
            if reason - cost > most and is_safe(book, s, seat, route, payment):
                best, most = route, reason - cost
    return best


@kernel
def find_station(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return a station for a route that the plan borrows, or NONE."""
    cities = buildable(book, s, seat)
    for word in range(ROUTE_WORDS):
        left = plan.loans[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            for city in (book.end_a[route], book.end_b[route]):
                if has(cities, city):
                    return int(book.first_city + city)
    return NONE


@kernel
def act(
    book: Book, s: State, seat: int, plan: Plan, style: Style, turns: int, free: int, lack: int
) -> int:
    """Return what to do in a turn by the plan, which must be that of the view (see `make_plan`)."""
    station = find_station(book, s, seat, plan)
    if s.turns_left != NONE:
        route = last_route(book, s, seat, plan, station != NONE)
    else:
        route = claim(book, s, seat, plan, style, lack > style.hoard and free > 1)
    return claim_or_draw(book, s, seat, plan, style, turns, free, station, route)


@kernel
def claim_or_draw(
    book: Book,
    s: State,
    seat: int,
    plan: Plan,
    style: Style,
    turns: int,
    free: int,
    station: int,
    route: int,
) -> int:
    """Return what to do in a turn, once route and station are chosen, which may be NONE."""
    if route != NONE:
        return ROUTE + route
    if station != NONE and (size_of(plan.tree) == 0 or turns <= 2):
        return station
    last_round = s.turns_left != NONE
    if not last_round and s.ticket_left > 0:
        trains = s.trains[seat] - plan.bound
        if free >= style.ticket_turns and trains >= style.ticket_trains:
            return DRAW_TICKETS
    if cards_left(s):
        return choose_card(book, s, seat, plan, style, True)
    return last_resort(book, s, seat)


@kernel
def value_of_subset(
    book: Book, s: State, seat: int, subset: int, plan: Plan, style: Style, turns: int
) -> int:
    """Return what a subset of the offer is worth together with the tickets held."""
    count = list_open_tickets(book, s, seat, plan)
    value = 0
    for i in range(s.offered[seat]):
        if (subset >> i) & 1 == 1 and count < PLANNED:
            ticket = s.offer[seat, i]
            a, b = book.ticket_a[ticket], book.ticket_b[ticket]
            if plan.work.label[a] == plan.work.label[b]:
                value += POINT * int(book.ticket_points[ticket])
            else:
                plan.planned[count] = ticket
                count += 1
    sort_tickets(book, plan, count)
    set_tolls(book, s, seat, plan, style)
    grow_tree(book, s, seat, plan, count, 1, int(s.trains[seat]) - style.slack, turns)
    return value + value_of_tree(book, plan, count, style.keep)


@kernel
def _keep_tickets(book: Book, s: State, seat: int, plan: Plan, style: Style) -> int:
    """Return the keep of the subset of the offer that is worth most."""
    turns = turns_left(s, seat, style.pace)
    fewest, most = keep_bounds(book, s, seat)
    best, top = NONE, 0
    for subset in range(1 << s.offered[seat]):
        if fewest <= popcount(uint64(subset)) <= most:
            value = value_of_subset(book, s, seat, subset, plan, style, turns)
            if best == NONE or value > top:
                best, top = subset, value
    return keep_action(book, best, 0)


@kernel
def decide(book: Book, s: State, seat: int, plan: Plan, style: Style) -> int:
    """Return the decision of a seat that may act, from its view."""
    if s.phase == START or s.phase == KEEP:
        return _keep_tickets(book, s, seat, plan, style)
    if s.phase == TUNNEL:
        return answer_payment(book, s, seat, plan)
    if s.phase == SECOND:
        make_plan(book, s, seat, plan, style)
        return choose_card(book, s, seat, plan, style, False)
    if s.phase == PAY:
        make_plan(book, s, seat, plan, style)
        return best_payment(book, s, seat, int(s.pending), plan, style)[0]
    turns, free, lack = make_plan(book, s, seat, plan, style)
    return act(book, s, seat, plan, style, turns, free, lack)
