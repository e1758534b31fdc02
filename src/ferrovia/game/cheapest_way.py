"""Ways between two cities, for a seat: its own routes are free, open ones cost their trains."""

from collections.abc import Collection

from ferrovia.boards import Route
from ferrovia.boards.ways import shortest_way
from ferrovia.game.views import View


def cheapest_way(
    view: View, start: str, goal: str, without: Collection[str] = ()
) -> tuple[Route, ...] | None:
    """Return the open routes still to claim to join two cities with the fewest trains.

    Empty when they are joined already, None when no way is left. Stations are ignored, and so are
    the routes in `without`.
    """
    board = view.edition.board
    own = set(view.of(view.seat).routes)
    usable = own.union(view.open_routes).difference(without)
    routes = [route for route in board.routes if route.id in usable]
    way = shortest_way(routes, start, goal, own)
    return None if way is None else tuple(board.route(id) for id in way if id not in own)


def trains_of(way: tuple[Route, ...]) -> int:
    """Return how many trains the routes of a way take."""
    return sum(route.length for route in way)


def detour(view: View, start: str, goal: str, route: str) -> int | None:
    """Return how many more trains it takes to join two cities without a route, or its twin.

    0: another way is just as cheap; None: there is none at all. ValueError where no way is left.
    """
    way = cheapest_way(view, start, goal)
    if way is None:
        raise ValueError("no way is left")
    board = view.edition.board
    ends = {board.route(route).a, board.route(route).b}
    halves = [it.id for it in board.routes if {it.a, it.b} == ends]
    other = cheapest_way(view, start, goal, halves)
    return None if other is None else trains_of(other) - trains_of(way)
