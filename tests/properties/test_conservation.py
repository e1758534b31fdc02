"""Nothing appears and nothing is lost: cards, trains and tickets over whole games."""

import numpy as np
import pytest
from hypothesis import given, settings

from ferrovia.game.scores import members
from ferrovia.rules.state.layout import GONE, LOCOMOTIVE, NONE, START, TICKETS

from .kernel_games import Table, table, tables

FIELDS = {
    "cards": (
        *("deck", "discards", "revealed", "hand", "display", "laid_color", "laid"),
        *("laid_locomotives", "deck_size", "discards_size", "hand_size", "known"),
    ),
    "trains": ("routes", "trains", "points", "open"),
    "tickets": (
        *("tickets", "ticket_count", "offer", "offered"),
        *("ticket_deck", "ticket_head", "ticket_left"),
    ),
}
"""What each check reads of a state, beside whether the game is starting."""


def check_what_changed(t: Table, before: dict[str, bytes]) -> None:
    """Check everything of which something is not as it was `before`, and note how it is now.

    Most decisions change one thing of many, and a check of the same numbers has the same result.
    """
    for name, check in (
        ("cards", check_cards),
        ("trains", check_trains),
        ("tickets", check_tickets),
    ):
        starting = bytes([bool(t.s["phase"] == START)])
        now = starting + b"".join(t.s[field].tobytes() for field in FIELDS[name])
        if before.get(name) != now:
            check(t)
            before[name] = now


def check_cards(t: Table) -> None:
    s, book = t.s, t.lexicon.tables
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
    s, book = t.s, t.lexicon.tables
    # Fields by their names take long to read: once each.
    length, points, twin = book.length.tolist(), book.route_points.tolist(), book.twin.tolist()
    claimed: set[int] = set()
    for seat in range(t.players):
        routes = members(s.routes[seat])
        assert int(book.trains) - s.trains[seat] == sum(length[r] for r in routes)
        assert s.points[seat] == sum(points[length[r]] for r in routes)
        assert s.trains[seat] >= 0
        assert not claimed & set(routes)
        claimed |= set(routes)
    for seat in range(t.players):
        mine = set(members(s.routes[seat]))
        doubles = [r for r in mine if twin[r] in mine]
        assert doubles == []  # R5.6
        closed = claimed | {twin[r] for r in mine}
        if t.players <= 3:
            closed |= {twin[r] for r in claimed}  # R5.7
        assert set(members(s.open[seat])) == set(range(int(book.routes))) - closed


def check_tickets(t: Table) -> None:
    s, book = t.s, t.lexicon.tables
    starting = s.phase == START
    places: list[int] = []
    for seat in range(t.players):
        held = members(s.tickets[seat])
        assert len(held) == s.ticket_count[seat]
        places += held
        if not starting:
            places += s.offer[seat, : s.offered[seat]].tolist()
    if starting:
        deck = s.ticket_deck[: int(book.tickets)]
        places += [int(ticket) for ticket in deck if ticket != GONE]
        for seat in range(t.players):
            assert set(s.offer[seat, : s.offered[seat]].tolist()) <= set(deck.tolist())
    else:
        deck = s.ticket_deck[(int(s.ticket_head) + np.arange(s.ticket_left)) % TICKETS]
        assert (deck >= book.long_tickets).all()  # R1.2
        places += deck.tolist()
    assert len(set(places)) == len(places)
    if book.regular_not_kept and not book.long_tickets:
        assert len(places) == book.tickets  # nothing leaves the game


@settings(max_examples=60)
@given(tables)
def test_cards_trains_and_tickets_are_conserved(t: Table) -> None:
    before: dict[str, bytes] = {}
    for _ in t.steps():
        check_what_changed(t, before)


@pytest.mark.uncompiled
@pytest.mark.parametrize("edition", ["usa", "mega-europe"])
def test_conservation_in_one_game(edition: str) -> None:
    t = table(edition, 3, 11)
    before: dict[str, bytes] = {}
    for number in t.steps():
        if number % 10 == 0:
            check_what_changed(t, before)


def test_every_board_field_is_filled_for_the_largest_table() -> None:
    t = table("mega-europe", 5, 1)
    assert (t.s.trains[:5] == 45).all()
    assert (t.s.hand_size[:5] == 4).all()
    assert np.count_nonzero(t.s.offered) == 5
