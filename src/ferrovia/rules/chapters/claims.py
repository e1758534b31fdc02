"""Chapters 5 and 6: claiming a route, doubles, ferries."""

from ferrovia.kernel import kernel
from ferrovia.rules.chapters.payments import richest
from ferrovia.rules.state.bits import EMPTY, insert, remove
from ferrovia.rules.state.layout import (
    COLORS,
    GRAY,
    LENGTH,
    LOCOMOTIVE,
    NONE,
    ROUTE_WORDS,
    Book,
    State,
    Word,
)
from ferrovia.rules.state.log import CLAIM, COUNT, ITEMS, Log, open_row


@kernel
def claimable(book: Book, s: State, seat: int) -> tuple[Word, Word, Word]:
    """Return the routes that are open to the seat and that its cards and trains can pay for."""
    locomotives = int(s.hand[seat, LOCOMOTIVE])
    trains = min(int(s.trains[seat]), LENGTH)  # R5.3
    a, b, c = EMPTY, EMPTY, EMPTY
    for color in range(COLORS):  # R5.1
        reach = min(s.hand[seat, color] + locomotives, trains)
        a |= book.by_color[color, reach, 0]
        b |= book.by_color[color, reach, 1]
        c |= book.by_color[color, reach, 2]
    reach = min(richest(s, seat) + locomotives, trains)
    ferry = min(locomotives, LENGTH)  # R6.1
    a |= book.by_color[GRAY, reach, 0] | book.ferries[ferry, reach, 0]
    b |= book.by_color[GRAY, reach, 1] | book.ferries[ferry, reach, 1]
    c |= book.by_color[GRAY, reach, 2] | book.ferries[ferry, reach, 2]
    return a & s.open[seat, 0], b & s.open[seat, 1], c & s.open[seat, 2]


@kernel
def open_all_routes(book: Book, s: State) -> None:
    for seat in range(s.players):
        for word in range(ROUTE_WORDS):
            s.open[seat, word] = book.all_routes[word]


@kernel
def own(
    book: Book,
    s: State,
    seat: int,
    route: int,
    color: int,
    colored: int,
    locomotives: int,
    log: Log,
) -> None:
    """Make the route the seat's: trains, points, and what it closes. The cards are paid already."""
    length = book.length[route]
    insert(s.routes[seat], route)
    s.trains[seat] -= length
    s.points[seat] += book.route_points[length]  # R5.4, R10.1
    for each in range(s.players):
        remove(s.open[each], route)
    twin = book.twin[route]
    if twin != NONE:
        remove(s.open[seat], twin)  # R5.6
        if s.players <= 3:  # R5.7
            for each in range(s.players):
                remove(s.open[each], twin)
    row = open_row(log, CLAIM, seat, route, book.route_points[length])
    if row > 0:
        log.rows[row, COUNT] = 3
        log.rows[row, ITEMS] = color
        log.rows[row, ITEMS + 1] = colored
        log.rows[row, ITEMS + 2] = locomotives
