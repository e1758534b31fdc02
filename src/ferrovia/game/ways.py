"""What a final score is made of, as ways on the map: for the finale of a game.

A completed ticket has a way over the routes of its owner and those that stations borrowed; the
longest route is run from one end to the other; ties are decided by the list of the edition.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import Literal, cast

import msgspec

from ferrovia.boards import Route
from ferrovia.game.codec.lexicon import Buffer, Lexicon
from ferrovia.game.scores import Result, longest_routes, result_of
from ferrovia.game.views import view_of

Criterion = Literal["points", "tickets", "stations", "longest", "shared"]


class Finale(msgspec.Struct, frozen=True, kw_only=True):
    """The final score on the map. `ways` has for each seat the routes of every completed ticket,
    from its first city to its second. `trails` has for each seat the routes of one longest
    continuous route, in the order in which a train would run over them, and `stops` the cities on
    it. `decided`: what made the winner; `shared` where nothing did.
    """

    ways: tuple[dict[str, tuple[str, ...]], ...]
    trails: tuple[tuple[str, ...], ...]
    stops: tuple[tuple[str, ...], ...]
    decided: Criterion


def finale_of(words: Lexicon, state: Buffer) -> Finale:
    """Return the finale of a state, as if the game ended there."""
    result = result_of(words, state)
    board, view = words.edition.board, view_of(words, state, None)
    tickets = {ticket.id: ticket for ticket in words.edition.tickets}
    ways = []
    for seat, score in enumerate(result.scores):
        names = [*view.of(seat).routes, *score.borrowed.values()]
        routes = [board.route(name) for name in names]
        ways.append(
            {
                ticket: shortest_way(routes, tickets[ticket].a, tickets[ticket].b) or ()
                for ticket in score.completed
            }
        )
    runs = [run([board.route(one) for one in trail]) for trail in longest_routes(words, state)]
    return Finale(
        ways=tuple(ways),
        trails=tuple(trail for trail, _ in runs),
        stops=tuple(stops for _, stops in runs),
        decided=decided_by(
            result,
            words.edition.tie_break,
            [len(view.of(seat).stations) for seat in range(view.players)],
        ),
    )


def shortest_way(routes: Iterable[Route], start: str, end: str) -> tuple[str, ...] | None:
    """Return the routes of the way with the fewest spaces between two cities; None if none is."""
    lines: dict[str, list[tuple[str, Route]]] = defaultdict(list)
    for route in routes:
        lines[route.a].append((route.b, route))
        lines[route.b].append((route.a, route))
    waiting: list[tuple[int, int, str, tuple[str, ...]]] = [(0, 0, start, ())]
    reached: set[str] = set()
    number = 0  # of equal lengths the first found
    while waiting:
        length, _, city, way = heappop(waiting)
        if city == end:
            return way
        if city in reached:
            continue
        reached.add(city)
        for there, route in lines[city]:
            if there not in reached:
                number += 1
                heappush(waiting, (length + route.length, number, there, (*way, route.id)))
    return None


def run(routes: Sequence[Route]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the routes of a continuous route in the order of a train that runs over each once,
    and the cities it passes (Hierholzer's algorithm).
    """
    if not routes:
        return (), ()
    lines: dict[str, list[Route]] = defaultdict(list)
    for route in routes:
        lines[route.a].append(route)
        lines[route.b].append(route)
    odd = [city for city in lines if len(lines[city]) % 2]
    used: set[str] = set()
    stack: list[tuple[str, str | None]] = [(min(odd or lines), None)]
    trail: list[str] = []
    stops: list[str] = []
    while stack:
        city, by = stack[-1]
        while lines[city] and lines[city][-1].id in used:
            lines[city].pop()
        if lines[city]:
            route = lines[city].pop()
            used.add(route.id)
            stack.append((route.b if route.a == city else route.a, route.id))
        else:
            stack.pop()
            stops.append(city)
            if by is not None:
                trail.append(by)
    return tuple(trail), tuple(stops)


def decided_by(result: Result, tie_break: Sequence[str], built: Sequence[int]) -> Criterion:
    """Return which criterion made the winner: the points, or the one of the tie-break's list
    (R10.6) that left nobody else. `built`: the stations that each seat has built.
    """
    if len(result.winners) > 1:
        return "shared"
    scores = result.scores
    most = max(1, *(score.longest for score in scores))
    merits = {
        "points": [score.total for score in scores],
        "tickets": [len(score.completed) for score in scores],
        "stations": [-count for count in built],
        "longest": [int(score.longest == most) for score in scores],
    }
    left, decisive = list(range(len(scores))), "points"
    for criterion in ("points", *tie_break):
        best = max(merits[criterion][seat] for seat in left)
        before, left = left, [seat for seat in left if merits[criterion][seat] == best]
        if len(left) < len(before):
            decisive = criterion
    return cast(Criterion, decisive)
