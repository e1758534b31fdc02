"""Greedy: a yardstick that builds its tickets, and nothing else. It uses no randomness.

For every open ticket it looks for the cheapest way; the targets are the routes on these ways that
its trains can still pay for, tickets with most points first, either half of a double. It claims the
longest target it can pay, else draws what its coloured targets lack most. Without a target it draws
tickets while it has at least 12 trains, then claims long routes; in the last round the longest.

On boards that have them: a tunnel is entered with one card to spare; a face-up locomotive is taken
for a ferry; a station is built only where it finishes a ticket that is otherwise lost and worth
more than the station.
"""

from ferrovia.bots.kernel.scratch import Plan
from ferrovia.bots.simple.claims import last_resort, longest, longest_of_any, planned_station
from ferrovia.bots.simple.payment import answer_payment
from ferrovia.bots.simple.targets import find_targets, keep_cheapest
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.actions import DRAW_BLIND, DRAW_TICKETS, ROUTE, TAKE
from ferrovia.rules.chapters.cards import cards_left, place_of
from ferrovia.rules.chapters.claims import claimable
from ferrovia.rules.state.bits import EMPTY
from ferrovia.rules.state.layout import (
    KEEP,
    LOCOMOTIVE,
    NONE,
    PLACES,
    SECOND,
    START,
    TURN,
    Book,
    State,
)

TICKET_TRAINS = 12  # with fewer it draws no tickets
LONG = 3  # routes worth claiming for their points alone
BIND_TENTHS = 6  # of the free trains that one more ticket may bind


@kernel
def choose_card(s: State, seat: int, plan: Plan, first: bool) -> int:
    """Return the face-up colour that the coloured targets lack most, else a blind card."""
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
def _claim_in_last_round(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return the planned station, else the longest route, or NONE."""
    station = planned_station(book, s, seat, plan)
    if station != NONE:
        return station
    route = longest_of_any(book, s, seat)
    return NONE if route == NONE else ROUTE + route


@kernel
def claim_target(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return the longest target it can pay, else the station it plans, or NONE."""
    a, b, c = claimable(book, s, seat)
    x, y, z = plan.targets[0], plan.targets[1], plan.targets[2]
    route = longest(book, s, seat, (a & x, b & y, c & z), 1, False)
    return planned_station(book, s, seat, plan) if route == NONE else ROUTE + route


@kernel
def has_targets(plan: Plan) -> bool:
    """Return whether there is any target."""
    return bool(plan.targets[0] | plan.targets[1] | plan.targets[2] != EMPTY)


@kernel
def _claim_or_tickets(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return what to do before the last round other than drawing cards, or NONE."""
    action = claim_target(book, s, seat, plan)
    if action != NONE or has_targets(plan):
        return action
    if s.trains[seat] >= TICKET_TRAINS and s.ticket_left > 0:
        return DRAW_TICKETS
    route = longest(book, s, seat, claimable(book, s, seat), LONG, False)
    return NONE if route == NONE else ROUTE + route


@kernel
def draw_card(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return a first card; where none can be drawn, what else can be done."""
    if cards_left(s):
        return choose_card(s, seat, plan, True)
    return last_resort(book, s, seat)


@kernel
def answer(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return the decision outside the choice of what to do in a turn."""
    if s.phase == START or s.phase == KEEP:
        return keep_cheapest(book, s, seat, plan, BIND_TENTHS)
    if s.phase == SECOND:
        return choose_card(s, seat, plan, False)
    return answer_payment(book, s, seat, plan)


@kernel
def decide(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return the decision of a seat that may act, from its view."""
    find_targets(book, s, seat, plan)
    if s.phase != TURN:
        return answer(book, s, seat, plan)
    if s.turns_left == NONE:
        action = _claim_or_tickets(book, s, seat, plan)
    else:
        action = _claim_in_last_round(book, s, seat, plan)
    return draw_card(book, s, seat, plan) if action == NONE else action
