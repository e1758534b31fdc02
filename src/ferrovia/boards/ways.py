"""The ways between two cities that take the fewest trains."""

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from ferrovia.boards.model import Route


def shortest_way(
    routes: Iterable[Route], start: str, goal: str, free: Collection[str] = ()
) -> tuple[str, ...] | None:
    """Return the ids of routes that join two cities with the fewest trains; None if none do.

    Those in `free` cost none. Of equal ways it is always the same one.
    """
    for city, _, way in _nearest_first(routes, start, free):
        if city == goal:
            return way
    return None


def distances(routes: Iterable[Route], start: str, free: Collection[str] = ()) -> dict[str, int]:
    """Return the fewest trains from a city to every other one that can be reached."""
    return {city: trains for city, trains, _ in _nearest_first(routes, start, free)}


def _nearest_first(
    routes: Iterable[Route], start: str, free: Collection[str]
) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Yield each city with the trains of its shortest way, and the routes of that."""
    neighbors: defaultdict[str, list[tuple[str, Route]]] = defaultdict(list)
    for route in routes:
        neighbors[route.a].append((route.b, route))
        neighbors[route.b].append((route.a, route))
    reached: set[str] = set()
    queue: list[tuple[int, str, tuple[str, ...], tuple[str, ...]]] = [(0, start, (), ())]
    while queue:
        trains, city, paid, way = heapq.heappop(queue)
        if city in reached:
            continue
        reached.add(city)
        yield city, trains, way
        for neighbor, route in neighbors[city]:
            if neighbor in reached:
                continue
            through = (*way, route.id)
            if route.id in free:
                heapq.heappush(queue, (trains, neighbor, paid, through))
            else:
                heapq.heappush(queue, (trains + route.length, neighbor, (*paid, route.id), through))
