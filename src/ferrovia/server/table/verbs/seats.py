"""Seats: who sits where, before the game begins."""

from ferrovia.server.protocol import Fill, JoinTable, Leave
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.catalog import Catalog
from ferrovia.server.table.entries import Filled, Seated, Unseated
from ferrovia.server.table.table import Actor, Table
from ferrovia.server.table.tokens import token_hash
from ferrovia.server.table.verbs.create import checked_name


class SeatAssigner:
    """Assigns the seats of a table that waits for its players."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def join(self, table: Table, request: JoinTable, token: str, now: float) -> Seated:
        """Return the entry for a new person at the requested seat, or at the first open one."""
        name = checked_name(request.name)
        if table.status != "waiting":
            raise Refusal("already_started", "the game has begun")
        seats = range(len(table.seats))
        if request.seat is not None and request.seat not in seats:
            raise Refusal("no_such_seat", f"there is no seat {request.seat} at this table")
        free = [seat for seat in seats if table.seats[seat].kind == "open"]
        if not free:
            raise Refusal("table_full", "every seat is taken")
        if request.seat is not None and request.seat not in free:
            raise Refusal("seat_taken", f"seat {request.seat} is taken")
        seat = free[0] if request.seat is None else request.seat
        return Seated(at=now, seat=seat, name=name, token=token_hash(token))

    def come(self, table: Table, seat: int, now: float) -> Seated | None:
        """Return the entry for a person who has come to a seat that was kept; None for others."""
        kept = table.seats[seat]
        if table.status != "waiting" or kept.ready:
            return None
        return Seated(at=now, by=seat, seat=seat, name=kept.name, token=kept.token)

    def leave(self, table: Table, actor: Actor, command: Leave, now: float) -> Unseated:
        """Return the entry for a person who leaves before the game."""
        assert actor.seat is not None
        return Unseated(at=now, by=actor.number, command=command.id, seat=actor.seat)

    def fill(self, table: Table, actor: Actor, command: Fill, now: float) -> Filled:
        """Return the entry for a bot to which the host gives a seat that nobody has taken."""
        if not actor.host:
            raise Refusal("not_host", "only the host arranges the table")
        if table.status != "waiting":
            raise Refusal("already_started", "the game has begun")
        if command.seat >= len(table.seats):
            raise Refusal("no_such_seat", f"there is no seat {command.seat} at this table")
        if table.seats[command.seat].filled:
            raise Refusal("seat_taken", f"seat {command.seat} is taken")
        bot = self._catalog.bot(command.bot)
        return Filled(at=now, by=actor.number, command=command.id, seat=command.seat, bot=bot)
