"""Seats: who sits where, before the game begins."""

from ferrovia.server.lobby.catalog import Catalog
from ferrovia.server.protocol import Fill, JoinTable, Leave
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.entries import Committed, Filled, Seated, Unseated
from ferrovia.server.table.names import checked_name, name_among
from ferrovia.server.table.table import Actor, Table
from ferrovia.server.table.tokens import token_hash

_MOST_COMMITMENTS = 10  # of a seat; more are not needed, and each is an entry of the log


class SeatAssigner:
    """Assigns the seats of a table that waits for its players."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def join(self, table: Table, request: JoinTable, token: str, now: float) -> Seated:
        """Return the entry for a new person at the requested seat, or at the first open one."""
        name = checked_name(request.name)
        if table.status != "waiting":
            raise Refusal("already_started", "the game has begun")
        if table.locked:
            raise Refusal("locked", "the door of this table is locked")
        seats = range(len(table.seats))
        if request.seat is not None and request.seat not in seats:
            raise Refusal("no_such_seat", f"there is no seat {request.seat} at this table")
        free = [seat for seat in seats if table.seats[seat].kind == "open"]
        if not free:
            raise Refusal("table_full", "every seat is taken")
        if request.seat is not None and request.seat not in free:
            raise Refusal("seat_taken", f"seat {request.seat} is taken")
        seat = free[0] if request.seat is None else request.seat
        others = [sitting.name for sitting in table.seats if sitting.kind == "person"]
        return Seated(
            at=now,
            seat=seat,
            name=name_among(name, others),
            token=token_hash(token),
            commitment=request.commitment or "",
        )

    def come(
        self, table: Table, seat: int, now: float, commitment: str | None = None
    ) -> Seated | Committed | None:
        """Return the entry for a person who connects: to a seat that was kept for them, or with
        another commitment to their part in the shuffle; None if nothing changes.
        """
        place = table.seats[seat]
        if table.status != "waiting" or table.sealed:
            return None
        if place.kept:
            return Seated(
                at=now,
                by=seat,
                seat=seat,
                name=place.name,
                token=place.token,
                commitment=commitment or "",
            )
        if commitment in (None, place.commitment) or place.commitments >= _MOST_COMMITMENTS:
            return None
        return Committed(at=now, by=seat, seat=seat, commitment=commitment or "")

    def decline(self, table: Table, actor: Actor, now: float) -> Unseated:
        """Return the entry for a person who does not take the seat that is kept for them."""
        if actor.seat is None:
            raise Refusal("not_seated", "no seat is kept for this token")
        _require_open(table)
        return Unseated(at=now, by=actor.number, seat=actor.seat)

    def leave(self, table: Table, actor: Actor, command: Leave, now: float) -> Unseated:
        """Return the entry for a person who leaves before the game."""
        assert actor.seat is not None
        _require_open(table)
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
        if table.seats[command.seat].kept:
            raise Refusal("seat_kept", f"seat {command.seat} is kept until its player declines")
        bot = self._catalog.bot(command.bot)
        return Filled(at=now, by=actor.number, command=command.id, seat=command.seat, bot=bot)


def _require_open(table: Table) -> None:
    """Raise `Refusal` unless seats can still be left: the shuffle has not begun."""
    if table.status != "waiting" or table.sealed:
        raise Refusal("already_started", "the game has begun")
