"""The state of a table, and of its game after the end."""

from typing import Literal

import msgspec

from ferrovia.game.scores import Result
from ferrovia.server.table.entries import Clock


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


class FinalState(msgspec.Struct, frozen=True, kw_only=True):
    """After the end everybody may know everything. The SHA-256 of `seed` is the commitment."""

    result: Result
    hands: tuple[dict[str, int], ...]
    tickets: tuple[tuple[str, ...], ...]
    longest: tuple[tuple[str, ...], ...]
    seed: str
