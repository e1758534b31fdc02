"""A view as plain data: what a client, or a program that plays, is given of a game."""

from typing import Any, Literal

import msgspec

from ferrovia.boards import Edition
from ferrovia.game.barred import barred
from ferrovia.game.scores import members, score_of
from ferrovia.game.views import TunnelView, View

PhaseName = Literal["start", "turn", "second_card", "tunnel", "tickets", "over"]


class SeatState(msgspec.Struct, frozen=True, kw_only=True):
    """What everybody may know of a player. `known`: cards that were taken face up and not played.
    `tickets` is null while the first ones are chosen.
    """

    trains: int
    points: int
    cards: int
    known: dict[str, int]
    tickets: int | None
    stations_left: int
    stations: tuple[str, ...]
    routes: tuple[str, ...]


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
    done (`claim ROUTE`, `station CITY`, `take CARD`, `draw`, `tickets`) the reason why.
    """

    actions: tuple[str, ...]
    barred: dict[str, str]


class OwnState(msgspec.Struct, frozen=True, kw_only=True):
    """What only this seat may know. `moves` is null when its decision is not awaited."""

    seat: int
    hand: dict[str, int]
    tickets: tuple[OwnTicket, ...]
    offer: tuple[str, ...]
    keep_fewest: int
    keep_most: int
    moves: Moves | None


def edition_document(edition: Edition) -> dict[str, Any]:
    """An edition whole: its board, its numbers, and `in_play` the tickets that are in play."""
    tickets = [
        {"id": it.id, "a": it.a, "b": it.b, "points": it.points, "long": it.long}
        for it in edition.tickets
    ]
    return {**edition.document(), "in_play": tickets}


_PHASES: dict[str, PhaseName] = {
    name.upper(): name
    for name in PhaseName.__args__  # type: ignore[attr-defined]
}


def public_state(view: View) -> PublicState:
    """What everybody may know, from the view of the public or of any seat."""
    tunnel = view.tunnel
    return PublicState(
        phase=_PHASES[view.phase.name],
        turn=view.turn,
        awaited=view.awaited,
        first=view.first,
        turns=view.turns,
        turns_left=view.turns_left,
        display=view.display,
        deck=view.deck_size,
        discards=view.discards,
        ticket_deck=view.ticket_deck_size,
        seats=tuple(_seat_state(view, seat) for seat in range(view.players)),
        tunnel=None if tunnel is None else _tunnel_state(tunnel),
    )


def _tunnel_state(tunnel: TunnelView) -> TunnelState:
    return TunnelState(
        route=tunnel.route, laid=tunnel.laid, revealed=tunnel.revealed, extra=tunnel.extra
    )


def _seat_state(view: View, seat: int) -> SeatState:
    known = view.of(seat)
    return SeatState(
        trains=known.trains,
        points=known.points,
        cards=known.cards,
        known=known.known,
        tickets=known.tickets,
        stations_left=known.stations_left,
        stations=known.stations,
        routes=known.routes,
    )


def own_state(view: View) -> OwnState:
    """What only the seat of this view may know."""
    assert view.seat is not None
    fewest, most = view.keep_bounds
    return OwnState(
        seat=view.seat,
        hand=view.hand,
        tickets=_own_tickets(view),
        offer=view.offer,
        keep_fewest=fewest,
        keep_most=most,
        moves=_moves(view) if view.seat in view.awaited else None,
    )


def _own_tickets(view: View) -> tuple[OwnTicket, ...]:
    held = view.tickets
    if view.seat is None or not held:
        return ()
    completed = members(score_of(view.words, view.buffer).completed[view.seat])
    done = {view.words.tickets[number] for number in completed}
    return tuple(OwnTicket(id=ticket, done=ticket in done) for ticket in held)


def _moves(view: View) -> Moves:
    return Moves(actions=tuple(view.legal_texts()), barred=barred(view))
