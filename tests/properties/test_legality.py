"""Every legal action can be carried out; every other one is refused and changes nothing."""

import pytest
from hypothesis import given, settings

from ferrovia.game.errors import REASONS
from ferrovia.rules import calls
from ferrovia.rules.chapters.breaches import FINE
from ferrovia.rules.state.layout import KEEP

from .kernel_games import NO_ROWS, NO_TAPE, Table, table, tables


def check_all_actions(t: Table) -> None:
    book = t.lexicon.tables
    orders = 720 * (1 << int(book.max_offer))
    before = t.state.copy()
    for seat in range(t.players):
        legal = t.legal(seat)
        assert legal == sorted(set(legal))
        assert bool(legal) == (seat in t.awaited())
        for action in (*range(-3, int(book.actions)), int(book.actions) + orders, 30_000):
            breach = int(calls.explain(t.lexicon.book, t.state, seat, action))
            assert (breach == FINE) == (action in legal)
            if breach != FINE:
                assert breach in REASONS
                refused = calls.apply(t.lexicon.book, t.state, seat, action, NO_ROWS, NO_TAPE)
                assert refused == breach
        assert t.state == before
        for action in legal:
            assert calls.apply(t.lexicon.book, t.state, seat, action, NO_ROWS, NO_TAPE) == FINE
            assert t.state != before
            t.state[:] = before


@settings(max_examples=25)
@given(tables)
def test_legal_actions_apply_and_all_others_are_refused(t: Table) -> None:
    for number in t.steps():
        if number % 23 == 0 or not t.awaited():
            check_all_actions(t)


def check_orders(t: Table) -> None:
    """R8.2: the tickets given back can go under the deck in every order, each once."""
    book, seat = t.lexicon.tables, int(t.s.seat)
    offered = int(t.s.offered[seat])
    before = t.state.copy()
    decks = set()
    subset = 1  # keep the first
    wanted = 1
    for n in range(2, offered):
        wanted *= n
    codes = [int(book.first_keep) + subset]
    codes += [
        int(book.actions) + order * (1 << int(book.max_offer)) + subset for order in range(150)
    ]
    for code in codes:
        if calls.apply(t.lexicon.book, t.state, seat, code, NO_ROWS, NO_TAPE) == FINE:
            head, left = int(t.s.ticket_head), int(t.s.ticket_left)
            bottom = tuple(
                int(t.s.ticket_deck[(head + left - 1 - i) % 192]) for i in range(offered - 1)
            )
            decks.add(bottom)
        t.state[:] = before
    assert len(decks) == wanted


@settings(max_examples=15)
@given(tables)
def test_r8_2_tickets_go_back_in_any_order(t: Table) -> None:
    for _ in t.steps():
        if t.s.phase == KEEP:
            check_orders(t)


@pytest.mark.uncompiled
def test_legality_in_one_position_of_each_phase() -> None:
    t = table("europe", 2, 5)
    seen: set[int] = set()
    for _ in t.steps():
        if int(t.s.phase) not in seen:
            seen.add(int(t.s.phase))
            check_all_actions(t)
    assert len(seen) >= 5
