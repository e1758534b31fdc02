"""What one seat, or the public, may know of a game: all that bots and clients get."""

import struct
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache, reduce
from operator import or_
from typing import Literal, cast, overload

import msgspec

from ferrovia.boards import COLORS, Edition
from ferrovia.game.actions import Action
from ferrovia.game.chance.odds import Ways, tunnel_odds
from ferrovia.game.codec.fields import Row, StateReading, read_seat
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.game.legal import barred, legal_actions, legal_texts
from ferrovia.game.scores import bits_of, members, score_of
from ferrovia.kernel import Buffer
from ferrovia.rules import calls
from ferrovia.rules.state.layout import (
    KEEP,
    KINDS,
    LOCOMOTIVE,
    NONE,
    OVER,
    PAY,
    SECOND,
    SPECTATOR,
    START,
    STATE,
    TUNNEL,
    TURN,
)


class Phase(Enum):
    """What the next decision is about."""

    START = START
    TURN = TURN
    SECOND_CARD = SECOND
    TUNNEL = TUNNEL
    TICKETS = KEEP
    OVER = OVER


_PHASES = {**{phase.value: phase for phase in Phase}, PAY: Phase.TURN}

PhaseName = Literal["start", "turn", "second_card", "tunnel", "tickets", "over"]
_PHASE_NAMES = {phase: cast(PhaseName, phase.name.lower()) for phase in Phase}


