"""What one seat, or the public, may know of a game: all that bots and clients are given."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from ferrovia.boards import COLORS, Edition
from ferrovia.game import action_codes
from ferrovia.game.actions import Action, PayTunnel
from ferrovia.game.lexicon import Buffer, Lexicon
from ferrovia.game.scores import members
from ferrovia.rules import calls
from ferrovia.rules.actions import ONLY_LOCOMOTIVES, ROUTE
from ferrovia.rules.layout import (
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
from ferrovia.rules.tickets import keep_bounds

_OUT = 1 << 10  # more than any menu holds


class Phase(Enum):
    """What the next decision is about."""

    START = START
    TURN = TURN
    SECOND_CARD = SECOND
    TUNNEL = TUNNEL
    TICKETS = KEEP
    OVER = OVER


@dataclass(frozen=True, slots=True)
class SeatView:
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


@dataclass(frozen=True, slots=True)
class TunnelView:
    """A tunnel that waits for an answer."""

    route: str
    laid: tuple[str, ...]
    revealed: dict[str, int]
    extra: int


def _counts(cards: npt.NDArray[np.int8]) -> dict[str, int]:
    return {COLORS[card]: int(count) for card, count in enumerate(cards) if count}


class View:
    """A game as `seat` may know it (None: the public). Reads like the table in front of you."""

    def __init__(self, words: Lexicon, buffer: Buffer, seat: int | None) -> None:
        self.words = words
        self.buffer = buffer
        self.seat = seat
        self._s = buffer.view(STATE)[0]

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return self.words.edition

    @property
    def phase(self) -> Phase:
        """What the next decision is about."""
        phase = int(self._s.phase)
        return Phase.TURN if phase == PAY else Phase(phase)

    @property
    def players(self) -> int:
        """The number of seats."""
        return int(self._s.players)

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is; None during the start and after the end."""
        return None if self.phase in (Phase.START, Phase.OVER) else int(self._s.seat)

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose decision is awaited."""
        if self.phase is Phase.START:
            return tuple(seat for seat in range(self.players) if self._s.offered[seat] > 0)
        return () if self.turn is None else (self.turn,)

    @property
    def first(self) -> int:
        """The seat that began."""
        return int(self._s.first)

    @property
    def turns(self) -> int:
        """Turns begun so far."""
        return int(self._s.turns)

    @property
    def turns_left(self) -> int | None:
        """In the last round: turns until the end (R10.2)."""
        return None if self._s.turns_left == NONE else int(self._s.turns_left)

    @property
    def display(self) -> tuple[str | None, ...]:
        """The five face-up cards; None is an empty place (R4.10)."""
        return tuple(None if card == NONE else COLORS[card] for card in self._s.display)

    @property
    def deck_size(self) -> int:
        """Cards in the deck."""
        return int(self._s.deck_size)

    @property
    def discards(self) -> dict[str, int]:
        """The discards, which lie face up (R4.11)."""
        return _counts(self._s.discards)

    @property
    def ticket_deck_size(self) -> int:
        """Tickets in the deck."""
        return int(self._s.ticket_left)

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
        offered = self._s.offer[self.seat, : self._s.offered[self.seat]]
        return tuple(self.words.tickets[number] for number in offered)

    @property
    def keep_bounds(self) -> tuple[int, int]:
        """The fewest and the most tickets that may be kept of the offer."""
        if not self.offer:
            return (0, 0)
        fewest, most = keep_bounds(self.words.tables, self._s, self.seat)  # type: ignore[arg-type]
        return int(fewest), int(most)

    @property
    def tunnel(self) -> TunnelView | None:
        """The tunnel that waits for an answer, if there is one."""
        if self._s.phase != TUNNEL:
            return None
        laid, locomotives = int(self._s.laid), int(self._s.laid_locomotives)
        return TunnelView(
            route=self.words.routes[self._s.pending],
            laid=(COLORS[self._s.laid_color],) * laid + (COLORS[-1],) * locomotives,
            revealed=_counts(self._s.revealed),
            extra=int(self._s.extra),
        )

    def of(self, seat: int) -> SeatView:
        """What may be known of a seat."""
        s = self._s
        stations = tuple(self.words.cities[city] for city in s.stations[seat] if city != NONE)
        hidden = self.phase is Phase.START and seat != self.seat
        return SeatView(
            seat=seat,
            trains=int(s.trains[seat]),
            points=int(s.points[seat]),
            cards=int(s.hand_size[seat]),
            known=_counts(s.known[seat]),
            tickets=None if hidden else int(s.ticket_count[seat]),
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


def legal_actions(words: Lexicon, state: Buffer, seat: int) -> list[Action]:
    """The legal actions of a seat in a state or in its own view."""
    codes, ways = np.empty(_OUT, np.int16), np.empty(_OUT, np.int16)
    s = state.view(STATE)[0]
    listed: list[Action] = []
    station_price = action_codes.price(words, s, seat, ROUTES)
    for code in codes[: calls.legal(words.book, state, seat, codes)].tolist():
        target = action_codes.target(words, code)
        if target is not None:
            needed = station_price if target >= ROUTES else words.lengths[target]
            for way in ways[: calls.payments(words.book, state, seat, target, ways)].tolist():
                cards = action_codes.cards_of_payment(way, needed)
                listed.append(action_codes.paid_action(words, target, cards))
        elif ONLY_LOCOMOTIVES <= code < ROUTE:
            listed.append(PayTunnel(action_codes.cards_of_payment(code, int(s.extra))))
        else:
            listed.append(action_codes.plain_action(words, code))
    return listed


def view_of(words: Lexicon, state: Buffer, seat: int | None) -> View:
    """The view of a seat, or of the public, on a state."""
    out = np.empty(STATE.itemsize, np.uint8)
    calls.view(state, SPECTATOR if seat is None else seat, out)
    return View(words, out, seat)
