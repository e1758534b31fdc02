"""The cheapest way between two cities, for a seat."""

import heapq
from collections import defaultdict

from ferrovia.boards import Route
from ferrovia.game import View


def cheapest_way(view: View, start: str, goal: str) -> tuple[Route, ...] | None:
    """Return the open routes still to claim to join two cities with the fewest trains.

    Empty when they are joined already, None when no way is left. Stations are ignored.
    """
    board = view.edition.board
    own = set(view.of(view.seat or 0).routes)
    usable = own.union(view.open_routes)
    neighbors: defaultdict[str, list[tuple[str, Route]]] = defaultdict(list)
    for route in board.routes:
        if route.id in usable:
            neighbors[route.a].append((route.b, route))
            neighbors[route.b].append((route.a, route))
    best: dict[str, int] = {}
    queue: list[tuple[int, str, tuple[str, ...]]] = [(0, start, ())]
    while queue:
        cost, city, claimed = heapq.heappop(queue)
        if city == goal:
            return tuple(board.route(id) for id in claimed)
        if city in best:
            continue
        best[city] = cost
        for neighbor, route in neighbors[city]:
            if route.id in own:
                heapq.heappush(queue, (cost, neighbor, claimed))
            else:
                heapq.heappush(queue, (cost + route.length, neighbor, (*claimed, route.id)))
    return None
