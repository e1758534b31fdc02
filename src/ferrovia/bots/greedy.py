"""Greedy: a yardstick that builds its tickets, and nothing else. It leaves nothing to chance.

For every open ticket it looks for the cheapest way; the targets are the routes on these ways that
its trains can still pay for, dearest ticket first, either half of a double. It claims the longest
target it can pay, else draws what its coloured targets lack most. Without a target it draws
tickets while it has at least 12 trains, then claims long routes; in the last round the longest.

On boards that have them: a tunnel is entered with one card to spare; a face-up locomotive is
taken for a ferry; a station is built only where it finishes a ticket that is otherwise lost and
worth more than the station.
"""

import numpy as np

from ferrovia.bots.plan import Plan
from ferrovia.bots.targets import find_targets
from ferrovia.bots.ways import find_ways
from ferrovia.rules.actions import (
    DRAW_BLIND,
    DRAW_TICKETS,
    ONLY_LOCOMOTIVES,
    PAYMENT,
    ROUTE,
    TAKE,
    WITHDRAW_CARDS,
    keep_action,
)
from ferrovia.rules.bits import EMPTY, ONE, has, lowest
from ferrovia.rules.cards import cards_left, place_of
from ferrovia.rules.claims import claimable
from ferrovia.rules.compiling import kernel
from ferrovia.rules.layout import (
    COLORS,
    GRAY,
    KEEP,
    LENGTH,
    LOCOMOTIVE,
    NONE,
    PAY,
    PLACES,
    ROUTE_WORDS,
    SECOND,
    START,
    TUNNEL,
    Book,
    State,
    Word,
)
from ferrovia.rules.menu import entry, menu, size, ways_to_pay_for
from ferrovia.rules.payments import richest
from ferrovia.rules.stations import buildable
from ferrovia.rules.tickets import keep_bounds
from ferrovia.rules.tunnels import TURNED_UP, ways_to_pay_extra

TICKET_TRAINS = 12  # with fewer it draws no tickets
LONG = 3  # routes worth claiming for their points alone
BIND_TENTHS = 6  # of the free trains that one more ticket may bind
FULL_PILE = 16  # with fewer cards to turn up, a tunnel may cost all it can
_PAYMENTS_OF_COLOR = np.uint64((1 << LENGTH) - 1)


@kernel
def _held(book: Book, s: State, seat: int, route: int) -> int:
    """The most cards of one colour that could go into a route, locomotives apart."""
    color = book.color[route]
    return richest(s, seat) if color == GRAY else int(s.hand[seat, color])


@kernel
def _has_to_spare(book: Book, s: State, seat: int, route: int) -> bool:
    """Whether a route is no tunnel, or cards are left for what it may turn up."""
    if book.tunnel[route] == 0:
        return True
    spare = _held(book, s, seat, route) + s.hand[seat, LOCOMOTIVE] - book.length[route]
    pile = int(s.deck_size + s.discards_size)
    return bool(spare >= (1 if pile >= FULL_PILE else min(pile, TURNED_UP)))


