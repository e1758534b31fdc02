"""What one seat, or the public, may know of a game: all that bots and clients are given."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

import msgspec
import numpy as np

from ferrovia.boards import COLORS, Edition
from ferrovia.game.actions import Action, PayTunnel
from ferrovia.game.codec import actions as codec
from ferrovia.game.codec.actions import paid_action, text_of_target
from ferrovia.game.codec.fields import StateReading
from ferrovia.game.codec.lexicon import Buffer, Lexicon
from ferrovia.game.scores import members
from ferrovia.rules import calls
from ferrovia.rules.chapters.actions import ONLY_LOCOMOTIVES, ROUTE
from ferrovia.rules.state.layout import (
    KEEP,
    NONE,
    OVER,
    PAY,
    ROUTES,
    SECOND,
    SPECTATOR,
    START,
    STATE,
    TUNNEL,
    TURN,
)

_OUT = 1 << 10  # more than any menu holds
_EXTRA: int = STATE.fields["extra"][1]  # type: ignore[index]


class Phase(Enum):
    """What the next decision is about."""

    START = START
    TURN = TURN
    SECOND_CARD = SECOND
    TUNNEL = TUNNEL
    TICKETS = KEEP
    OVER = OVER


_PHASES = {**{phase.value: phase for phase in Phase}, PAY: Phase.TURN}


class SeatView(msgspec.Struct, frozen=True):
    """What everybody may know of a seat.

    `known` are cards that it must hold because everybody saw them go into its hand; `tickets` is
    their number, None while the first ones are chosen.
    """

    seat: int
    trains: int
    points: int
    cards: int
    known: dict[str, int]
    tickets: int | None
    stations_left: int
    stations: tuple[str, ...]
    routes: tuple[str, ...]


class TunnelView(msgspec.Struct, frozen=True):
    """A tunnel that waits for an answer."""

    route: str
    laid: tuple[str, ...]
    revealed: dict[str, int]
    extra: int


def _counts(cards: Sequence[int]) -> dict[str, int]:
    return {color: count for color, count in zip(COLORS, cards, strict=True) if count}


class View:
    """A game as `seat` may know it (None: the public). Reads like the table in front of you."""

    def __init__(self, words: Lexicon, buffer: Buffer, seat: int | None) -> None:
        self.words = words
        self.buffer = buffer
        self.seat = seat
        self._s = StateReading(buffer)

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return self.words.edition

    @property
    def phase(self) -> Phase:
        """What the next decision is about."""
        return _PHASES[self._s.phase]

    @property
    def players(self) -> int:
        """The number of seats."""
        return self._s.players

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is; None during the start and after the end."""
        return None if self.phase in (Phase.START, Phase.OVER) else self._s.seat

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose decision is awaited."""
        if self.phase is Phase.START:
            return tuple(seat for seat in range(self.players) if self._s.offered[seat] > 0)
        return () if self.turn is None else (self.turn,)

    @property
    def first(self) -> int:
        """The seat that began."""
        return self._s.first

    @property
    def turns(self) -> int:
        """Turns begun so far."""
        return self._s.turns

    @property
    def turns_left(self) -> int | None:
        """In the last round: turns until the end (R10.2)."""
        return None if self._s.turns_left == NONE else self._s.turns_left

    @property
    def display(self) -> tuple[str | None, ...]:
        """The five face-up cards; None is an empty place (R4.10)."""
        return tuple(None if card == NONE else COLORS[card] for card in self._s.display)

    @property
    def deck_size(self) -> int:
        """Cards in the deck."""
        return self._s.deck_size

    @property
    def discards(self) -> dict[str, int]:
        """The discards, which lie face up (R4.11)."""
        return _counts(self._s.discards)

    @property
    def ticket_deck_size(self) -> int:
        """Tickets in the deck."""
        return self._s.ticket_left

    @property
    def hand(self) -> dict[str, int]:
        """The cards in one's own hand; empty for the public."""
        return {} if self.seat is None else _counts(self._s.hand[self.seat])

    @property
    def open_routes(self) -> tuple[str, ...]:
        """The routes that this seat may still claim, whatever it holds (R5.5 to R5.7)."""
        if self.seat is None:
            return ()
        return tuple(self.words.routes[number] for number in members(self._s.open[self.seat]))

    @property
    def tickets(self) -> tuple[str, ...]:
        """One's own tickets."""
        if self.seat is None:
            return ()
        return tuple(self.words.tickets[number] for number in members(self._s.tickets[self.seat]))

    @property
    def offer(self) -> tuple[str, ...]:
        """The tickets to choose from, in the order of their numbers from 1 on."""
        if self.seat is None:
            return ()
        offered = self._s.offer[self.seat][: self._s.offered[self.seat]]
        return tuple(self.words.tickets[number] for number in offered)

    @property
    def keep_bounds(self) -> tuple[int, int]:
        """The fewest and the most tickets that may be kept of the offer."""
        if self.seat is None or not self._s.offered[self.seat]:
            return (0, 0)
        fewest, most = calls.keep_bounds(self.words.book, self.buffer, self.seat)
        return int(fewest), int(most)

    @property
    def tunnel(self) -> TunnelView | None:
        """The tunnel that waits for an answer, if there is one."""
        if self._s.phase != TUNNEL:
            return None
        laid, locomotives = self._s.laid, self._s.laid_locomotives
        return TunnelView(
            route=self.words.routes[self._s.pending],
            laid=(COLORS[self._s.laid_color],) * laid + (COLORS[-1],) * locomotives,
            revealed=_counts(self._s.revealed),
            extra=self._s.extra,
        )

    def of(self, seat: int) -> SeatView:
        """What may be known of a seat."""
        s = self._s
        stations = tuple(self.words.cities[city] for city in s.stations[seat] if city != NONE)
        hidden = self.phase is Phase.START and seat != self.seat
        return SeatView(
            seat=seat,
            trains=s.trains[seat],
            points=s.points[seat],
            cards=s.hand_size[seat],
            known=_counts(s.known[seat]),
            tickets=None if hidden else s.ticket_count[seat],
            stations_left=self.edition.stations - len(stations),
            stations=stations,
            routes=tuple(self.words.routes[number] for number in members(s.routes[seat])),
        )

    @property
    def owners(self) -> dict[str, int]:
        """The claimed routes and the seats that own them."""
        return {route: seat for seat in range(self.players) for route in self.of(seat).routes}

    def legal_actions(self) -> list[Action]:
        """All that this seat may do now, every payment on its own.

        Tickets are given back in the order drawn here; other orders are legal as well.
        """
        return [] if self.seat is None else legal_actions(self.words, self.buffer, self.seat)

    def legal_texts(self) -> list[str]:
        """The texts of the legal actions, in the same order, without making the actions."""
        return [] if self.seat is None else _legal_texts(self.words, self.buffer, self.seat)


