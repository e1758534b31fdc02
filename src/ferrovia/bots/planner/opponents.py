"""What opponents do to a plan: how long they let the game last, and what they may take.

All of it is guessed from what everybody can see.
"""

from ferrovia.bots.kernel.paths import find_priced_ways
from ferrovia.bots.kernel.scratch import RING, Plan
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.turn import LAST_ROUND_TRAINS
from ferrovia.rules.state.bits import has, has_member
from ferrovia.rules.state.layout import NONE, Book, State

_TYPICAL = 4  # spaces of a route


@kernel
def turns_to_end(s: State, seat: int) -> int:
    """Return the turns a seat needs to place its trains at its quickest: cards, then routes."""
    trains = max(0, int(s.trains[seat]) - LAST_ROUND_TRAINS)
    cards = max(0, trains - int(s.hand_size[seat]))
    return (cards + 1) // 2 + (trains + _TYPICAL - 1) // _TYPICAL


@kernel
def turns_left(s: State, seat: int, pace: int) -> int:
    """Return the turns that this seat probably has left, including this one, if the others end the
    game.

    `pace` is how much slower than their quickest they are, in sixteenths.
    """
    if s.turns_left != NONE:
        return 1
    least = 1 << 10
    for other in range(s.players):
        if other != seat:
            least = min(least, turns_to_end(s, other))
    return 1 + least * pace // 16


@kernel
def threat_to(book: Book, s: State, seat: int, route: int, plan: Plan) -> int:
    """Return one for each end of a route that an opponent with trains for it has reached.

    It is 0 while a double has room for both.
    """
    twin = book.twin[route]
    if s.players > 3 and twin != NONE and has_member(s.open[seat], twin):
        return 0
    threat = 0
    for other in range(s.players):
        if other != seat and s.trains[other] >= book.length[route]:
            if has(plan.reach[other], book.end_a[route]):
                threat += 1
            if has(plan.reach[other], book.end_b[route]):
                threat += 1
    return threat


@kernel
def detour_around(book: Book, s: State, seat: int, route: int, plan: Plan) -> int:
    """Return how much more a way around a route costs; at most RING if there is none."""
    twin = book.twin[route]
    toll, twin_toll = plan.toll[route], 0
    plan.toll[route] = RING - 1
    if twin != NONE:
        twin_toll = plan.toll[twin]
        plan.toll[twin] = RING - 1
    a, b = book.end_a[route], book.end_b[route]
    find_priced_ways(book, a, b, s.routes[seat], s.open[seat], plan.toll, plan)
    plan.toll[route] = toll
    if twin != NONE:
        plan.toll[twin] = twin_toll
    return int(min(plan.cost[b], RING - 1) - toll)
