"""Ways between two cities, for a seat: own routes are free, open ones cost their trains."""

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable

from ferrovia.boards import Route
from ferrovia.game.views import View


def cheapest_way(
    view: View, start: str, goal: str, without: Collection[str] = ()
) -> tuple[Route, ...] | None:
    """Return the open routes still to claim to join two cities with the fewest trains.

    Empty when they are joined already, None when no way is left. Stations are ignored, and so are
    the routes in `without`.
    """
    board = view.edition.board
    own = set(view.of(view.seat or 0).routes)
    usable = own.union(view.open_routes).difference(without)
    routes = [route for route in board.routes if route.id in usable]
    way = shortest_way(routes, start, goal, own)
    return None if way is None else tuple(board.route(id) for id in way if id not in own)


def shortest_way(
    routes: Iterable[Route], start: str, goal: str, free: Collection[str] = ()
) -> tuple[str, ...] | None:
    """Return the ids of routes that join two cities with the fewest trains; None if none do.

    Those in `free` cost none. Of equal ways it is always the same one.
    """
    neighbors: defaultdict[str, list[tuple[str, Route]]] = defaultdict(list)
    for route in routes:
        neighbors[route.a].append((route.b, route))
        neighbors[route.b].append((route.a, route))
    reached: set[str] = set()
    queue: list[tuple[int, str, tuple[str, ...], tuple[str, ...]]] = [(0, start, (), ())]
    while queue:
        cost, city, paid, way = heapq.heappop(queue)
        if city == goal:
            return way
        if city in reached:
            continue
        reached.add(city)
        for neighbor, route in neighbors[city]:
            if route.id in free:
                heapq.heappush(queue, (cost, neighbor, paid, (*way, route.id)))
            else:
                through = (*way, route.id)
                heapq.heappush(queue, (cost + route.length, neighbor, (*paid, route.id), through))
    return None


def trains_of(way: tuple[Route, ...]) -> int:
    """Return how many trains the routes of a way take."""
    return sum(route.length for route in way)


def detour(view: View, start: str, goal: str, route: str) -> int | None:
    """Return how many trains more it takes to join two cities without a route, or its twin.

    0: there is another way as cheap; None: there is none at all. ValueError where no way is left.
    """
    way = cheapest_way(view, start, goal)
    if way is None:
        raise ValueError("no way is left")
    board = view.edition.board
    ends = {board.route(route).a, board.route(route).b}
    halves = [it.id for it in board.routes if {it.a, it.b} == ends]
    other = cheapest_way(view, start, goal, halves)
    return None if other is None else trains_of(other) - trains_of(way)
