"""Which cards a plan asks for: a colour for every route, so that the hand pays for the most."""

from typing import Any

from ferrovia.bots.kernel.scratch import Plan
from ferrovia.kernel import kernel
from ferrovia.rules.state.bits import EMPTY, has_member, next_member
from ferrovia.rules.state.layout import (
    COLORS,
    GRAY,
    KINDS,
    LENGTH,
    LOCOMOTIVE,
    NONE,
    PLACES,
    ROUTE_WORDS,
    Book,
    State,
    Words,
)


@kernel
def count_supply(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Write the cards in the deck or unknown in other hands to `plan.pool`; return their number."""
    total = 0
    for card in range(KINDS):
        count = book.cards[card] - s.discards[card] - s.revealed[card]
        for each in range(s.players):
            count -= s.hand[seat, card] if each == seat else s.known[each, card]
        plan.pool[card] = count
        total += count
    for place in range(PLACES):
        if s.display[place] != NONE:
            plan.pool[s.display[place]] -= 1
            total -= 1
    return int(total)


@kernel
def most_spare(s: State, seat: int, need: Words) -> int:
    """Return the colour that the hand has most of beyond the needs."""
    best, most = 0, s.hand[seat, 0] - need[0]
    for color in range(1, COLORS):
        spare = s.hand[seat, color] - need[color]
        if spare > most:
            best, most = color, spare
    return best


@kernel
def color_for(book: Book, s: State, seat: int, route: int, need: Words, spare: int) -> int:
    """Return the colour to pay a route with, its open twin included, on top of these needs.

    `spare` is the colour that the hand has most of beyond them.
    """
    color = book.color[route]
    twin = book.twin[route]
    if color == GRAY:
        return spare
    if twin != NONE and has_member(s.open[seat], twin):
        other = book.color[twin]
        if other == GRAY:
            return spare
        if s.hand[seat, other] - need[other] > s.hand[seat, color] - need[color]:
            return int(other)
    return int(color)


@kernel
def _is_free_choice(book: Book, s: State, seat: int, route: int) -> int:
    """Return 0 for a route of one colour, 1 for a double of two, 2 for a gray one."""
    if book.color[route] == GRAY:
        return 2
    twin = book.twin[route]
    return 1 if twin != NONE and has_member(s.open[seat], twin) else 0


@kernel
def add_need(book: Book, s: State, seat: int, route: int, need: Words, plan: Plan) -> None:
    """Choose the colour of a route and add its cards to the needs, one more for a tunnel."""
    color = color_for(book, s, seat, route, need, most_spare(s, seat, need))
    plan.dye[route] = color
    need[color] += book.length[route] - book.ferry[route] + book.tunnel[route]


@kernel
def sum_needs(book: Book, s: State, seat: int, routes: Words, need: Words, plan: Plan) -> None:
    """Write the cards of each colour that routes ask for to `need`.

    Colours are chosen for routes without a choice first, then for the longest.
    """
    for color in range(COLORS):
        need[color] = 0
    for choice in range(3):
        for length in range(LENGTH, 0, -1):
            for word in range(ROUTE_WORDS):
                left = routes[word]
                while left != EMPTY:
                    route, left = next_member(left, 64 * word)
                    if book.length[route] == length:
                        if _is_free_choice(book, s, seat, route) == choice:
                            add_need(book, s, seat, route, need, plan)


@kernel
def total_of(numbers: Any, routes: Words) -> int:
    """Return the sum of a number that every route has over some of them."""
    total = 0
    for word in range(ROUTE_WORDS):
        left = routes[word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            total += int(numbers[route])
    return total


@kernel
def ferry_need(book: Book, routes: Words) -> int:
    """Return all locomotives that the ferries among the routes ask for."""
    return total_of(book.ferry, routes)


@kernel
def lacking(s: State, seat: int, need: Words, ferries: int) -> int:
    """Return the cards that are still missing for the needs; locomotives count as any colour."""
    total = 0
    for color in range(COLORS):
        total += max(0, need[color] - s.hand[seat, color])
    spare = s.hand[seat, LOCOMOTIVE] - ferries
    return int(max(0, total - spare)) if spare >= 0 else int(total - spare)
