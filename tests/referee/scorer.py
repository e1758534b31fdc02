"""The score of a finished game by brute force (docs/rules/index.md, sections 9 and 10)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

Edge = tuple[str, str, int]

POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 8: 21}


def longest(edges: list[Edge]) -> int:
    """Return the length of the longest trail, every edge used once at most (R10.5).

    Tries every trail from every city, and turns back only where even all unused edges that can
    still be reached would not make the trail longer than the best one so far.
    """
    best = 0

    def reachable(city: str, unused: frozenset[int]) -> int:
        seen, found, grown = {city}, set[int](), True
        while grown:
            new = {i for i in unused - found if edges[i][0] in seen or edges[i][1] in seen}
            found |= new
            seen |= {end for i in new for end in edges[i][:2]}
            grown = bool(new)
        return sum(edges[i][2] for i in found)

    def walk(city: str, unused: frozenset[int], length: int) -> None:
        nonlocal best
        best = max(best, length)
        if length + reachable(city, unused) <= best:
            return
        for i in unused:
            a, b, spaces = edges[i]
            if city in (a, b):
                walk(b if city == a else a, unused - {i}, length + spaces)

    for start in sorted({end for a, b, _ in edges for end in (a, b)}):
        walk(start, frozenset(range(len(edges))), 0)
    return best


def joined(a: str, b: str, routes: Iterable[Mapping[str, Any]]) -> bool:
    """Say whether the routes join the two cities."""
    routes = list(routes)
    reached, waiting = {a}, [a]
    while waiting:
        city = waiting.pop()
        for route in routes:
            if city in (route["a"], route["b"]):
                other = route["b"] if city == route["a"] else route["a"]
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
    return b in reached


def tickets_with_stations(
    routes: Sequence[Mapping[str, Any]],
    owner: Mapping[str, int],
    player: int,
    stations: Sequence[str],
    tickets: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Return balance, completed, failed and borrowed of one player, by trying every choice (R9.4).

    `routes` is in the order of the board file, `stations` in the order in which they were built,
    `owner` names the owner of each claimed route.
    """
    own = [route for route in routes if owner.get(route["id"]) == player]
    choices: list[list[int | None]] = []
    for city in stations:
        lent = [
            number
            for number, route in enumerate(routes)
            if city in (route["a"], route["b"]) and owner.get(route["id"], player) != player
        ]
        choices.append([None, *lent])

    best: tuple[Any, ...] | None = None
    answer: dict[str, Any] = {}
    for choice in product(*choices):
        numbers = [number for number in choice if number is not None]
        usable = own + [routes[number] for number in numbers]
        done = [t for t in tickets if joined(t["a"], t["b"], usable)]
        missed = [t for t in tickets if t not in done]
        balance = sum(t["points"] for t in done) - sum(t["points"] for t in missed)
        idle = [number is None for number in choice]
        key = (-balance, -len(done), len(numbers), numbers, idle)
        if best is None or key < best:
            best = key
            answer = {
                "tickets": balance,
                "completed": [t["id"] for t in done],
                "failed": [t["id"] for t in missed],
                "borrowed": {
                    city: routes[number]["id"]
                    for city, number in zip(stations, choice, strict=True)
                    if number is not None
                },
            }
    return answer


def winners(
    scores: Sequence[Mapping[str, Any]], built: Sequence[int], tie_break: Sequence[str]
) -> list[int]:
    """Return the seats that win: most points, then the edition's list, then shared (R10.6)."""
    rank: dict[str, list[int]] = {
        "completed": [len(score["completed"]) for score in scores],
        "stations": [-number for number in built],
        "longest": [score["bonus"] for score in scores],
    }
    most = max(score["total"] for score in scores)
    left = [seat for seat, score in enumerate(scores) if score["total"] == most]
    for name in tie_break:
        top = max(rank[name][seat] for seat in left)
        left = [seat for seat in left if rank[name][seat] == top]
    return left


def score(
    routes: Sequence[Mapping[str, Any]],
    owner: Mapping[str, int],
    stations: Sequence[Sequence[str]],
    tickets: Sequence[Sequence[Mapping[str, Any]]],
    edition: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the content of the result line: `stations` and `tickets` are lists by seat."""
    scores: list[dict[str, Any]] = []
    for player, built in enumerate(stations):
        own = [route for route in routes if owner.get(route["id"]) == player]
        scores.append(
            {
                "routes": sum(POINTS[route["length"]] for route in own),
                **tickets_with_stations(routes, owner, player, built, tickets[player]),
                "stations": (edition["stations"] - len(built)) * edition["unused_station"],
                "longest": longest([(route["a"], route["b"], route["length"]) for route in own]),
            }
        )
    greatest = max(entry["longest"] for entry in scores)
    for entry in scores:
        entry["bonus"] = edition["bonus"] if entry["longest"] == greatest > 0 else 0
        entry["total"] = sum(entry[part] for part in ("routes", "tickets", "stations", "bonus"))
    built_counts = [len(built) for built in stations]
    return {"scores": scores, "winners": winners(scores, built_counts, edition["tie_break"])}
