"""Scout: the script of the rollouts. It plays as planner does, but keeps its plan while it holds.

Planner makes a new plan for every decision. Scout checks at the start of a turn whether the last
one can still be followed, which is several times faster and costs little strength. So it has a
memory: the plan that it goes on with is that of an earlier state, made by `plan_anew`, or none, all
zero.
"""

from ferrovia.bots.kernel.paths import cities_of
from ferrovia.bots.kernel.scratch import Plan
from ferrovia.bots.planner.card_choice import choose_card
from ferrovia.bots.planner.last_turn import last_score
from ferrovia.bots.planner.needs import add_need, ferry_need, lacking, sum_needs
from ferrovia.bots.planner.opponents import turns_left
from ferrovia.bots.planner.payment import best_payment
from ferrovia.bots.planner.planner import act, find_station, make_plan
from ferrovia.bots.planner.planner import decide as decide_anew
from ferrovia.bots.planner.ticket_tree import list_open_tickets, size_of, trains_for
from ferrovia.bots.planner.weights import PLANNER
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.actions import ROUTE
from ferrovia.rules.chapters.claims import claimable
from ferrovia.rules.state.bits import EMPTY, has_member, next_member
from ferrovia.rules.state.layout import (
    COLORS,
    NONE,
    PAY,
    ROUTE_WORDS,
    SECOND,
    TICKET_WORDS,
    TURN,
    Book,
    State,
    Words,
)

PATIENCE = 12  # own turns that a plan lasts


@kernel
def _drop_gone(book: Book, s: State, seat: int, routes: Words) -> bool:
    """Remove what is no longer open; return False if any of it was lost to others.

    It is not lost if it is the seat's own now, be it the other half of a double.
    """
    kept = True
    for word in range(ROUTE_WORDS):
        gone = routes[word] & ~s.open[seat, word] & ~s.routes[seat, word]
        routes[word] &= s.open[seat, word]
        while gone != EMPTY:
            route, gone = next_member(gone, 64 * word)
            twin = book.twin[route]
            kept = kept and twin != NONE and has_member(s.routes[seat], twin)
    return kept


@kernel
def _asks_for_stations(s: State, plan: Plan) -> bool:
    """Return whether to plan stations again: in the last round, or when others have built some."""
    if s.turns_left != NONE:
        return size_of(plan.tree) + size_of(plan.loans) > 0
    return plan.seen_stationed != s.stationed and size_of(plan.loans) > 0


@kernel
def _holds(book: Book, s: State, seat: int, plan: Plan) -> bool:
    """Return whether the last plan can still be followed: no new ticket or station, no way lost."""
    if plan.seen_turns == 0 or s.turns >= plan.seen_turns + PATIENCE * s.players:
        return False
    if book.stations > 0 and _asks_for_stations(s, plan):
        return False
    for word in range(TICKET_WORDS):
        if plan.seen_tickets[word] != s.tickets[seat, word]:
            return False
    _drop_gone(book, s, seat, plan.side)
    return _drop_gone(book, s, seat, plan.tree) and size_of(plan.tree) + size_of(plan.side) > 0


@kernel
def _bring_up_to_date(book: Book, s: State, seat: int, plan: Plan) -> tuple[int, int, int]:
    """Update what the routes of a plan ask for; return what `make_plan` returns."""
    turns = turns_left(s, seat, PLANNER.pace)
    sum_needs(book, s, seat, plan.tree, plan.need, plan)
    plan.ferry = ferry_need(book, plan.tree)
    plan.bound = trains_for(book, plan.tree)
    for each in range(s.players):
        plan.reach[each] = cities_of(book, s, each)
    for color in range(COLORS):
        plan.want[color] = plan.need[color]
    for word in range(ROUTE_WORDS):
        left = plan.side[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            add_need(book, s, seat, route, plan.want, plan)
    lack = lacking(s, seat, plan.need, plan.ferry)
    return turns, turns - size_of(plan.tree) - (lack + 1) // 2, lack


@kernel
def plan_anew(book: Book, s: State, seat: int, plan: Plan) -> tuple[int, int, int]:
    """Make a plan to remember, whatever there was; return what `make_plan` returns."""
    plan.seen_turns = s.turns
    plan.seen_stationed = s.stationed
    for word in range(TICKET_WORDS):
        plan.seen_tickets[word] = s.tickets[seat, word]
    return make_plan(book, s, seat, plan, PLANNER)


@kernel
def _plan_turn(book: Book, s: State, seat: int, plan: Plan) -> tuple[int, int, int]:
    """Keep the last plan, unless it is broken or takes too many turns; else make a new one."""
    if _holds(book, s, seat, plan):
        turns, free, lack = _bring_up_to_date(book, s, seat, plan)
        if free >= 0 or s.turns_left != NONE:
            return turns, free, lack
    return plan_anew(book, s, seat, plan)


@kernel
def _last_route(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return the route that scores most with the tickets it completes, or NONE.

    Planner considers the longest route too, which is slow to search for.
    """
    count = list_open_tickets(book, s, seat, plan)
    best, most = NONE, 0
    routes = claimable(book, s, seat)
    for word in range(ROUTE_WORDS):
        left = routes[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            score = last_score(book, route, plan, count, 0)
            if score > most:
                best, most = route, score
    return best


@kernel
def decide(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return the decision of a seat that may act, from its view."""
    if s.phase == TURN:
        turns, free, lack = _plan_turn(book, s, seat, plan)
        if s.turns_left != NONE and find_station(book, s, seat, plan) == NONE:
            route = _last_route(book, s, seat, plan)
            if route != NONE:
                return ROUTE + route
        return act(book, s, seat, plan, PLANNER, turns, free, lack)
    if plan.seen_turns != 0:
        if s.phase == SECOND:
            return choose_card(book, s, seat, plan, PLANNER, False)
        if s.phase == PAY:
            return best_payment(book, s, seat, int(s.pending), plan, PLANNER)[0]
    return decide_anew(book, s, seat, plan, PLANNER)
