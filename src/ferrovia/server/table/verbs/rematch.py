"""Rematch: a new table for the same people and bots."""

import hashlib

import msgspec

from ferrovia import __version__
from ferrovia.server.catalog import MadeBoard
from ferrovia.server.protocol.from_client import Rematch
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.context import Context
from ferrovia.server.table.entries import AnyEntry, Created, PlannedSeat, Rematched
from ferrovia.server.table.table import Table
from ferrovia.server.table.tokens import derived_table_id, new_part


def rematch(context: Context, command: Rematch) -> list[AnyEntry]:
    """Return the entry for this table; `created_again` is the first one of the next."""
    table, actor = context.table, context.actor
    if actor.seat is None:
        raise Refusal("not_seated", "only players can ask for a rematch")
    if table.status != "over" or table.game is None or table.result is None:
        raise Refusal("not_over", "the game is not over")
    if table.rematch is not None:
        raise Refusal("stale", "there is a rematch already")
    # The same id for everybody who asks, and a secret to those who do not know the seed.
    other = derived_table_id(b"rematch", table.game.seed, table.id.encode())
    return [Rematched(at=context.now, by=actor.number, command=command.id, table=other)]


def created_again(table: Table, entry: Rematched) -> Created:
    """Return the first entry of the next table. People keep their tokens and their seats: they take
    them by connecting, and nobody else gets one before they have declined.
    """
    places = tuple(
        PlannedSeat(
            seat.kind,
            seat.name,
            seat.bot,
            seat.token,
            ready=seat.kind == "bot",
            color=seat.color,
            portrait=seat.portrait,
        )
        for seat in table.seats
    )
    return Created(
        at=entry.at,
        version=__version__,
        setup=msgspec.structs.replace(
            table.setup,
            edition=_next_board(table.setup.edition, entry.table),
            seed="",
            first=None,
            begin="full",
        ),
        places=places,
        host=table.seats[entry.by].token,
        part=new_part(),
    )


def _next_board(edition: str, table: str) -> str:
    """Return the edition of the next table: of a board that was made, another one."""
    made = MadeBoard.of(edition)
    if made is None:
        return edition
    # The same for everybody who asks, as the id of the table.
    seed = int.from_bytes(hashlib.sha256(table.encode()).digest()[:4], "big") % 10**9
    return made._replace(seed=seed).word
