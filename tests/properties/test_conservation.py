"""Nothing appears and nothing is lost: cards, trains and tickets over whole games."""

import numpy as np
import pytest
from hypothesis import given, settings

from ferrovia.game.scores import members
from ferrovia.rules.state.layout import GONE, LOCOMOTIVE, NONE, START, TICKETS

from .kernel_games import Table, table, tables


def check_cards(t: Table) -> None:
    s, book = t.s, t.words.tables
    count = s.deck.astype(int) + s.discards + s.revealed + s.hand.sum(axis=0)
    for card in s.display:
        if card != NONE:
            count[card] += 1
    count[s.laid_color] += s.laid
    count[LOCOMOTIVE] += s.laid_locomotives
    assert (count == book.cards).all()
    assert s.deck.sum() == s.deck_size
    assert s.discards.sum() == s.discards_size
    assert (s.hand.sum(axis=1) == s.hand_size).all()
    assert (s.hand >= 0).all()
    assert (s.known <= s.hand).all()
    assert (s.known >= 0).all()


def check_trains(t: Table) -> None:
    s, book = t.s, t.words.tables
    claimed: set[int] = set()
    for seat in range(t.players):
        routes = members(s.routes[seat])
        assert int(book.trains) - s.trains[seat] == sum(int(book.length[r]) for r in routes)
        assert s.points[seat] == sum(int(book.route_points[book.length[r]]) for r in routes)
        assert s.trains[seat] >= 0
        assert not claimed & set(routes)
        claimed |= set(routes)
    for seat in range(t.players):
        mine = set(members(s.routes[seat]))
        doubles = [r for r in mine if book.twin[r] in mine]
        assert doubles == []  # R5.6
        closed = claimed | {int(book.twin[r]) for r in mine}
        if t.players <= 3:
            closed |= {int(book.twin[r]) for r in claimed}  # R5.7
        assert set(members(s.open[seat])) == set(range(int(book.routes))) - closed


def check_tickets(t: Table) -> None:
    s = t.s
    places: list[int] = []
    for seat in range(t.players):
        held = members(s.tickets[seat])
        assert len(held) == s.ticket_count[seat]
        places += held
        if s.phase != START:
            places += s.offer[seat, : s.offered[seat]].tolist()
    if s.phase == START:
        deck = s.ticket_deck[: int(t.words.tables.tickets)]
        places += [int(ticket) for ticket in deck if ticket != GONE]
        for seat in range(t.players):
            assert set(s.offer[seat, : s.offered[seat]].tolist()) <= set(deck.tolist())
    else:
        at = [(s.ticket_head + i) % TICKETS for i in range(s.ticket_left)]
        deck = s.ticket_deck[at].tolist()
        assert all(ticket >= t.words.tables.long_tickets for ticket in deck)  # R1.2
        places += deck
    assert len(set(places)) == len(places)
    if t.words.tables.regular_not_kept and not t.words.tables.long_tickets:
        assert len(places) == t.words.tables.tickets  # nothing leaves the game


@settings(max_examples=60)
@given(tables)
def test_cards_trains_and_tickets_are_conserved(t: Table) -> None:
    for _ in t.steps():
        check_cards(t)
        check_trains(t)
        check_tickets(t)


@pytest.mark.uncompiled
@pytest.mark.parametrize("edition", ["usa", "mega-europe"])
def test_conservation_in_one_game(edition: str) -> None:
    t = table(edition, 3, 11)
    for number in t.steps():
        if number % 10 == 0:
            check_cards(t)
            check_trains(t)
            check_tickets(t)


def test_every_board_field_is_filled_for_the_largest_table() -> None:
    t = table("mega-europe", 5, 1)
    assert (t.s.trains[:5] == 45).all()
    assert (t.s.hand_size[:5] == 4).all()
    assert np.count_nonzero(t.s.offered) == 5
