"""Fork: the game of a new practice table that begins from a moment of another game."""

import msgspec

from ferrovia.game.records.record import Header
from ferrovia.server.protocol import from_client
from ferrovia.server.table.entries import Events, Fork, Started


class Beginning(msgspec.Struct, frozen=True):
    """How the table is created, and how its game begins."""

    request: from_client.CreateTable
    header: Header
    events: Events
    fork: Fork

    def started(self, name: str, now: float) -> Started:
        """Return the entry for the start of the game; `name` is that of the person."""
        seats = self.request.seats
        players = tuple(
            f"bot:{seat.bot}" if isinstance(seat, from_client.BotSeat) else name for seat in seats
        )
        header = msgspec.structs.replace(
            self.header, players=players, practice=True, portraits=msgspec.UNSET
        )
        return Started(at=now, header=header, events=self.events, fork=self.fork)
