"""Scout: the script of the rollouts. Greedy while it has something to build; then it takes cash.

It draws no tickets: what they bring is mostly luck, which a search would only have to average out.
With nothing left to build it claims long routes, and collects the colours that they need.
"""

from ferrovia.bots import greedy
from ferrovia.bots.plan import Plan
from ferrovia.bots.targets import find_targets
from ferrovia.rules.actions import DRAW_BLIND, ROUTE, TAKE
from ferrovia.rules.bits import EMPTY, ONE, lowest, popcount
from ferrovia.rules.cards import cards_left
from ferrovia.rules.claims import claimable
from ferrovia.rules.compiling import kernel
from ferrovia.rules.layout import (
    GRAY,
    KINDS,
    LENGTH,
    LOCOMOTIVE,
    NONE,
    PLACES,
    ROUTE_WORDS,
    SECOND,
    TURN,
    Book,
    State,
    Word,
)
from ferrovia.rules.payments import richest

LONG = 6  # spaces of a route that are always worth it
SHORT = 3  # fewer are not
CHOICE = 6  # open routes of a length that make it worth waiting for
FEW = 8  # trains with which nothing is waited for


@kernel
def _open_routes(book: Book, s: State, seat: int, color: int, least: int, word: int) -> Word:
    """The routes of a colour, of a length from `least` on, that a seat could claim; no ferries."""
    reach = min(int(s.trains[seat]), LENGTH)
    routes = book.by_color[color, reach, word] & ~book.by_color[color, least - 1, word]
    return routes & s.open[seat, word]


@kernel
def _worthwhile(book: Book, s: State, seat: int) -> int:
    """The length from which on routes are claimed for their points: the longest of some choice."""
    trains = int(s.trains[seat])
    if trains < FEW:
        return min(trains, SHORT)
    length = LONG
    while length > SHORT:
        count = 0
        for word in range(ROUTE_WORDS):
            for color in range(KINDS):
                count += popcount(_open_routes(book, s, seat, color, length, word))
        if count >= CHOICE:
            break
        length -= 1
    return length


@kernel
def _longest(book: Book, s: State, seat: int, least: int) -> int:
    """The longest route that can be paid, no tunnel, with the fewest locomotives; or NONE."""
    best, length, fewest = NONE, least, LENGTH + 1
    routes = claimable(book, s, seat)
    for word in range(ROUTE_WORDS):
        left = routes[word]
        while left != EMPTY:
            route = 64 * word + lowest(left)
            left &= left - ONE
            if book.length[route] < length or book.tunnel[route] != 0:
                continue
            color = book.color[route]
            held = richest(s, seat) if color == GRAY else int(s.hand[seat, color])
            locomotives = max(int(book.ferry[route]), int(book.length[route]) - held)
            if book.length[route] > length or locomotives < fewest:
                best, length, fewest = route, int(book.length[route]), locomotives
    return best


@kernel
def _collect(book: Book, s: State, seat: int) -> int:
    """The face-up colour held most, two at least, that some route can use; else a blind card."""
    best, most = NONE, 1
    for place in range(PLACES):
        card = s.display[place]
        if card in (NONE, LOCOMOTIVE) or s.hand[seat, card] <= most:
            continue
        useful = EMPTY
        for word in range(ROUTE_WORDS):
            useful |= _open_routes(book, s, seat, card, SHORT + 1, word)
            useful |= _open_routes(book, s, seat, GRAY, SHORT + 1, word)
        if useful != EMPTY:
            best, most = card, int(s.hand[seat, card])
    return DRAW_BLIND if best == NONE else TAKE + best


@kernel
def decide(book: Book, s: State, seat: int, plan: Plan) -> int:
    """The decision of a seat that may act, from its view: a script (see scripts.py)."""
    if (s.phase != TURN and s.phase != SECOND) or s.turns_left != NONE or not cards_left(s):
        return greedy.decide(book, s, seat, plan)
    find_targets(book, s, seat, plan)
    building = plan.station != NONE
    for word in range(ROUTE_WORDS):
        building = building or plan.targets[word] != EMPTY
    if building:
        return greedy.decide(book, s, seat, plan)
    if s.phase == TURN:
        route = _longest(book, s, seat, _worthwhile(book, s, seat))
        if route != NONE:
            return ROUTE + route
    return _collect(book, s, seat)
