"""How things stand at a table and in its game."""

from typing import Literal

import msgspec

from ferrovia.game.scores import Result
from ferrovia.server.entries import Clock


class SeatInfo(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits there. `away`: a bot stands in for the person. Not `ready`: the seat is kept for
    somebody who has not come yet.
    """

    kind: Literal["open", "person", "bot"]
    name: str
    bot: str
    away: bool
    ready: bool


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A table, as everybody may know it. `deadline` is in seconds since 1970."""

    id: str
    status: Literal["waiting", "running", "over"]
    edition: str
    extras: tuple[str, ...]
    seats: tuple[SeatInfo, ...]
    host: int | None
    first: int | None
    clock: Clock
    listed: bool
    stand_in: str | None
    spectators: bool
    paused: bool
    paused_left: float | None
    deadline: float | None
    commitment: str | None
    rematch: str | None


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

    phase: Literal["start", "turn", "second_card", "tunnel", "tickets", "over"]
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


class FinalState(msgspec.Struct, frozen=True, kw_only=True):
    """After the end everybody may know everything. The SHA-256 of `seed` is the commitment."""

    result: Result
    hands: tuple[dict[str, int], ...]
    tickets: tuple[tuple[str, ...], ...]
    longest: tuple[tuple[str, ...], ...]
    seed: str
