"""The kernel's score against an independent scorer that tries everything."""

import itertools
import random
from functools import cache

import numpy as np
import pytest

from ferrovia.boards import editions
from ferrovia.game.scores import members, result_of, score_of
from ferrovia.rules import calls
from ferrovia.rules.chapters.trail import load_routes, longest_trail
from ferrovia.rules.state.layout import BOOK, NONE, SCORE, STATE, WORK
from tests.memory import fields
from tests.referee.scorer import longest, tickets_with_stations

from .kernel_games import Table, table


def network(edges: list[tuple[int, int, int]]) -> tuple[bytearray, bytearray]:
    """A rulebook and a state in which one seat owns any network."""
    book, state = BOOK.new(), STATE.new()
    tables, s = fields(book, BOOK), fields(state, STATE)
    s.players = 1
    s.stations[:] = NONE
    for number, (a, b, length) in enumerate(edges):
        tables.end_a[number], tables.end_b[number], tables.length[number] = a, b, length
        s.routes[0, number // 64] |= np.uint64(1 << number % 64)
    return book, state


def kernel_longest(edges: list[tuple[int, int, int]]) -> int:
    """The longest trail over any network."""
    out = SCORE.new()
    calls.score(*network(edges), out)
    return int(fields(out, SCORE).longest[0])


def nodes_of(edges: list[tuple[int, int, int]]) -> tuple[int, int]:
    """The longest trail over any network, and the nodes that the search needed."""
    book, state = network(edges)
    tables, s, work = fields(book, BOOK), fields(state, STATE), fields(WORK.new(), WORK)
    best, _, nodes = longest_trail(load_routes(tables, s, 0, work), work)
    return int(best), int(nodes)


def random_network(chance: random.Random, most: int) -> list[tuple[int, int, int]]:
    cities = chance.randint(2, 9)
    pairs = list(itertools.combinations(range(cities), 2))
    count = min(len(pairs), chance.randint(1, most))
    lengths = (1,) if chance.random() < 0.3 else (1, 2, 2, 3, 4, 6)
    return [(a, b, chance.choice(lengths)) for a, b in chance.sample(pairs, count)]


def longest_of_all_trails(edges: list[tuple[int, int, int]]) -> int:
    """Try every trail; how far one can still go depends on the city and the unused edges alone."""
    ends: dict[int, list[tuple[int, int, int]]] = {}
    for number, (a, b, length) in enumerate(edges):
        ends.setdefault(a, []).append((1 << number, b, length))
        ends.setdefault(b, []).append((1 << number, a, length))

    @cache
    def walk(city: int, unused: int) -> int:
        ways = (
            length + walk(other, unused & ~edge)
            for edge, other, length in ends[city]
            if unused & edge
        )
        return max(ways, default=0)

    return max(walk(city, (1 << len(edges)) - 1) for city in ends)


def test_r10_5_longest_route_on_thousands_of_networks() -> None:
    chance = random.Random(20)
    for number in range(2000):
        edges = random_network(chance, 13)
        best = longest_of_all_trails(edges)
        assert kernel_longest(edges) == best, edges
        if number % 10 == 0:  # the referee's own way, which is slower
            assert longest([(str(a), str(b), length) for a, b, length in edges]) == best, edges


def check_scores(t: Table) -> None:
    lexicon, s = t.lexicon, t.s
    board = lexicon.edition.board
    routes = [vars_of(route) for route in board.routes]
    owner = {
        lexicon.routes[route]: seat
        for seat in range(t.players)
        for route in members(s.routes[seat])
    }
    score = score_of(lexicon, t.state)
    result = result_of(lexicon, t.state)
    for seat in range(t.players):
        mine = [route for route in board.routes if owner.get(route.id) == seat]
        assert score.longest[seat] == longest([(r.a, r.b, r.length) for r in mine])
        trail = members(score.trail[seat])
        assert set(trail) <= set(members(s.routes[seat]))
        assert sum(int(lexicon.tables.length[r]) for r in trail) == score.longest[seat]
        stations = [lexicon.cities[city] for city in s.stations[seat] if city != NONE]
        held = [vars_of(lexicon.edition.tickets[n]) for n in members(s.tickets[seat])]
        best = tickets_with_stations(routes, owner, seat, stations, held)
        assert result.scores[seat].tickets == best["tickets"]
        assert sorted(result.scores[seat].completed) == sorted(best["completed"])
        assert sorted(result.scores[seat].failed) == sorted(best["failed"])
        assert result.scores[seat].borrowed == best["borrowed"]


def vars_of(fact: object) -> dict[str, object]:
    return {
        name: getattr(fact, name)
        for name in ("id", "a", "b", "length", "points")
        if hasattr(fact, name)
    }


@pytest.mark.parametrize("edition", editions())
def test_r9_4_and_r10_5_on_random_positions(edition: str) -> None:
    for seed in range(8):
        t = table(edition, 2 + seed % 4, seed)
        for number in t.steps():
            if number % 60 == 0 or not t.awaited():
                check_scores(t)


def with_many_stations(t: Table) -> None:
    """Every seat builds its stations in random cities, whatever they cost."""
    free = list(range(int(t.lexicon.tables.cities)))
    t.chance.shuffle(free)
    for seat in range(t.players):
        for place in range(3):
            t.s.stations[seat, place] = free.pop()


@pytest.mark.parametrize("seed", range(60))
def test_r9_4_the_best_choice_with_three_stations_each(seed: int) -> None:
    t = table(("europe", "mega-europe", "big-cities")[seed % 3], 2 + seed % 4, seed)
    for _ in t.steps():
        pass
    with_many_stations(t)
    check_scores(t)


HARD_NETWORKS = {
    "the worst found on the USA board": (
        "usa",
        [0, 2, 5, 16, 22, 26, 27, 29, 32, 54, 57, 59, 61, 65, 66, 75, 76, 77, 80, 84, 86],
    ),
    "the worst found on the Europe board": (
        "europe",
        [0, 2, 3, 11, 12, 13, 24, 25, 27, 28, 37, 48, 49, 57, 74, 77, 78, 79, 80, 89, 97],
    ),
}


@pytest.mark.inside
@pytest.mark.parametrize("name", HARD_NETWORKS)
def test_r10_5_the_search_stays_small_on_the_hardest_known_positions(name: str) -> None:
    edition, routes = HARD_NETWORKS[name]
    book = table(edition, 2, 0).lexicon.tables
    edges = [(int(book.end_a[r]), int(book.end_b[r]), int(book.length[r])) for r in routes]
    assert sum(length for *_, length in edges) <= 45
    assert nodes_of(edges)[1] < 3_000


def cubic(cities: int, chance: random.Random) -> list[tuple[int, int, int]]:
    """A network in which three routes of one space meet in every city."""
    while True:
        stubs = [city for city in range(cities) for _ in range(3)]
        chance.shuffle(stubs)
        pairs = {tuple(sorted(stubs[i : i + 2])) for i in range(0, len(stubs), 2)}
        if len(pairs) == len(stubs) // 2 and all(a != b for a, b in pairs):
            return [(a, b, 1) for a, b in pairs]


ARTIFICIAL = {
    "three hubs of fifteen": [(hub, 3 + leaf, 1) for hub in range(3) for leaf in range(15)],
    "five hubs of nine": [(hub, 5 + leaf, 1) for hub in range(5) for leaf in range(9)],
    "ten cities, each joined to each": [(a, b, 1) for a in range(10) for b in range(a)],
    "thirty cities of three": cubic(30, random.Random(4)),
}


@pytest.mark.inside
@pytest.mark.parametrize("name", ARTIFICIAL)
def test_r10_5_the_search_stays_small_on_artificial_boards_of_45_trains(name: str) -> None:
    edges = ARTIFICIAL[name]
    assert sum(length for *_, length in edges) == 45
    assert nodes_of(edges)[1] < 30_000
