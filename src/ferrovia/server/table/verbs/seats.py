"""Seats: who sits where, before the game begins."""

from ferrovia.server.protocol.from_client import Begin, Choose, Fill, JoinTable, Leave
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.context import Context
from ferrovia.server.table.entries import (
    AnyEntry,
    Chosen,
    Committed,
    Filled,
    Renewed,
    Seated,
    Trimmed,
    Unseated,
)
from ferrovia.server.table.names import checked_name, name_among
from ferrovia.server.table.seat import Actor
from ferrovia.server.table.table import Table
from ferrovia.server.table.tokens import token_hash
from ferrovia.server.table.verbs.room import require_here, require_keeper
from ferrovia.server.table.verbs.stand_in import leave_game

_MOST_COMMITMENTS = 10  # of a seat; more are not needed, and each is an entry of the log


def join(table: Table, request: JoinTable, token: str, now: float) -> Seated:
    """Return the entry for a new person at the requested seat, or at the first open one."""
    name = checked_name(request.name)
    if table.status != "waiting":
        raise Refusal("already_started", "the game has begun")
    if table.door.locked:
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
        portrait=request.portrait,
    )


def come(
    table: Table, seat: int, now: float, commitment: str | None = None
) -> Seated | Committed | None:
    """Return the entry for a person who connects: to a seat that was kept for them, or with
    another commitment to their part in the shuffle; None if nothing changes.
    """
    place = table.seats[seat]
    if table.status != "waiting" or table.shuffle.sealed:
        return None
    if place.kept:
        return Seated(
            at=now,
            by=seat,
            seat=seat,
            name=place.name,
            token=place.token,
            commitment=commitment or "",
            portrait=place.portrait,
        )
    if commitment in (None, place.commitment) or place.commitments >= _MOST_COMMITMENTS:
        return None
    return Committed(at=now, by=seat, seat=seat, commitment=commitment or "")


def renew(table: Table, actor: Actor, token: str, now: float) -> Renewed:
    """Return the entry for a person who came by a link: whoever made it has its secret too, and
    could read their hand.
    """
    if actor.seat is None:
        raise Refusal("not_seated", "this token holds no seat")
    if table.actor(token) is not None:
        raise Refusal("seat_taken", "the new token holds something here already")
    return Renewed(at=now, by=actor.number, seat=actor.seat, token=token_hash(token))


def decline(table: Table, actor: Actor, now: float) -> Unseated:
    """Return the entry for a person who does not take the seat that is kept for them."""
    if actor.seat is None:
        raise Refusal("not_seated", "no seat is kept for this token")
    _require_open(table)
    return Unseated(at=now, by=actor.number, seat=actor.seat)


def leave(context: Context, command: Leave) -> list[AnyEntry]:
    """Return the entry for a person who leaves: before the game the seat is open again, and during
    it a bot stands in.
    """
    actor = context.actor
    if actor.seat is None:
        raise Refusal("not_seated", "spectators have no seat to leave")
    if context.table.status != "waiting":
        return leave_game(context, command, actor.seat)
    _require_open(context.table)
    at, by, seat = context.now, actor.number, actor.seat
    return [Unseated(at=at, by=by, command=command.id, seat=seat)]


def fill(context: Context, command: Fill) -> list[AnyEntry]:
    """Return the entry for a bot to which the host gives a seat that nobody has taken."""
    table, actor = context.table, context.actor
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
    bot = context.terms.catalog.bot(command.bot)
    at, by, seat = context.now, actor.number, command.seat
    return [Filled(at=at, by=by, command=command.id, seat=seat, bot=bot)]


def choose(context: Context, command: Choose) -> list[AnyEntry]:
    """Return the entry for a person's portrait or colour: one that nobody else has chosen."""
    table, actor = context.table, context.actor
    if actor.seat is None:
        raise Refusal("not_seated", "only people who sit here choose")
    _require_open(table)
    own, color = table.seats[actor.seat], command.color or ""
    if color not in ("", own.color):
        edition = context.terms.catalog.find(table.setup.edition, table.setup.extras)
        if color not in edition.player_colors:
            raise Refusal("invalid_setup", f"nobody plays {color} in this edition")
        if any(seat.color == color and seat.chose for seat in table.seats):
            raise Refusal("color_taken", f"somebody has chosen {color} already")
    portrait = own.portrait if command.portrait is None else command.portrait
    at, by, seat = context.now, actor.number, actor.seat
    return [Chosen(at=at, by=by, command=command.id, seat=seat, portrait=portrait, color=color)]


def begin(context: Context, command: Begin) -> list[AnyEntry]:
    """Return the entry for a game that begins with those who are there, in the order and with the
    first player that they have agreed on (R2.4).
    """
    table, actor, now = context.table, context.actor, context.now
    if table.setup.room:
        require_here(table, actor)
    elif table.setup.begin == "host":
        require_keeper(table, actor)
    else:
        raise Refusal("not_a_room", "this table begins by itself when every seat is taken")
    _require_open(table)
    there = tuple(number for number, seat in enumerate(table.seats) if seat.filled)
    kept = there if command.order is None else command.order
    if sorted(kept) != list(there):
        raise Refusal("invalid_setup", "the order has each of those who are there once")
    edition = context.terms.catalog.find(table.setup.edition, table.setup.extras)
    try:
        edition.check_seats(len(kept))
    except ValueError as problem:
        raise Refusal("invalid_setup", str(problem)) from None
    first = None
    if command.first is not None:
        if command.first not in kept:
            raise Refusal("invalid_setup", "the first player has no seat")
        first = kept.index(command.first)
    return [Trimmed(at=now, by=actor.number, command=command.id, seats=kept, first=first)]


def _require_open(table: Table) -> None:
    """Raise `Refusal` unless seats can still be left: the shuffle has not begun."""
    if table.status != "waiting" or table.shuffle.sealed:
        raise Refusal("already_started", "the game has begun")