class SeatState(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody may know of a player. `known`: cards that were taken face up and not played.
    `tickets` is null while the first ones are chosen. `closed`: routes that nobody has claimed and
    that this player can never claim, since the other half of a double is taken (R5.6, R5.7).
    """

    trains: int
    points: int
    cards: int
    known: dict[str, int]
    tickets: int | None
    stations_left: int
    stations: tuple[str, ...]
    routes: tuple[str, ...]
    closed: tuple[str, ...]


class TunnelState(msgspec.Struct, frozen=True, kw_only=True):
    """A tunnel that waits for an answer."""

    route: str
    laid: tuple[str, ...]
    revealed: dict[str, int]
    extra: int


class PublicState(msgspec.Struct, frozen=True, kw_only=True):
    """The game as everybody may know it."""

    phase: PhaseName
    turn: int | None
    awaited: tuple[int, ...]
    first: int
    turns: int
    turns_left: int | None
    display: tuple[str | None, ...]
    deck: int
    discards: dict[str, int]
    ticket_deck: int
    seats: tuple[SeatState, ...]
    tunnel: TunnelState | None


class OwnTicket(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    done: bool


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """What the seat may do now, as texts that `decide` takes. `barred` names for what may not be
    done (`claim ROUTE`, `station CITY`, `take CARD`, `draw`, `tickets`) the reason why. `second`:
    the cards that could be drawn after a first one, as the display lies now.
    """

    actions: tuple[str, ...]
    barred: dict[str, str]
    second: tuple[str, ...] = ()


class OwnState(msgspec.Struct, frozen=True, kw_only=True):
    """What only this seat may know. `moves` is null when its decision is not awaited.

    `tunnel_odds`: in how many ways a tunnel costs nothing, one, two or three more cards, by the
    colour of the cards that are laid; empty on a board without tunnels.
    """

    seat: int
    hand: dict[str, int]
    tickets: tuple[OwnTicket, ...]
    offer: tuple[str, ...]
    keep_fewest: int
    keep_most: int
    moves: Moves | None
    tunnel_odds: dict[str, Ways] = {}


def _counts(cards: Sequence[int]) -> dict[str, int]:
    return {color: count for color, count in zip(COLORS, cards, strict=True) if count}


# Most decisions change nothing at most seats, and servers ask after every one of them.
@lru_cache(maxsize=2048)
def _seat_state(lexicon: Lexicon, kept: bytes, claimed: bytes, hidden: bool) -> SeatState:
    """Return what may be known of a seat: `kept` of it in the state, and the routes that all have
    claimed. The number of its tickets may be `hidden`.
    """
    seat = read_seat(kept)
    taken = int.from_bytes(claimed, "little")
    own = len(seat.routes) * 64
    everybody = reduce(or_, (taken >> at for at in range(0, taken.bit_length(), own)), 0)
    closed = ~(everybody | bits_of(seat.open)) & lexicon.all_routes
    stations = tuple(lexicon.cities[city] for city in seat.stations if city != NONE)
    return SeatState(
        trains=seat.trains,
        points=seat.points,
        cards=seat.hand_size,
        known=_counts(seat.known),
        tickets=None if hidden else seat.ticket_count,
        stations_left=lexicon.edition.stations - len(stations),
        stations=stations,
        routes=tuple(lexicon.routes[number] for number in members(seat.routes)),
        closed=tuple(lexicon.routes[number] for number in members((closed,))),
    )


@lru_cache(maxsize=1024)
def _unseen_by_all(
    lexicon: Lexicon,
    discards: bytes,
    revealed: bytes,
    display: bytes,
    known: bytes,
    laid: tuple[int, int, int],
) -> int:
    """Return the cards that do not lie open and that nobody is known to hold, as one number (see
    `StateReading.cards_of`), from fields of a state as they are kept. `laid` for a tunnel: which
    colour, how many of it, how many locomotives.
    """
    color, colored, locomotives = laid
    left = lexicon.counts - (locomotives << 8 * LOCOMOTIVE)
    if colored:
        left -= colored << 8 * color
    for card in struct.unpack(f"={len(display)}b", display):
        if card != NONE:
            left -= 1 << 8 * card
    for begin in range(0, len(known), KINDS):
        left -= int.from_bytes(known[begin : begin + KINDS], "little")
    return left - int.from_bytes(discards, "little") - int.from_bytes(revealed, "little")


@lru_cache(maxsize=2048)
def _own_tickets(
    lexicon: Lexicon, seat: int, players: int, routes: bytes, stations: bytes, tickets: Row
) -> tuple[OwnTicket, ...]:
    """Return the tickets of a seat and which of them are done, from what lies on the board: fields
    of a state, as they are kept.
    """
    state = STATE.new()
    board = STATE.of(state)
    board.players, board.tickets[seat] = players, tickets
    for name, kept in (("routes", routes), ("stations", stations)):
        field = STATE.fields[name]
        state[field.begin : field.begin + field.size] = kept
    completed = members(score_of(lexicon, state).completed[seat])
    return tuple(
        OwnTicket(id=lexicon.tickets[number], done=number in completed)
        for number in members(tickets)
    )


class PublicView:
    """A game as everybody may know it. Reads like the table in front of you."""

    def __init__(self, lexicon: Lexicon, buffer: Buffer) -> None:
        self.lexicon = lexicon
        self.buffer = buffer
        self._s = StateReading(buffer)

    @property
    def seat(self) -> int | None:
        """The seat whose view it is; None for the public."""
        return None

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return self.lexicon.edition

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
    def tunnel(self) -> TunnelState | None:
        """The tunnel that waits for an answer, if there is one."""
        if self._s.phase != TUNNEL:
            return None
        laid, locomotives = self._s.laid, self._s.laid_locomotives
        return TunnelState(
            route=self.lexicon.routes[self._s.pending],
            laid=(COLORS[self._s.laid_color],) * laid + (COLORS[-1],) * locomotives,
            revealed=_counts(self._s.revealed),
            extra=self._s.extra,
        )

    @property
    def unseen(self) -> dict[str, int]:
        """The cards that this viewer has not seen: those of the deck and of others' hands."""
        return _counts(self._unseen().to_bytes(KINDS, "little"))

    def _unseen(self) -> int:
        """Return the cards that this viewer has not seen, as one number."""
        s = self._s
        return _unseen_by_all(
            self.lexicon,
            s.bytes_of("discards"),
            s.bytes_of("revealed"),
            s.bytes_of("display"),
            s.bytes_of("known"),
            (s.laid_color, s.laid, s.laid_locomotives),
        )

    def of(self, seat: int) -> SeatState:
        """Return what may be known of a seat."""
        s = self._s
        hidden = s.phase == START and seat != self.seat
        return _seat_state(self.lexicon, s.of_seat(seat), s.bytes_of("routes"), hidden)

    @property
    def owners(self) -> dict[str, int]:
        """The claimed routes and the seats that own them."""
        return {route: seat for seat in range(self.players) for route in self.of(seat).routes}


class View(PublicView):
    """A game as the player at `seat` may know it."""

    def __init__(self, lexicon: Lexicon, buffer: Buffer, seat: int) -> None:
        super().__init__(lexicon, buffer)
        self._seat = seat

    @property
    def seat(self) -> int:
        """The seat whose view it is."""
        return self._seat

    @property
    def hand(self) -> dict[str, int]:
        """The cards in the hand of this seat."""
        return _counts(self._s.hand[self.seat])

    @property
    def open_routes(self) -> tuple[str, ...]:
        """The routes that this seat may still claim, whatever it holds (R5.5 to R5.7)."""
        return tuple(self.lexicon.routes[number] for number in members(self._s.open[self.seat]))

    @property
    def tickets(self) -> tuple[str, ...]:
        """The tickets of this seat."""
        return tuple(self.lexicon.tickets[number] for number in members(self._s.tickets[self.seat]))

    def own_tickets(self) -> tuple[OwnTicket, ...]:
        """Return the tickets of this seat and which of them are done."""
        s = self._s
        if not any(s.tickets[self.seat]):
            return ()
        board = s.bytes_of("routes"), s.bytes_of("stations")
        return _own_tickets(self.lexicon, self.seat, s.players, *board, s.tickets[self.seat])

    @property
    def offer(self) -> tuple[str, ...]:
        """The tickets to choose from, in the order of their numbers from 1 on."""
        offered = self._s.offer[self.seat][: self._s.offered[self.seat]]
        return tuple(self.lexicon.tickets[number] for number in offered)

    @property
    def keep_bounds(self) -> tuple[int, int]:
        """The fewest and the most tickets that may be kept of the offer."""
        if not self._s.offered[self.seat]:
            return (0, 0)
        fewest, most = calls.keep_bounds(self.lexicon.book, self.buffer, self.seat)
        return int(fewest), int(most)

    def tunnel_odds(self) -> dict[str, Ways]:
        """Return what a tunnel may cost (see `ferrovia.game.chance.odds`); empty without any."""
        if not self.lexicon.tunnels:
            return {}
        unseen = self._unseen().to_bytes(KINDS, "little")
        return tunnel_odds(unseen, self._s.deck_size, self._s.bytes_of("discards"))

    def _unseen(self) -> int:
        s = self._s
        return super()._unseen() + s.cards_of("known", self.seat) - s.cards_of("hand", self.seat)

    def legal_actions(self) -> list[Action]:
        """Return all that this seat may do now, every payment on its own.

        Tickets are given back in the order drawn here; other orders are legal as well.
        """
        return legal_actions(self.lexicon, self.buffer, self.seat)

    def legal_texts(self) -> list[str]:
        """Return the texts of the legal actions, in the same order, without making the actions."""
        return legal_texts(self.lexicon, self.buffer, self.seat)

    def second_draws(self) -> list[str]:
        """Return the cards that could be drawn after a first one, as the display lies (R4.4)."""
        later = bytearray(self.buffer)
        STATE.of(later).phase = SECOND
        return legal_texts(self.lexicon, later, self.seat)

    def barred(self) -> dict[str, str]:
        """Return the reasons for what this seat may not do now (`ferrovia.game.legal.barred`)."""
        return barred(self.lexicon, self.buffer, self.seat)


@overload
def view_of(lexicon: Lexicon, state: Buffer, seat: int) -> View: ...
@overload
def view_of(lexicon: Lexicon, state: Buffer, seat: int | None) -> PublicView: ...
def view_of(lexicon: Lexicon, state: Buffer, seat: int | None) -> PublicView:
    """Return the view of a seat, or of the public, on a state."""
    out = STATE.new()
    calls.view(state, SPECTATOR if seat is None else seat, out)
    return PublicView(lexicon, out) if seat is None else View(lexicon, out, seat)


def public_state(view: PublicView, seats: tuple[SeatState, ...] | None = None) -> PublicState:
    """Return what everybody may know, from the view of the public or of any seat.

    `seats` are those of `View.of`, where somebody has them already.
    """
    return PublicState(
        phase=_PHASE_NAMES[view.phase],
        turn=view.turn,
        awaited=view.awaited,
        first=view.first,
        turns=view.turns,
        turns_left=view.turns_left,
        display=view.display,
        deck=view.deck_size,
        discards=view.discards,
        ticket_deck=view.ticket_deck_size,
        seats=tuple(map(view.of, range(view.players))) if seats is None else seats,
        tunnel=view.tunnel,
    )


def own_state(view: View) -> OwnState:
    """Return what only the seat of this view may know."""
    fewest, most = view.keep_bounds
    moves = None
    if view.seat in view.awaited:
        second = view.second_draws() if view.phase is Phase.TURN else ()
        moves = Moves(actions=tuple(view.legal_texts()), barred=view.barred(), second=tuple(second))
    return OwnState(
        seat=view.seat,
        hand=view.hand,
        tickets=view.own_tickets(),
        offer=view.offer,
        keep_fewest=fewest,
        keep_most=most,
        moves=moves,
        tunnel_odds=view.tunnel_odds(),
    )
