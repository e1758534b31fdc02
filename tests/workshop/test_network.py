"""The measures of a board, against those counted on the printed ones; and searched tickets."""

import pytest

from ferrovia.boards import Board, Ticket, load_edition
from ferrovia.workshop.network import all_distances, network_of, pair_of
from ferrovia.workshop.ticket_search import search_tickets


@pytest.mark.parametrize(
    ("name", "pairs", "doubles", "corners", "longest", "by_shortest"),
    [("usa", 78, 22, 3, 23, 26), ("europe", 90, 11, 4, 29, 44)],
)
def test_the_printed_boards_have_their_measures(
    name: str, pairs: int, doubles: int, corners: int, longest: int, by_shortest: int
) -> None:
    found = network_of(load_edition(name))
    assert (found.pairs, found.doubles) == (pairs, doubles)
    assert (len(found.corners), found.longest_way) == (corners, longest)
    assert found.by_shortest == by_shortest


def test_the_one_route_that_cuts_europe_is_named() -> None:
    found = network_of(load_edition("europe"))
    assert found.ends == ("edinburgh",)
    assert found.cuts == ("edinburgh-london",)
    assert network_of(load_edition("usa")).cuts == ()


def test_searched_tickets_are_the_same_from_a_seed_and_never_change_those_kept() -> None:
    board = load_edition("europe").board
    bare = Board(board.id, board.cities, board.routes, ())
    by_hand = Ticket("hand:paris-roma", "paris", "roma", 99, "hand")
    deck = search_tickets(bare, 45, 3, keep=[by_hand], count=40)
    assert deck == search_tickets(bare, 45, 3, keep=[by_hand], count=40)
    assert deck != search_tickets(bare, 45, 4, keep=[by_hand], count=40)
    assert deck[0] == by_hand
    assert len(deck) == 40
    ways = all_distances(bare)
    assert all(ticket.points == ways[pair_of(ticket.a, ticket.b)] for ticket in deck[1:])
    pairs = [pair_of(ticket.a, ticket.b) for ticket in deck]
    assert len(set(pairs)) == len(pairs)
    means = {
        style: sum(it.points for it in search_tickets(bare, 45, 3, style=style)) / 52
        for style in ("short", "balanced", "long")
    }
    assert means["short"] < means["balanced"] < means["long"]
