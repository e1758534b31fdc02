"""What a board is like as a network, in the measures that printed boards are compared by."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import mean

import msgspec

from ferrovia.boards.edition import Edition
from ferrovia.boards.model import COLORS, GRAY, Board, Route
from ferrovia.boards.ways import distances, shortest_way

Pair = tuple[str, str]


class ColorMeasure(msgspec.Struct, frozen=True):
    """The routes of a colour and their spaces."""

    color: str
    routes: int
    spaces: int


class Network(msgspec.Struct, frozen=True):
    """A board as a network. A pair is two neighbours, however many routes join them.

    `ends` have one neighbour and `corners` two. `cuts` are single routes whose loss cuts the map,
    at a table of two or three, where a double is one. `longest_way` is the longest of the shortest
    ways between cities. `load` is how much more the ways of all tickets use a double than a single
    pair; `unused` the share of pairs on no ticket's way; `named` the cities that tickets name;
    `by_shortest` the tickets that are worth exactly the shortest way.
    """

    cities: int
    pairs: int
    doubles: int
    spaces: int
    colors: tuple[ColorMeasure, ...]
    ends: tuple[str, ...]
    corners: tuple[str, ...]
    cuts: tuple[str, ...]
    longest_way: int
    load: float | None
    unused: float | None
    unused_routes: tuple[str, ...]
    tickets: int
    named: int
    by_shortest: int
    longest_ticket: int


def network_of(edition: Edition) -> Network:
    """Return the measures of an edition's board and of its tickets in use."""
    board = edition.board
    pairs = pairs_of(board.routes)
    neighbors: defaultdict[str, set[str]] = defaultdict(set)
    for a, b in pairs:
        neighbors[a].add(b)
        neighbors[b].add(a)
    loads = _loads(board, edition)
    multiple = [loads[pair] for pair, routes in pairs.items() if len(routes) > 1]
    single = [loads[pair] for pair, routes in pairs.items() if len(routes) == 1]
    unused = [pair for pair in pairs if not loads[pair]]
    ways = {city.id: distances(board.routes, city.id) for city in board.cities}
    tickets = edition.tickets
    return Network(
        cities=len(board.cities),
        pairs=len(pairs),
        doubles=len(multiple),
        spaces=sum(route.length for route in board.routes),
        colors=tuple(_color(board, color) for color in (*COLORS[:-1], GRAY)),
        ends=tuple(city.id for city in board.cities if len(neighbors[city.id]) == 1),
        corners=tuple(city.id for city in board.cities if len(neighbors[city.id]) == 2),
        cuts=tuple(_cuts(board, pairs)),
        longest_way=max((max(way.values()) for way in ways.values()), default=0),
        load=mean(multiple) / mean(single) if multiple and single and mean(single) else None,
        unused=len(unused) / len(pairs) if pairs and tickets else None,
        unused_routes=tuple(route.id for pair in unused for route in pairs[pair]),
        tickets=len(tickets),
        named=len({city for ticket in tickets for city in (ticket.a, ticket.b)}),
        by_shortest=sum(ways[ticket.a][ticket.b] == ticket.points for ticket in tickets),
        longest_ticket=max((ticket.points for ticket in tickets), default=0),
    )


def pairs_of(routes: Iterable[Route]) -> dict[Pair, list[Route]]:
    """Return the routes between each two neighbours, in the order of the board."""
    pairs: dict[Pair, list[Route]] = {}
    for route in routes:
        pairs.setdefault(pair_of(route.a, route.b), []).append(route)
    return pairs


def pair_of(a: str, b: str) -> Pair:
    """Return two cities in one order."""
    return (a, b) if a < b else (b, a)


def _color(board: Board, color: str) -> ColorMeasure:
    lengths = [route.length for route in board.routes if route.color == color]
    return ColorMeasure(color, len(lengths), sum(lengths))


def _loads(board: Board, edition: Edition) -> Counter[Pair]:
    """Return for each pair how many tickets have it on their shortest way."""
    loads: Counter[Pair] = Counter()
    for ticket in edition.tickets:
        way = shortest_way(board.routes, ticket.a, ticket.b) or ()
        loads.update(pair_of(board.route(id).a, board.route(id).b) for id in way)
    return loads


def _cuts(board: Board, pairs: dict[Pair, list[Route]]) -> Iterable[str]:
    cities = [city.id for city in board.cities]
    for pair, routes in pairs.items():
        others = [other for other in pairs if other != pair]
        if not _joined(cities, others):
            yield routes[0].id


def _joined(cities: Sequence[str], pairs: Iterable[Pair]) -> bool:
    leader = {city: city for city in cities}

    def find(city: str) -> str:
        while leader[city] != city:
            leader[city] = leader[leader[city]]
            city = leader[city]
        return city

    for a, b in pairs:
        leader[find(a)] = find(b)
    return len({find(city) for city in cities}) <= 1


def all_distances(board: Board) -> dict[Pair, int]:
    """Return the fewest trains between every two cities."""
    ways = {city.id: distances(board.routes, city.id) for city in board.cities}
    ids = sorted(ways)
    return {(a, b): ways[a][b] for a, b in combinations(ids, 2) if b in ways[a]}
