"""Counting a game that lies on a table of cardboard: requests and responses."""

from typing import Annotated

import msgspec
from msgspec import Meta

from ferrovia.boards import PLAYER_COLORS
from ferrovia.boards.limits import MAX_CITIES, MAX_ROUTES, MAX_TICKETS
from ferrovia.game.count import CountedSeat
from ferrovia.server.protocol.from_client import Name, Number, Word

PlayerColor = Annotated[str, Meta(pattern=rf"^({'|'.join(PLAYER_COLORS)})$")]
Value = Annotated[str, Meta(max_length=80)]


class CountedPlayer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one player has at the end; `name` and `color` are for the picture."""

    routes: Annotated[tuple[Word, ...], Meta(max_length=MAX_ROUTES)] = ()
    stations: Annotated[tuple[Word, ...], Meta(max_length=MAX_CITIES)] = ()
    tickets: Annotated[tuple[Word, ...], Meta(max_length=MAX_TICKETS)] = ()
    name: Name = "?"
    color: PlayerColor = "blue"

    def counted(self) -> CountedSeat:
        """Return what matters for the score."""
        return CountedSeat(self.routes, self.stations, self.tickets)


class CountTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game as it lies on the table, to be scored or drawn."""

    edition: Word
    seats: Annotated[tuple[CountedPlayer, ...], Meta(min_length=1, max_length=6)]
    extras: Annotated[tuple[Word, ...], Meta(max_length=8)] = ()


class CountChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that somebody entered, such as `route:paris-zurich` is `0`; null takes it back."""

    key: Annotated[str, Meta(min_length=1, max_length=80)]
    value: Value | None


class ShareCount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Changes to a count that several people enter, and from which one on theirs are wanted."""

    since: Number
    changes: Annotated[tuple[CountChange, ...], Meta(max_length=500)] = ()


class SharedCount(msgspec.Struct, frozen=True, kw_only=True):
    """All that has changed after number `since`, in order, one's own changes included.

    Where `number` is below the `since` of the request the server has forgotten the count, as after
    a restart: then a client sends what it has.
    """

    number: int
    changes: tuple[CountChange, ...]
