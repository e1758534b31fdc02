"""What a seat may do now, as sets: the one place that decides what is legal."""

from typing import Any

from ferrovia.kernel import kernel, uint64
from ferrovia.rules.chapters.actions import (
    DRAW_BLIND,
    DRAW_TICKETS,
    ONLY_LOCOMOTIVES,
    PASS_TURN,
    PAYMENT,
    ROUTE,
    TAKE,
    WITHDRAW_CARDS,
)
from ferrovia.rules.chapters.cards import cards_left
from ferrovia.rules.chapters.claims import claimable
from ferrovia.rules.chapters.payments import ways_to_pay
from ferrovia.rules.chapters.stations import buildable, price
from ferrovia.rules.chapters.tickets import keepable, orders
from ferrovia.rules.chapters.tunnels import ways_to_pay_extra
from ferrovia.rules.state.bits import EMPTY, has, next_member, nth, popcount, single
from ferrovia.rules.state.layout import (
    GRAY,
    KEEP,
    LOCOMOTIVE,
    NONE,
    OVER,
    PAY,
    PLACES,
    ROUTES,
    SECOND,
    START,
    TUNNEL,
    Book,
    State,
    Word,
)

# The words of a menu, in the order of the actions they stand for.
Menu = Any
BASIC, PAYMENTS, ROUTES_0, ROUTES_1, ROUTES_2, CITY, KEEPS = range(7)
MENU_WORDS = 7


@kernel
def may_act(s: State, seat: int) -> bool:
    """Return whether a decision of this seat is awaited."""
    if s.phase == START:
        return s.offered[seat] > 0
    return s.phase != OVER and s.seat == seat


@kernel
def _cards_to_take(s: State, first: bool) -> Word:
    """Return the card draws, blind or from the display, that are legal now.

    A face-up locomotive can only be the first card (R4.3, R4.4).
    """
    if not cards_left(s):  # R4.9
        return EMPTY
    cards = single(DRAW_BLIND)
    for place in range(PLACES):
        card = s.display[place]
        if card != NONE and (first or card != LOCOMOTIVE):
            cards |= single(TAKE + card)
    return cards


@kernel
def price_of(book: Book, s: State, seat: int, target: int) -> tuple[int, int, int]:
    """Return colour, number of cards and least locomotives of a route, or of ROUTES + a city."""
    if target >= ROUTES:
        return GRAY, price(s, seat), 0
    return int(book.color[target]), int(book.length[target]), int(book.ferry[target])


@kernel
def ways_to_pay_for(book: Book, s: State, seat: int, target: int) -> tuple[Word, Word]:
    """Return the ways to pay for a route or a station: the basic actions and the payments."""
    color, cards, at_least = price_of(book, s, seat, target)
    basic = single(ONLY_LOCOMOTIVES) if s.hand[seat, LOCOMOTIVE] >= cards else EMPTY  # R5.2
    return basic, ways_to_pay(s, seat, color, cards, at_least)


@kernel
def menu(book: Book, s: State, seat: int) -> Menu:
    """Return all legal actions of the seat, except other orders of tickets given back."""
    basic, payments, a, b, c, city, keeps = EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY
    if not may_act(s, seat):
        pass
    elif s.phase == START or s.phase == KEEP:
        keeps = keepable(book, s, seat)
    elif s.phase == SECOND:
        basic = _cards_to_take(s, False)
    elif s.phase == PAY:
        basic, payments = ways_to_pay_for(book, s, seat, s.pending)
    elif s.phase == TUNNEL:
        basic = single(WITHDRAW_CARDS)
        payments = ways_to_pay_extra(s, seat)
        if s.hand[seat, LOCOMOTIVE] >= s.extra:
            basic |= single(ONLY_LOCOMOTIVES)
    else:
        basic = _cards_to_take(s, True)
        if s.ticket_left > 0:  # R8.1
            basic |= single(DRAW_TICKETS)
        a, b, c = claimable(book, s, seat)
        city = buildable(book, s, seat)
        if basic | a | b | c | city == EMPTY:  # R3.2
            basic = single(PASS_TURN)
    return basic, payments, a, b, c, city, keeps


@kernel
def base_of(book: Book, word: int) -> int:
    """Return the action that bit 0 of a word of the menu stands for."""
    if word == BASIC:
        return 0
    if word == PAYMENTS:
        return PAYMENT
    if word == CITY:
        return int(book.first_city)
    if word == KEEPS:
        return int(book.first_keep)
    return ROUTE + 64 * (word - ROUTES_0)


@kernel
def size(menu: Menu) -> int:
    count = 0
    for word in range(MENU_WORDS):
        count += popcount(menu[word])
    return count


@kernel
def action_at(book: Book, menu: Menu, index: int) -> int:
    """Return the action at a place of the menu, which is in ascending order."""
    for word in range(MENU_WORDS):
        count = popcount(menu[word])
        if index < count:
            return base_of(book, word) + nth(menu[word], index)
        index -= count
    return NONE


@kernel
def list_menu(book: Book, menu: Menu, out: Any) -> int:
    """Write all actions of a menu to `out` in ascending order, and return their number."""
    count = 0
    for word in range(MENU_WORDS):
        base = base_of(book, word)
        left = menu[word]
        while left != EMPTY:
            out[count], left = next_member(left, base)
            count += 1
    return count


@kernel
def allows(book: Book, s: State, menu: Menu, action: int) -> bool:
    """Return whether an action is on the menu, or is a keep that is, with another order."""
    if action < 0:
        return False
    if action >= book.actions:  # R8.2
        subset = (action - book.actions) & ((1 << book.max_offer) - 1)
        order = (action - book.actions) // (1 << book.max_offer) + 1
        if s.phase != KEEP or not has(menu[KEEPS], subset):
            return False
        return order < orders(s.offered[s.seat] - popcount(uint64(subset)))
    if action >= book.first_keep:
        return has(menu[KEEPS], action - book.first_keep)
    if action >= book.first_city:
        return has(menu[CITY], action - book.first_city)
    if action >= ROUTE:
        route = action - ROUTE
        return has(menu[ROUTES_0 + (route >> 6)], route & 63)
    if action >= PAYMENT:
        return has(menu[PAYMENTS], action - PAYMENT)
    return has(menu[BASIC], action)
