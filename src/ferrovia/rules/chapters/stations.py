"""Chapter 9: building stations. What they are worth is decided at the end (scoring)."""

from ferrovia.kernel import kernel
from ferrovia.rules.chapters.payments import pay, richest
from ferrovia.rules.state.bits import EMPTY, single
from ferrovia.rules.state.layout import LOCOMOTIVE, NONE, STATIONS, Book, State, Word
from ferrovia.rules.state.log import COUNT, ITEMS, STATION, Log, open_row


@kernel
def built(s: State, seat: int) -> int:
    """Return how many stations the seat has built."""
    count = 0
    while count < STATIONS and s.stations[seat, count] != NONE:
        count += 1
    return count


@kernel
def price(s: State, seat: int) -> int:
    """Return the cards for the seat's next station: one, then two, then three (R9.2)."""
    return built(s, seat) + 1


@kernel
def buildable(book: Book, s: State, seat: int) -> Word:
    """Return the cities where the seat can build a station now (R9.1)."""
    if built(s, seat) >= book.stations:
        return EMPTY
    if richest(s, seat) + s.hand[seat, LOCOMOTIVE] < price(s, seat):
        return EMPTY
    return book.all_cities & ~s.stationed


@kernel
def build(
    s: State, seat: int, city: int, color: int, colored: int, locomotives: int, log: Log
) -> None:
    """Build a station in a city and pay for it."""
    s.stations[seat, built(s, seat)] = city
    s.stationed |= single(city)
    pay(s, seat, color, colored, locomotives)
    row = open_row(log, STATION, seat, city, 0)
    if row > 0:
        log.rows[row, COUNT] = 3
        log.rows[row, ITEMS] = color
        log.rows[row, ITEMS + 1] = colored
        log.rows[row, ITEMS + 2] = locomotives
