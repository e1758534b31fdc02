"""From the JSON of a board to a `Board`; our boards and people's own alike."""

from ferrovia.boards.board_soundness import note_board_problems
from ferrovia.boards.fields import CITY_ID, NAME_ID, TICKET_ID, Fields
from ferrovia.boards.limits import MAX_CITIES, MAX_LENGTH, MAX_POINTS, MAX_ROUTES, MAX_TICKETS
from ferrovia.boards.model import COLORS, GRAY, Board, City, Route, Ticket

_ROUTE_COLORS = (*COLORS[:-1], GRAY)


def read_board(root: Fields) -> Board:
    """Read board, cities, routes and tickets; problems are noted in `root.findings`.

    The board is sound only if none were noted. Every entry of the file has its entry in the
    board, at the same index, however wrong it is.
    """
    findings = root.findings
    board_id = root.word("board", NAME_ID)
    cities = tuple(
        _city(Fields(value, ("cities", index), findings))
        for index, value in enumerate(root.array("cities", MAX_CITIES))
    )
    routes = tuple(
        _route(Fields(value, ("routes", index), findings))
        for index, value in enumerate(root.array("routes", MAX_ROUTES))
    )
    tickets = tuple(
        _ticket(Fields(value, ("tickets", index), findings), board_id)
        for index, value in enumerate(root.array("tickets", MAX_TICKETS))
    )
    board = Board(board_id, cities, routes, tickets)
    note_board_problems(board, findings)
    return board


def _city(fields: Fields) -> City:
    city = City(
        id=fields.word("id", CITY_ID),
        name=fields.text("name"),
        lat=fields.number("lat", -90, 90),
        lon=fields.number("lon", -180, 180),
    )
    fields.finish()
    return city


def _route(fields: Fields) -> Route:
    route = Route(
        id=fields.word("id", NAME_ID),
        a=fields.word("a", CITY_ID),
        b=fields.word("b", CITY_ID),
        length=fields.integer("length", 1, MAX_LENGTH),
        color=fields.choice("color", _ROUTE_COLORS),
        ferry=fields.integer("ferry", 0, MAX_LENGTH, default=0),
        tunnel=fields.flag("tunnel", default=False),
    )
    fields.finish()
    return route


def _ticket(fields: Fields, board_id: str) -> Ticket:
    ticket = Ticket(
        id=fields.word("id", TICKET_ID),
        a=fields.word("a", CITY_ID),
        b=fields.word("b", CITY_ID),
        points=fields.integer("points", 1, MAX_POINTS),
        set=fields.word("set", NAME_ID, default=board_id or "own"),
        long=fields.flag("long", default=False),
        big_city=fields.flag("big_city", default=False),
    )
    fields.finish()
    return ticket
