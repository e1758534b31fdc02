"""An edition whole: its board file, and the tickets that are in play."""

from typing import Literal

import msgspec


class CityFact(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    lat: float
    lon: float


class RouteFact(msgspec.Struct, frozen=True, kw_only=True):
    """`ferry` counts its locomotives."""

    id: str
    a: str
    b: str
    length: int
    color: str
    ferry: int
    tunnel: bool


class TicketFact(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    a: str
    b: str
    points: int
    set: str
    long: bool
    big_city: bool


class TicketInPlay(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    a: str
    b: str
    points: int
    long: bool


class DealFact(msgspec.Struct, frozen=True, kw_only=True):
    """Tickets that everybody is offered at the start, and how many of them are kept."""

    long: int
    regular: int
    keep_min: int
    keep_max: int
    keep_min_without_long: int


class EditionNumbers(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of an edition; `seats` are the fewest and the most."""

    id: str
    name: str
    sets: tuple[str, ...]
    marked_only: bool
    seats: tuple[int, ...]
    trains: int
    stations: int
    deals: tuple[DealFact, ...]
    long_not_kept: Literal["out", "bottom"]
    regular_not_kept: Literal["out", "bottom"]
    ticket_draw: int
    ticket_keep: int
    longest_bonus: int
    station_bonus: int
    tie_break: tuple[str, ...]
    player_colors: tuple[str, ...]
    route_points: dict[str, int]
    cards: dict[str, int]


class EditionDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The board file of an edition, and `in_play` the tickets of its deck, packs included."""

    board: str
    cities: tuple[CityFact, ...]
    routes: tuple[RouteFact, ...]
    tickets: tuple[TicketFact, ...]
    edition: EditionNumbers
    in_play: tuple[TicketInPlay, ...]