@kernel
def _longest(
    book: Book, s: State, seat: int, routes: tuple[Word, Word, Word], least: int, bold: bool
) -> int:
    """Of routes that can be paid, the longest from `least` on; NONE if there is none.

    Of equal ones that which needs the fewest locomotives, a tunnel being as dear as one of them.
    Tunnels without a card to spare are for the bold.
    """
    best, length, locomotives = NONE, least, LENGTH + 1
    for word in range(ROUTE_WORDS):
        left = routes[word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left &= left - ONE
            if book.length[route] < length:
                continue
            needed = max(book.ferry[route], book.length[route] - _held(book, s, seat, route))
            needed += book.tunnel[route]
            if book.length[route] > length or needed < locomotives:
                if bold or _has_to_spare(book, s, seat, route):
                    best, length, locomotives = route, int(book.length[route]), needed
    return best


@kernel
def _choose_card(s: State, seat: int, plan: Plan, first: bool) -> int:
    """The face-up colour that the coloured targets lack most, else a blind card."""
    best, most = NONE, 0
    for place in range(PLACES):
        card = s.display[place]
        if card != NONE and card != LOCOMOTIVE:
            lack = plan.need[card] - s.hand[seat, card]
            if lack > most:
                best, most = card, lack
    if best != NONE:
        return TAKE + best
    if first and s.hand[seat, LOCOMOTIVE] < plan.ferry and place_of(s, LOCOMOTIVE) != NONE:
        return TAKE + LOCOMOTIVE
    return DRAW_BLIND


@kernel
def _station(book: Book, s: State, seat: int, plan: Plan) -> int:
    """The station that finishes a lost ticket, or NONE."""
    if plan.station != NONE and has(buildable(book, s, seat), plan.station):
        return int(book.first_city + plan.station)
    return NONE


@kernel
def _claim_in_last_round(book: Book, s: State, seat: int, plan: Plan) -> int:
    station = _station(book, s, seat, plan)
    if station != NONE:
        return station
    routes = claimable(book, s, seat)
    route = _longest(book, s, seat, routes, 1, False)
    if route == NONE:
        route = _longest(book, s, seat, routes, 1, True)
    return NONE if route == NONE else ROUTE + route


@kernel
def _claim_or_tickets(book: Book, s: State, seat: int, plan: Plan) -> int:
    """What to do before the last round, if not drawing cards; or NONE."""
    a, b, c = claimable(book, s, seat)
    x, y, z = plan.targets[0], plan.targets[1], plan.targets[2]
    if x | y | z != EMPTY:
        route = _longest(book, s, seat, (a & x, b & y, c & z), 1, False)
        return _station(book, s, seat, plan) if route == NONE else ROUTE + route
    station = _station(book, s, seat, plan)
    if station != NONE:
        return station
    if s.trains[seat] >= TICKET_TRAINS and s.ticket_left > 0:
        return DRAW_TICKETS
    route = _longest(book, s, seat, (a, b, c), LONG, False)
    return NONE if route == NONE else ROUTE + route


@kernel
def _choose_action(book: Book, s: State, seat: int, plan: Plan) -> int:
    if s.turns_left == NONE:
        action = _claim_or_tickets(book, s, seat, plan)
    else:
        action = _claim_in_last_round(book, s, seat, plan)
    if action != NONE:
        return action
    if cards_left(s):
        return _choose_card(s, seat, plan, True)
    route = _longest(book, s, seat, claimable(book, s, seat), 1, True)
    if route != NONE:
        return ROUTE + route
    options = menu(book, s, seat)
    return entry(book, options, size(options) - 1)


@kernel
def _cheapest_payment(s: State, seat: int, ways: Word, plan: Plan) -> int:
    """Fewest locomotives, then the colour least needed, then the one most held."""
    best, locomotives = ONLY_LOCOMOTIVES, LENGTH + 1
    need, held = 0, 0
    for color in range(COLORS):
        payments = (ways >> np.uint64(color * LENGTH)) & _PAYMENTS_OF_COLOR
        if payments != EMPTY:
            fewest = lowest(payments)
            better = fewest < locomotives
            if fewest == locomotives:
                better = plan.need[color] < need
                if plan.need[color] == need:
                    better = s.hand[seat, color] > held
            if better:
                best = PAYMENT + color * LENGTH + fewest
                locomotives = fewest
                need, held = plan.need[color], s.hand[seat, color]
    return best


@kernel
def _answer_tunnel(s: State, seat: int, plan: Plan) -> int:
    """Pay whenever it can."""
    ways = ways_to_pay_extra(s, seat)
    if ways == EMPTY and s.hand[seat, LOCOMOTIVE] < s.extra:
        return WITHDRAW_CARDS
    return _cheapest_payment(s, seat, ways, plan)


@kernel
def _keep_tickets(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Cheapest first: the least that must be kept, and what the free trains easily pay for."""
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
        if kept < fewest or (kept < most and 10 * price <= BIND_TENTHS * free):
            subset |= 1 << best
            kept += 1
            free -= price
    return keep_action(book, subset, 0)


@kernel
def decide(book: Book, s: State, seat: int, plan: Plan) -> int:
    """The decision of a seat that may act, from its view."""
    find_targets(book, s, seat, plan)
    if s.phase == START or s.phase == KEEP:
        return _keep_tickets(book, s, seat, plan)
    if s.phase == SECOND:
        return _choose_card(s, seat, plan, False)
    if s.phase == PAY:
        return _cheapest_payment(s, seat, ways_to_pay_for(book, s, seat, s.pending)[1], plan)
    if s.phase == TUNNEL:
        return _answer_tunnel(s, seat, plan)
    return _choose_action(book, s, seat, plan)
