"""Racer: a yardstick that claims long routes and ignores its tickets.

It keeps the fewest, cheapest tickets and never draws more. It claims the longest route of length 6
or more that it can pay (any length when it has fewer trains than that, or in the last round), one
that touches its own routes first; else it draws toward the open long route that lacks the fewest
cards. It pays with the fewest locomotives.

Where no route of 6 or more is open to its trains any more, the longest that is open counts as long:
on Europe soon the routes of 4. A tunnel is entered with one card to spare, a face-up locomotive is
taken only for a ferry, and a station is built only where it finishes a lost ticket that is worth
more.
"""

from ferrovia.bots.kernel.paths import cities_of, touches
from ferrovia.bots.kernel.scratch import Plan
from ferrovia.bots.simple.claims import (
    held,
    last_resort,
    longest,
    longest_of_any,
    planned_station,
    to_spare,
)
from ferrovia.bots.simple.payment import answer_payment
from ferrovia.bots.simple.targets import find_targets, keep_cheapest
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.actions import DRAW_BLIND, ROUTE, TAKE
from ferrovia.rules.chapters.cards import cards_left, place_of
from ferrovia.rules.chapters.claims import claimable
from ferrovia.rules.state.bits import EMPTY, has, next_member
from ferrovia.rules.state.layout import (
    COLORS,
    GRAY,
    KEEP,
    LENGTH,
    LOCOMOTIVE,
    NONE,
    ROUTE_WORDS,
    SECOND,
    START,
    TURN,
    Book,
    State,
)

LONG = 6
KEEP_NO_MORE = -1  # tenths of its trains


@kernel
def shortest(book: Book, s: State, seat: int) -> int:
    """Return the length of the shortest route that it claims now."""
    if s.turns_left != NONE or s.trains[seat] < LONG:
        return 1
    least = 1
    for word in range(ROUTE_WORDS):
        left = s.open[seat, word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            length = int(book.length[route])
            if least < length <= s.trains[seat]:
                least = length
    return min(least, LONG)


@kernel
def _longest_claim(book: Book, s: State, seat: int, least: int) -> int:
    """Return the longest route from `least` on that it can pay, one that touches its own first."""
    a, b, c = claimable(book, s, seat)
    cities = cities_of(book, s, seat)
    x, y, z = EMPTY, EMPTY, EMPTY
    for city in range(book.cities):
        if has(cities, city):
            x |= book.at_city[city, 0]
            y |= book.at_city[city, 1]
            z |= book.at_city[city, 2]
    route = longest(book, s, seat, (a & x, b & y, c & z), least, False)
    return longest(book, s, seat, (a, b, c), least, False) if route == NONE else route


@kernel
def _lacks(book: Book, s: State, seat: int, route: int) -> int:
    """Return the cards that are missing for a route: of its colour, for its ferry, to spare."""
    length, ferry = book.length[route], book.ferry[route]
    locomotives = s.hand[seat, LOCOMOTIVE]
    if locomotives < ferry:
        colored = length - ferry - held(book, s, seat, route)
        return int(ferry - locomotives + max(0, colored))
    cards = held(book, s, seat, route) + locomotives - ferry
    return int(max(0, length - ferry + to_spare(book, s, route) - cards))


@kernel
def _goal(book: Book, s: State, seat: int, least: int) -> int:
    """Return the open long route that lacks the fewest cards, or NONE.

    Of equal ones it is the one that touches its own routes, then the longest.
    """
    cities = cities_of(book, s, seat)
    best, fewest, merit = NONE, 0, 0
    for word in range(ROUTE_WORDS):
        left = s.open[seat, word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            length = book.length[route]
            if length < least or length > s.trains[seat]:
                continue
            lack = _lacks(book, s, seat, route)
            good = length + (LENGTH if touches(book, cities, route) else 0)
            if best == NONE or lack < fewest or (lack == fewest and good > merit):
                best, fewest, merit = route, lack, good
    return best


@kernel
def _color_of(book: Book, s: State, seat: int, route: int) -> int:
    """Return the colour to collect for a route; for a gray one, the colour it holds most of."""
    if book.color[route] != GRAY:
        return int(book.color[route])
    best = 0
    for color in range(COLORS):
        if s.hand[seat, color] > s.hand[seat, best]:
            best = color
    return best


@kernel
def _choose_card(book: Book, s: State, seat: int, first: bool) -> int:
    """Return the face-up card that the goal lacks, else a blind card."""
    goal = _goal(book, s, seat, shortest(book, s, seat))
    if goal == NONE:
        return DRAW_BLIND
    if book.length[goal] - book.ferry[goal] + to_spare(book, s, goal) > held(book, s, seat, goal):
        color = _color_of(book, s, seat, goal)
        if place_of(s, color) != NONE:
            return TAKE + color
    if first and s.hand[seat, LOCOMOTIVE] < book.ferry[goal] and place_of(s, LOCOMOTIVE) != NONE:
        return TAKE + LOCOMOTIVE
    return DRAW_BLIND


@kernel
def _choose_action(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return what to do in a turn."""
    station = planned_station(book, s, seat, plan)
    if s.turns_left != NONE:
        if station != NONE:
            return station
        route = _longest_claim(book, s, seat, 1)
        if route == NONE:
            route = longest_of_any(book, s, seat)
    else:
        route = _longest_claim(book, s, seat, shortest(book, s, seat))
    if route != NONE:
        return ROUTE + route
    if station != NONE:
        return station
    return _choose_card(book, s, seat, True) if cards_left(s) else last_resort(book, s, seat)


@kernel
def decide(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return the decision of a seat that may act, from its view."""
    if s.phase == SECOND:
        return _choose_card(book, s, seat, False)
    find_targets(book, s, seat, plan)
    if s.phase == START or s.phase == KEEP:
        return keep_cheapest(book, s, seat, plan, KEEP_NO_MORE)
    if s.phase == TURN:
        return _choose_action(book, s, seat, plan)
    return answer_payment(book, s, seat, plan)
