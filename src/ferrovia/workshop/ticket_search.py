"""Searching the tickets of a board: values by the shortest way, and a deck that uses the map well.

The measures are those of printed decks: about 1.1 tickets for a city, short ones rarer than
chance, the longest about 0.47 of a player's trains, and every city named.
"""

import random
from collections import Counter
from collections.abc import Sequence
from math import exp, sqrt
from typing import Final, Literal

from ferrovia.boards.model import Board, Ticket
from ferrovia.boards.ways import shortest_way
from ferrovia.workshop.network import Pair, all_distances, pair_of, pairs_of

Style = Literal["balanced", "short", "long"]
STYLES: Final[tuple[Style, ...]] = ("balanced", "short", "long")

_PER_CITY = 1.1
_LONGEST = 0.47  # of the trains of a player
_SHORTEST = 4
_MIDDLE: Final[dict[Style, float]] = {"short": 0.3, "balanced": 0.45, "long": 0.6}
_ROUNDS = 4_000
_MOST = 150


def search_tickets(
    board: Board,
    trains: int,
    seed: int,
    *,
    keep: Sequence[Ticket] = (),
    count: int | None = None,
    style: Style = "balanced",
) -> tuple[Ticket, ...]:
    """Return a deck of `count` tickets for a board, which begins with those to `keep` as they are.

    The same arguments give the same deck. `style` says whether tickets tend to be short or long.
    """
    chance = random.Random(f"tickets {seed} {style}")
    ways = all_distances(board)
    longest = max(_SHORTEST + 2, round(trains * _LONGEST))
    held = {pair_of(ticket.a, ticket.b) for ticket in keep}
    pool = [
        pair for pair, way in ways.items() if _SHORTEST <= way <= longest and pair not in held
    ] or [pair for pair in ways if pair not in held]
    wanted = min(count or max(12, round(_PER_CITY * len(board.cities))), _MOST)
    number = max(0, min(wanted - len(keep), len(pool)))
    chosen = chance.sample(pool, number)
    search = _Search(board, ways, keep, longest, style)
    cost = search.cost(chosen)
    outside = [pair for pair in pool if pair not in set(chosen)]
    for round_ in range(_ROUNDS if outside and chosen else 0):
        warmth = 1.5 * (1 - round_ / _ROUNDS)
        mine, other = chance.randrange(len(chosen)), chance.randrange(len(outside))
        chosen[mine], outside[other] = outside[other], chosen[mine]
        tried = search.cost(chosen)
        if tried <= cost or chance.random() < exp((cost - tried) / max(warmth, 1e-6)):
            cost = tried
        else:
            chosen[mine], outside[other] = outside[other], chosen[mine]
    taken = {ticket.id for ticket in keep}
    found = [
        Ticket(_free_id(board.id, pair, taken), *pair, min(99, ways[pair]), board.id)
        for pair in sorted(chosen, key=lambda pair: (-ways[pair], pair))
    ]
    return (*keep, *found)


def _free_id(board: str, pair: Pair, taken: set[str]) -> str:
    name = f"{board}:{pair[0]}-{pair[1]}"
    while name in taken:
        name += "-2"
    taken.add(name)
    return name


class _Search:
    """What a deck costs: the lower, the better."""

    def __init__(
        self,
        board: Board,
        ways: dict[Pair, int],
        keep: Sequence[Ticket],
        longest: int,
        style: Style,
    ) -> None:
        self._ways = ways
        self._cities = [city.id for city in board.cities]
        self._kept = [pair_of(ticket.a, ticket.b) for ticket in keep]
        self._middle = _SHORTEST + (longest - _SHORTEST) * _MIDDLE[style]
        self._spread = max(1.5, (longest - _SHORTEST) / 4)
        self._on_way = {
            pair: frozenset(
                pair_of(board.route(id).a, board.route(id).b)
                for id in shortest_way(board.routes, *pair) or ()
            )
            for pair in ways
        }
        self._pairs = len(pairs_of(board.routes))

    def cost(self, chosen: Sequence[Pair]) -> float:
        deck = [*self._kept, *chosen]
        named = Counter(city for pair in deck for city in pair)
        each = 2 * len(deck) / len(self._cities)
        uneven = sum((named[city] - each) ** 2 for city in self._cities) / len(self._cities)
        unnamed = sum(not named[city] for city in self._cities)
        used: set[Pair] = set()
        for pair in deck:
            used |= self._on_way[pair]
        unused = 1 - len(used) / self._pairs
        lengths = sorted(self._ways[pair] for pair in deck)
        middle = sum(lengths) / len(lengths)
        spread = sqrt(sum((length - middle) ** 2 for length in lengths) / len(lengths))
        return (
            3 * uneven
            + 4 * unnamed
            + 20 * max(0.0, unused - 0.15)
            + 3 * abs(middle - self._middle)
            + 3 * abs(spread - self._spread)
        )