def legal_actions(words: Lexicon, state: Buffer, seat: int) -> list[Action]:
    """The legal actions of a seat in a state or in its own view."""
    menu = _menu(words, state, seat)
    listed = [_plain(words, code, menu.extra) for code in menu.plain]
    for targets, price in menu.paid:
        payments = [codec.cards_of_payment(way, price.cards) for way in price.ways]
        listed += [paid_action(words, target, cards) for target in targets for cards in payments]
    return listed


def _legal_texts(words: Lexicon, state: Buffer, seat: int) -> list[str]:
    menu = _menu(words, state, seat)
    listed = [str(_plain(words, code, menu.extra)) for code in menu.plain]
    for targets, price in menu.paid:
        payments = codec.texts_of_payments(price.ways, price.cards)
        names = [text_of_target(words, target) for target in targets]
        listed += [name + paid for name in names for paid in payments]
    return listed


def _plain(words: Lexicon, code: int, extra: int) -> Action:
    if ONLY_LOCOMOTIVES <= code < ROUTE:
        return PayTunnel(codec.cards_of_payment(code, extra))
    return codec.plain_action(words, code)


class _Price(NamedTuple):
    """So many cards, and all ways in which the seat can pay them."""

    cards: int
    ways: tuple[int, ...]


class _Menu(NamedTuple):
    """Legal decisions of the kernel: those that stand alone (`extra` is what a tunnel asks for),
    then routes and stations (see `codec.target`) with what they cost.
    """

    plain: list[int]
    extra: int
    paid: list[tuple[Sequence[int], _Price]]


def _menu(words: Lexicon, state: Buffer, seat: int) -> _Menu:
    out = np.empty(_OUT, np.int16)
    codes = out[: calls.legal(words.book, state, seat, out)].tolist()
    first, last = words.first_city, words.first_keep
    plain = [code for code in codes if code < ROUTE or code >= last]

    def price(target: int, cards: int) -> _Price:
        ways = out[: calls.payments(words.book, state, seat, target, out)].tolist()
        return _Price(cards, tuple(ways))

    # What costs the same can be paid in the same ways, so these are asked for once.
    prices: dict[object, _Price] = {}
    paid: list[tuple[Sequence[int], _Price]] = []
    for code in codes:
        if ROUTE <= code < first:
            route = code - ROUTE
            cost = words.prices[route]
            if cost not in prices:
                prices[cost] = price(route, words.lengths[route])
            paid.append(((route,), prices[cost]))
    cities = [ROUTES + code - first for code in codes if first <= code < last]
    if cities:
        cards = calls.price(words.book, state, seat, cities[0])
        paid.append((cities, price(cities[0], cards)))
    return _Menu(plain, int(state[_EXTRA]), paid)


def view_of(words: Lexicon, state: Buffer, seat: int | None) -> View:
    """The view of a seat, or of the public, on a state."""
    out = np.empty(STATE.itemsize, np.uint8)
    calls.view(state, SPECTATOR if seat is None else seat, out)
    return View(words, out, seat)
