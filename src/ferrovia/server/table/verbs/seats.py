"""Seating: who sits where before the game begins."""

from ferrovia.server.protocol import Fill, JoinTable, Leave
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.catalog import Catalog
from ferrovia.server.table.entries import Filled, Seated, Unseated
from ferrovia.server.table.table import Actor, Table
from ferrovia.server.table.tokens import token_hash
from ferrovia.server.table.verbs.create import checked_name


class Seater:
    """Gives the open seats of a table away, and takes them back."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def join(self, table: Table, wish: JoinTable, token: str, now: float) -> Seated:
        """Somebody new takes the seat that they wish for, or the first open one."""
        name = checked_name(wish.name)
        if table.status != "waiting":
            raise Refusal("already_started", "the game has begun without an open seat")
        seats = range(len(table.seats))
        if wish.seat is not None and wish.seat not in seats:
            raise Refusal("no_such_seat", f"there is no seat {wish.seat} at this table")
        free = [seat for seat in seats if table.seats[seat].kind == "open"]
        if not free:
            raise Refusal("table_full", "every seat is taken")
        if wish.seat is not None and wish.seat not in free:
            raise Refusal("seat_taken", f"seat {wish.seat} is taken")
        seat = free[0] if wish.seat is None else wish.seat
        return Seated(at=now, seat=seat, name=name, token=token_hash(token))

    def come(self, table: Table, seat: int, now: float) -> Seated | None:
        """Somebody for whom a seat was kept has come; None when there is nothing to note."""
        kept = table.seats[seat]
        if table.status != "waiting" or kept.ready:
            return None
        return Seated(at=now, by=seat, seat=seat, name=kept.name, token=kept.token)

    def leave(self, table: Table, actor: Actor, command: Leave, now: float) -> Unseated:
        """A person stands up before the game."""
        assert actor.seat is not None
        return Unseated(at=now, by=actor.number, command=command.id, seat=actor.seat)

    def fill(self, table: Table, actor: Actor, command: Fill, now: float) -> Filled:
        """The host gives a seat that nobody has taken to a bot."""
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
