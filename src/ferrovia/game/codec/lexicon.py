"""The names of an edition and their numbers in the kernel, both ways."""

from functools import lru_cache

from ferrovia.boards import COLORS, Edition
from ferrovia.game.errors import InvalidAction, no_such
from ferrovia.kernel import Buffer
from ferrovia.rules.state.book import make_book
from ferrovia.rules.state.layout import BOOK, LOCOMOTIVE

LOCOMOTIVE_CARD = COLORS[LOCOMOTIVE]


class Lexicon:
    """An edition for the kernel: its rulebook tables, and its names with their numbers."""

    def __init__(self, edition: Edition) -> None:
        board = edition.board
        self.edition = edition
        self.book: Buffer = make_book(edition)
        self.tables = BOOK.of(self.book)
        self.cities = [city.id for city in board.cities]
        self.routes = [route.id for route in board.routes]
        self.lengths = [route.length for route in board.routes]
        self.prices = [(route.color, route.length, route.ferry) for route in board.routes]
        self.tickets = [ticket.id for ticket in edition.tickets]
        self.city_number = {id: number for number, id in enumerate(self.cities)}
        self.route_number = {id: number for number, id in enumerate(self.routes)}
        self.ticket_number = {id: number for number, id in enumerate(self.tickets)}
        self.first_city: int = self.tables.first_city
        self.first_keep: int = self.tables.first_keep
        self.cards = tuple(self.tables.cards)
        self.counts = int.from_bytes(bytes(self.cards), "little")
        """The cards as one number: see `ferrovia.game.codec.fields.StateReading.cards_of`."""
        self.tunnels = any(route.tunnel for route in board.routes)
        self.all_routes = (1 << len(self.routes)) - 1
        """The set of all routes, as one number: see `ferrovia.game.scores.bits_of`."""

    def city(self, id: str) -> int:
        """Return the number of a city; InvalidAction if there is none of that id."""
        if id not in self.city_number:
            raise InvalidAction(no_such("city", id, self.cities))
        return self.city_number[id]

    def route(self, id: str) -> int:
        """Return the number of a route; InvalidAction if there is none of that id."""
        if id not in self.route_number:
            raise InvalidAction(no_such("route", id, self.routes))
        return self.route_number[id]


@lru_cache(maxsize=64)
def lexicon_of(edition: Edition) -> Lexicon:
    """Return the lexicon of an edition, made once."""
    return Lexicon(edition)
