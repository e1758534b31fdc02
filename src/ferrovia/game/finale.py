"""What a final score is made of, as ways on the map: for the finale of a game.

A completed ticket has a way over the routes of its owner and those that stations borrowed; the
longest route is run from one end to the other; ties are decided by the list of the edition.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, cast

import msgspec

from ferrovia.boards import Route
from ferrovia.boards.ways import shortest_way
from ferrovia.game.codec.lexicon import Lexicon, lexicon_of
from ferrovia.game.scores import Result, longest_routes, result_of
from ferrovia.game.views import view_of
from ferrovia.kernel import Buffer

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


def finale_of(lexicon: Lexicon, state: Buffer) -> Finale:
    """Return the finale of a state, as if the game ended there."""
    result = result_of(lexicon, state)
    board, view = lexicon.edition.board, view_of(lexicon, state, None)
    ways = []
    for seat, score in enumerate(result.scores):
        names = [*view.of(seat).routes, *score.borrowed.values()]
        routes = [board.route(name) for name in names]
        ways.append(
            {
                ticket.id: shortest_way(routes, ticket.a, ticket.b) or ()
                for ticket in map(lexicon.edition.ticket, score.completed)
            }
        )
    runs = [run([board.route(one) for one in trail]) for trail in longest_routes(lexicon, state)]
    return Finale(
        ways=tuple(ways),
        trails=tuple(trail for trail, _ in runs),
        stops=tuple(stops for _, stops in runs),
        decided=decided_by(lexicon, state, result),
    )


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


def decided_by(lexicon: Lexicon, state: Buffer, result: Result) -> Criterion:
    """Return which criterion made the winner: the points, or the one of the edition's tie-break
    (R10.6) with which the rules first name the same winner.
    """
    if len(result.winners) > 1:
        return "shared"
    best = max(score.total for score in result.scores)
    if [score.total for score in result.scores].count(best) == 1:
        return "points"
    order = lexicon.edition.tie_break
    for count in range(1, len(order)):
        shorter = lexicon_of(replace(lexicon.edition, tie_break=order[:count]))
        if result_of(shorter, state).winners == result.winners:
            return cast(Criterion, order[count - 1])
    return cast(Criterion, order[-1])
