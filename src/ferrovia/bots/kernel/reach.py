"""Which cities somebody's routes touch."""

from ferrovia.rules.compiler import kernel
from ferrovia.rules.state.bits import EMPTY, has, next_member, single
from ferrovia.rules.state.layout import ROUTE_WORDS, Book, State, Word


@kernel
def cities_of(book: Book, s: State, seat: int) -> Word:
    """The cities that the seat's own routes touch."""
    cities = EMPTY
    for word in range(ROUTE_WORDS):
        left = s.routes[seat, word]
        while left != EMPTY:
            route, left = next_member(left, 64 * word)
            cities |= single(book.end_a[route]) | single(book.end_b[route])
    return cities


@kernel
def touches(book: Book, cities: Word, route: int) -> bool:
    """Whether a route begins or ends in one of the cities."""
    return has(cities, book.end_a[route]) or has(cities, book.end_b[route])
