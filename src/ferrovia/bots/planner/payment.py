"""How a planner pays: with the cards that the rest of its plan needs least."""

from ferrovia.bots.kernel.scratch import Plan
from ferrovia.bots.planner.weights import Style
from ferrovia.bots.simple.claims import to_spare
from ferrovia.bots.simple.payment import fewest_locomotives
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.actions import ONLY_LOCOMOTIVES, PAYMENT
from ferrovia.rules.chapters.menu import price_of, ways_to_pay_for
from ferrovia.rules.state.bits import has_member
from ferrovia.rules.state.layout import COLORS, LENGTH, LOCOMOTIVE, NONE, ROUTES, Book, State


@kernel
def _dye(book: Book, plan: Plan, route: int) -> int:
    """Return the colour meant for a planned route or its twin, or NONE."""
    twin = book.twin[route]
    if has_member(plan.tree, route) or has_member(plan.side, route):
        return int(plan.dye[route])
    if twin != NONE and has_member(plan.tree, twin):
        return int(plan.dye[twin])
    return NONE


@kernel
def best_payment(
    book: Book, s: State, seat: int, target: int, plan: Plan, style: Style
) -> tuple[int, int]:
    """Return the best payment for a route or for ROUTES + a city, and what it costs the plan.

    A card costs something when another route wants it, a locomotive always. The plan must be that
    of the view.
    """
    ways = ways_to_pay_for(book, s, seat, target)[1]
    cards = price_of(book, s, seat, target)[1]
    dye = _dye(book, plan, target) if target < ROUTES else NONE
    best, least = ONLY_LOCOMOTIVES, style.locomotive * cards
    found = False
    for color in range(COLORS):
        locomotives = fewest_locomotives(ways, color)
        if locomotives == LENGTH:
            continue
        wanted = int(plan.want[color])
        if color == dye:
            wanted = max(0, wanted - cards - int(book.tunnel[target]))
        spare = max(0, int(s.hand[seat, color]) - wanted)
        cost = style.locomotive * locomotives + style.theft * max(0, cards - locomotives - spare)
        if not found or cost < least:
            best, least = PAYMENT + color * LENGTH + locomotives, cost
            found = True
    return best, least


@kernel
def is_safe(book: Book, s: State, seat: int, route: int, payment: int) -> bool:
    """Return whether a payment leaves a card for what a tunnel may turn up, or needs none."""
    have = int(s.hand[seat, LOCOMOTIVE])
    if payment != ONLY_LOCOMOTIVES:
        have += int(s.hand[seat, (payment - PAYMENT) // LENGTH])
    return bool(have - book.length[route] >= to_spare(book, s, route))
