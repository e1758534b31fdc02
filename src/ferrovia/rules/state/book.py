"""A board and an edition as one read-only record of numbers."""

from ferrovia.boards import COLORS as COLOR_NAMES
from ferrovia.boards import Edition
from ferrovia.boards.edition import NUMBERS
from ferrovia.kernel import Buffer, RecordView
from ferrovia.rules.chapters.actions import ROUTE
from ferrovia.rules.state import layout

_TIE_BREAKS = {
    "tickets": layout.BY_TICKETS,
    "stations": layout.BY_STATIONS,
    "longest": layout.BY_LONGEST,
}
_NOT_KEPT = {"out": layout.OUT, "bottom": layout.BOTTOM}
_NOT_OF_RULES = ("id", "name", "sets", "marked_only", "seats", "player_colors")
_TABLES = ("deals", "long_not_kept", "regular_not_kept", "route_points", "cards", "tie_break")
_COPIED = [name for name in NUMBERS if name not in (*_NOT_OF_RULES, *_TABLES)]

for _name in _COPIED:
    if _name not in layout.BOOK.fields:
        raise TypeError(
            f"the rules do not know {_name} of an edition: give it a field of its name in BOOK in "
            "rules/state/layout.py, or name it in _NOT_OF_RULES in rules/state/book.py"
        )


def _set_of(members: list[int], words: int) -> list[int]:
    """Return a set as a number of words."""
    bits = sum(1 << member for member in members)
    return [(bits >> (64 * word)) & (2**64 - 1) for word in range(words)]


def _routes(edition: Edition, book: RecordView) -> None:
    """Fill in the tables of the board: cities and routes."""
    board = edition.board
    cities = {city.id: number for number, city in enumerate(board.cities)}
    numbers = {route.id: number for number, route in enumerate(board.routes)}
    book.cities, book.routes = len(cities), len(numbers)
    book.all_cities = _set_of(list(cities.values()), 1)[0]
    book.all_routes = _set_of(list(numbers.values()), layout.ROUTE_WORDS)
    for number, route in enumerate(board.routes):
        twin = board.twin(route.id)
        book.end_a[number], book.end_b[number] = cities[route.a], cities[route.b]
        book.length[number] = route.length
        book.color[number] = (
            layout.GRAY if route.color == "gray" else COLOR_NAMES.index(route.color)
        )
        book.ferry[number], book.tunnel[number] = route.ferry, route.tunnel
        book.twin[number] = layout.NONE if twin is None else numbers[twin.id]
    for city, number in cities.items():
        there = [numbers[route.id] for route in board.routes if city in (route.a, route.b)]
        book.at_city[number] = _set_of(there, layout.ROUTE_WORDS)
    # As plain numbers: a field of a record takes long to look up.
    lengths, colors, ferry = book.length.tolist(), book.color.tolist(), book.ferry.tolist()
    for reach in range(layout.LENGTH + 1):
        short = [number for number in numbers.values() if lengths[number] <= reach]
        for color in range(layout.KINDS):
            plain = [n for n in short if colors[n] == color and ferry[n] == 0]
            book.by_color[color, reach] = _set_of(plain, layout.ROUTE_WORDS)
        for locomotives in range(layout.LENGTH + 1):
            ferries = [n for n in short if 0 < ferry[n] <= locomotives]
            book.ferries[locomotives, reach] = _set_of(ferries, layout.ROUTE_WORDS)


def _tickets(edition: Edition, book: RecordView) -> None:
    """Fill in the tables of the tickets, and of how they are dealt and drawn."""
    cities = {city.id: number for number, city in enumerate(edition.board.cities)}
    book.tickets = len(edition.tickets)
    book.long_tickets = sum(ticket.long for ticket in edition.tickets)
    for number, ticket in enumerate(edition.tickets):
        book.ticket_a[number], book.ticket_b[number] = cities[ticket.a], cities[ticket.b]
        book.ticket_points[number] = ticket.points
    book.deals = len(edition.deals)
    for stage, deal in enumerate(edition.deals):
        book.deal_long[stage], book.deal_regular[stage] = deal.long, deal.regular
        book.deal_min[stage], book.deal_max[stage] = deal.keep_min, deal.keep_max
        book.deal_min_without_long[stage] = deal.keep_min_without_long
    book.long_not_kept = _NOT_KEPT[edition.long_not_kept]
    book.regular_not_kept = _NOT_KEPT[edition.regular_not_kept]
    offers = [deal.long + deal.regular for deal in edition.deals]
    book.max_offer = max([*offers, edition.ticket_draw])


def make_book(edition: Edition) -> Buffer:
    """Return the rulebook tables of an edition, as the kernel reads them: the bytes of a BOOK."""
    memory = layout.BOOK.new()
    book = layout.BOOK.of(memory)
    _routes(edition, book)
    _tickets(edition, book)
    book.cards = [edition.cards[name] for name in COLOR_NAMES]
    for length, points in edition.route_points.items():
        book.route_points[length] = points
    for name in _COPIED:
        setattr(book, name, getattr(edition, name))
    for place, name in enumerate(edition.tie_break):
        book.tie_break[place] = _TIE_BREAKS[name]
    book.first_city = ROUTE + book.routes
    book.first_keep = book.first_city + book.cities
    book.actions = book.first_keep + (1 << book.max_offer)
    return bytes(memory)
