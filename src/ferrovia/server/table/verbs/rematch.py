"""Rematch: a new table for the same people and bots."""

import msgspec

from ferrovia import __version__
from ferrovia.server.protocol import Rematch
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.entries import Created, Place, Rematched
from ferrovia.server.table.table import Actor, Table
from ferrovia.server.table.tokens import derived_table_id, new_part


class Rematcher:
    """Creates the next table. People keep their tokens and their seats: they take them by
    connecting, and nobody else gets one before they have declined.
    """

    def rematch(
        self, table: Table, actor: Actor, command: Rematch, now: float
    ) -> tuple[Rematched, str, Created]:
        """Return the entry for this table, and the id and first entry of the next one."""
        if actor.seat is None:
            raise Refusal("not_seated", "only players can ask for a rematch")
        if table.status != "over" or table.game is None or table.result is None:
            raise Refusal("not_over", "the game is not over")
        if table.rematch is not None:
            raise Refusal("stale", "there is a rematch already")
        # The same id for everybody who asks, and a secret to those who do not know the seed.
        other = derived_table_id(b"rematch", table.game.seed, table.id.encode())
        places = tuple(
            Place(seat.kind, seat.name, seat.bot, seat.token, ready=seat.kind == "bot")
            for seat in table.seats
        )
        created = Created(
            at=now,
            version=__version__,
            setup=msgspec.structs.replace(table.setup, seed=""),
            places=places,
            host=table.seats[actor.seat].token,
            part=new_part(),
        )
        entry = Rematched(at=now, by=actor.number, command=command.id, table=other)
        return entry, other, created
