"""From the JSON of a board to a `Board`; our boards and people's own alike.

First the form of each entry, then what must hold between them. Entries whose form is already known
to be wrong are left out of the second, so that one mistake is one problem.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from ferrovia.boards.limits import (
    MAX_BEND,
    MAX_CITIES,
    MAX_LENGTH,
    MAX_POINTS,
    MAX_ROUTES,
    MAX_TICKETS,
)
from ferrovia.boards.model import COLORS, GRAY, Board, City, Route, Ticket
from ferrovia.boards.reading.fields import CITY_ID, NAME_ID, TICKET_ID, Members
from ferrovia.boards.reading.problems import Findings
from ferrovia.boards.settled import SIDES, SettledCity, SettledRoute

_ROUTE_COLORS = (*COLORS[:-1], GRAY)


def read_board(root: Members) -> Board:
    """Return the board of a file with its tickets; problems are noted in `root.findings`.

    The board is sound only if none were noted. Every entry of the file has its entry in the
    board, at the same index, however wrong it is.
    """
    findings = root.findings
    board_id = root.word("board", NAME_ID)
    cities = tuple(
        _city(Members(value, ("cities", index), findings))
        for index, value in enumerate(root.array("cities", MAX_CITIES))
    )
    routes = tuple(
        _route(Members(value, ("routes", index), findings))
        for index, value in enumerate(root.array("routes", MAX_ROUTES))
    )
    tickets = tuple(
        _ticket(Members(value, ("tickets", index), findings), board_id)
        for index, value in enumerate(root.array("tickets", MAX_TICKETS))
    )
    board = Board(board_id, cities, routes, tickets)
    note_board_problems(board, findings)
    return board


def _city(fields: Members) -> City:
    place = dict[str, Any](
        id=fields.word("id", CITY_ID),
        name=fields.text("name"),
        lat=fields.number("lat", -90, 90),
        lon=fields.number("lon", -180, 180),
    )
    side = fields.choice("side", ("", *SIDES), default="")
    fixed = fields.flag("fixed", default=False)
    fields.finish()
    return SettledCity(**place, side=side, fixed=fixed) if side or fixed else City(**place)


def _route(fields: Members) -> Route:
    row = dict[str, Any](
        id=fields.word("id", NAME_ID),
        a=fields.word("a", CITY_ID),
        b=fields.word("b", CITY_ID),
        length=fields.integer("length", 1, MAX_LENGTH),
        color=fields.choice("color", _ROUTE_COLORS),
        ferry=fields.integer("ferry", 0, MAX_LENGTH, default=0),
        tunnel=fields.flag("tunnel", default=False),
    )
    bends = fields.has("bend")
    bend = fields.integer("bend", -MAX_BEND, MAX_BEND) if bends else 0
    fields.finish()
    return SettledRoute(**row, bend=bend) if bends else Route(**row)


def _ticket(fields: Members, board_id: str) -> Ticket:
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


_NAMED_IN_MESSAGE = 5


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


def note_board_problems(board: Board, findings: Findings) -> None:
    """Note everything that makes a well-formed board unplayable."""
    note_repeated_ids("cities", board.cities, findings)
    note_repeated_ids("routes", board.routes, findings)
    note_repeated_ids("tickets", board.tickets, findings)
    _note_one_place(board.cities, findings)
    note_wrong_ends("routes", board.routes, board.cities, findings)
    note_wrong_ends("tickets", board.tickets, board.cities, findings)
    _note_wrong_parallels(board.routes, findings)
    _note_wrong_ferries(board.routes, findings)
    _note_unreachable(board, findings)


def note_repeated_ids(key: str, entries: Sequence[_Identified], findings: Findings) -> None:
    """Note ids that several entries of a list have."""
    first: dict[str, int] = {}
    for index, entry in enumerate(entries):
        if findings.clean(key, index, "id"):
            before = first.setdefault(entry.id, index)
            if before != index:
                message = f"'{entry.id}' is already the id of {key}[{before}]"
                findings.add((key, index, "id"), message, "give each its own id")


def _note_one_place(cities: Sequence[City], findings: Findings) -> None:
    """Note cities that would be drawn one upon another."""
    first: dict[tuple[float, float], int] = {}
    for index, city in enumerate(cities):
        if all(findings.clean("cities", index, key) for key in ("id", "lat", "lon")):
            before = first.setdefault((city.lat, city.lon), index)
            if before != index:
                message = f"lies where cities[{before}] lies"
                findings.add(("cities", index), message, "give each city a place of its own")


def note_wrong_ends(
    key: str,
    entries: Sequence[Route | Ticket],
    cities: Sequence[City],
    findings: Findings,
) -> None:
    """Note routes and tickets that do not join two different cities of the board."""
    known = {city.id: None for city in cities}
    if not findings.clean("cities") or "" in known:
        return
    for index, entry in enumerate(entries):
        for end in ("a", "b"):
            city = getattr(entry, end)
            if findings.clean(key, index, end) and city not in known:
                message = f"there is no city with the id '{city}'"
                findings.add((key, index, end), message, meant=(city, known))
        if findings.clean(key, index, "b") and entry.a == entry.b:
            message = f"leads from '{entry.a}' to itself"
            findings.add((key, index, "b"), message, "name two different cities")


def _note_wrong_parallels(routes: Sequence[Route], findings: Findings) -> None:
    """Note pairs of cities with three routes, or with two of different lengths."""
    between: defaultdict[frozenset[str], list[int]] = defaultdict(list)
    for index, route in enumerate(routes):
        if findings.clean("routes", index, "a") and findings.clean("routes", index, "b"):
            between[frozenset((route.a, route.b))].append(index)
    for first, *others in between.values():
        ends = f"between '{routes[first].a}' and '{routes[first].b}'"
        for index in others[1:]:
            message = f"is the third route {ends}; a double has two (R5.6)"
            findings.add(("routes", index), message, "remove it, or lead it by another city")
        if others and all(findings.clean("routes", i, "length") for i in (first, others[0])):
            length, other = routes[first].length, routes[others[0]].length
            if length != other:
                message = f"is {other}, but routes[{first}] {ends} has length {length}"
                hint = "the two routes of a double are equally long (R5.6)"
                findings.add(("routes", others[0], "length"), message, hint)


def _note_wrong_ferries(routes: Sequence[Route], findings: Findings) -> None:
    for index, route in enumerate(routes):
        if not route.ferry:
            continue
        if findings.clean("routes", index, "color") and route.color != GRAY:
            message = f"a ferry must be gray, not {route.color} (R6.1)"
            findings.add(("routes", index, "color"), message)
        if findings.clean("routes", index, "length") and route.ferry > route.length:
            message = f"{route.ferry} locomotives do not fit on {route.length} spaces (R6.1)"
            findings.add(("routes", index, "ferry"), message)
        if route.tunnel:
            message = "a route cannot be a ferry and a tunnel at once"
            findings.add(("routes", index, "tunnel"), message, "set ferry to 0 or tunnel to false")


def _note_unreachable(board: Board, findings: Findings) -> None:
    """Note cities without a route, and boards whose routes are not connected."""
    if findings:
        return
    if not board.cities:
        findings.add(("cities",), "a board needs cities")
        return
    parts = list(_parts(board))
    for index, city in enumerate(board.cities):
        if {city.id} in parts:
            message = f"no route leads to '{city.id}'"
            findings.add(("cities", index), message, "add a route or remove the city")
    joined = sorted((part for part in parts if len(part) > 1), key=len, reverse=True)
    for part in joined[1:]:
        some = sorted(part)[:_NAMED_IN_MESSAGE]
        more = "" if len(part) <= _NAMED_IN_MESSAGE else f" and {len(part) - len(some)} more"
        message = f"the board falls apart: {', '.join(some)}{more} cannot be reached from the rest"
        findings.add(("routes",), message, "add a route that joins them")


def _parts(board: Board) -> Iterable[set[str]]:
    """Return the sets of cities that routes join."""
    part = {city.id: {city.id} for city in board.cities}
    for route in board.routes:
        one, other = part[route.a], part[route.b]
        if one is not other:
            one |= other
            part.update(dict.fromkeys(other, one))
    return {id(cities): cities for cities in part.values()}.values()
