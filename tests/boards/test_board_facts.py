"""The boards that come with Ferrovia are those that are printed."""

from collections import Counter

import pytest

from ferrovia.boards import COLORS, GRAY, board

BIG_CITIES = {"london", "berlin", "moskva", "paris", "wien", "madrid", "roma", "athina", "angora"}


@pytest.mark.parametrize(
    ("name", "cities", "routes", "spaces"), [("usa", 36, 100, 309), ("europe", 47, 101, 300)]
)
def test_size(name: str, cities: int, routes: int, spaces: int) -> None:
    found = board(name)
    assert len(found.cities) == cities
    assert len(found.routes) == routes
    assert sum(route.length for route in found.routes) == spaces


@pytest.mark.parametrize(("name", "each", "gray"), [("usa", 7, 44), ("europe", 8, 37)])
def test_routes_of_each_color(name: str, each: int, gray: int) -> None:
    counts = Counter(route.color for route in board(name).routes)
    assert counts.pop(GRAY) == gray
    assert set(counts) == set(COLORS) - {"locomotive"}
    assert set(counts.values()) == {each}


@pytest.mark.parametrize(
    ("name", "lengths"),
    [
        ("usa", {1: 9, 2: 36, 3: 20, 4: 16, 5: 10, 6: 9}),
        ("europe", {1: 4, 2: 35, 3: 30, 4: 29, 6: 2, 8: 1}),
    ],
)
def test_routes_by_length(name: str, lengths: dict[int, int]) -> None:
    assert Counter(route.length for route in board(name).routes) == lengths


@pytest.mark.parametrize(("name", "doubles"), [("usa", 22), ("europe", 11)])
def test_doubles_are_pairs_of_twins(name: str, doubles: int) -> None:
    found = board(name)
    pairs = set()
    for route in found.routes:
        twin = found.twin(route.id)
        if twin is not None:
            assert found.twin(twin.id) == route
            assert twin != route
            assert {twin.a, twin.b} == {route.a, route.b}
            pairs.add(frozenset((route.id, twin.id)))
    assert len(pairs) == doubles


def test_tunnels() -> None:
    assert not any(route.tunnel for route in board("usa").routes)
    colors = [route.color for route in board("europe").routes if route.tunnel]
    assert len(colors) == 18
    assert colors.count(GRAY) == 10


def test_ferries() -> None:
    assert not any(route.ferry for route in board("usa").routes)
    assert Counter(r.ferry for r in board("europe").routes if r.ferry) == {1: 9, 2: 4}
    smyrna = board("europe").route("palermo-smyrna")
    assert (smyrna.length, smyrna.ferry) == (6, 2)


def test_ticket_sets() -> None:
    usa = Counter(ticket.set for ticket in board("usa").tickets)
    assert usa == {"classic": 30, "2025": 1, "1910": 35, "1910-reprint": 34}
    europe = Counter((ticket.set, ticket.long) for ticket in board("europe").tickets)
    assert europe == {
        ("europe", True): 6,
        ("europe", False): 40,
        ("1912", True): 6,
        ("1912", False): 49,
    }


def test_the_mark_stands_on_exactly_the_regular_tickets_that_name_a_big_city() -> None:
    for ticket in board("europe").tickets:
        names_one = not BIG_CITIES.isdisjoint((ticket.a, ticket.b))
        assert ticket.big_city == (names_one and not ticket.long), ticket.id


def test_lookups() -> None:
    europe = board("europe")
    assert europe.city("kobenhavn").name == "København"
    assert europe.twin("palermo-smyrna") is None
    with pytest.raises(KeyError):
        europe.city("atlantis")
    with pytest.raises(KeyError):
        europe.route("atlantis-paris")


def test_colors_keep_their_order() -> None:
    assert " ".join(COLORS) == "purple blue orange white green yellow black red locomotive"
