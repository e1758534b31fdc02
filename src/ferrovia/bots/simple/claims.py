"""Which route to claim: what can be paid, what is safe to enter, what is longest."""

from ferrovia.bots.kernel.scratch import Plan
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.actions import ROUTE
from ferrovia.rules.chapters.claims import claimable
from ferrovia.rules.chapters.menu import action_at, menu, size
from ferrovia.rules.chapters.payments import richest
from ferrovia.rules.chapters.stations import buildable
from ferrovia.rules.chapters.tunnels import TURNED_UP
from ferrovia.rules.state.bits import EMPTY, has, next_member
from ferrovia.rules.state.layout import (
    GRAY,
    LENGTH,
    LOCOMOTIVE,
    NONE,
    ROUTE_WORDS,
    Book,
    State,
    Word,
)

FULL_PILE = 16  # with fewer cards left, a tunnel may turn up the worst


@kernel
def held(book: Book, s: State, seat: int, route: int) -> int:
    """Return the most cards of one colour that could pay for a route, not counting locomotives."""
    color = book.color[route]
    return richest(s, seat) if color == GRAY else int(s.hand[seat, color])


@kernel
def to_spare(book: Book, s: State, route: int) -> int:
    """Return the cards that should be left for what a tunnel may turn up; 0 for other routes."""
    if book.tunnel[route] == 0:
        return 0
    pile = int(s.deck_size + s.discards_size)
    return 1 if pile >= FULL_PILE else min(pile, TURNED_UP)


@kernel
def has_to_spare(book: Book, s: State, seat: int, route: int) -> bool:
    """Return whether a route is no tunnel, or cards are left for what it may turn up."""
    if book.tunnel[route] == 0:
        return True
    spare = held(book, s, seat, route) + s.hand[seat, LOCOMOTIVE] - book.length[route]
    return bool(spare >= to_spare(book, s, route))


@kernel
def longest(
    book: Book, s: State, seat: int, routes: tuple[Word, Word, Word], least: int, bold: bool
) -> int:
    """Return the longest of routes that can be paid, from `least` on; NONE if there is none.

    Of equal ones it is the one that needs the fewest locomotives, where a tunnel counts as one.
    Tunnels without a card to spare are only for the bold.
    """
    best, length, locomotives = NONE, least, LENGTH + 1
    for word in range(ROUTE_WORDS):
        left = routes[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            if book.length[route] < length:
                continue
            needed = max(book.ferry[route], book.length[route] - held(book, s, seat, route))
            needed += book.tunnel[route]
            if book.length[route] > length or needed < locomotives:
                if bold or has_to_spare(book, s, seat, route):
                    best, length, locomotives = route, int(book.length[route]), needed
    return best


@kernel
def longest_of_any(book: Book, s: State, seat: int) -> int:
    """Return the longest route that can be paid; a risky tunnel only if there is nothing else."""
    routes = claimable(book, s, seat)
    route = longest(book, s, seat, routes, 1, False)
    return longest(book, s, seat, routes, 1, True) if route == NONE else route


@kernel
def planned_station(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return the action that builds the station for a lost ticket, or NONE."""
    if plan.station != NONE and has(buildable(book, s, seat), plan.station):
        return int(book.first_city + plan.station)
    return NONE


@kernel
def last_resort(book: Book, s: State, seat: int) -> int:
    """Return what to do when no card can be drawn: the longest route, or whatever is legal."""
    route = longest(book, s, seat, claimable(book, s, seat), 1, True)
    if route != NONE:
        return ROUTE + route
    options = menu(book, s, seat)
    return action_at(book, options, size(options) - 1)
