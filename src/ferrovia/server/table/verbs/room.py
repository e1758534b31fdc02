"""A table for the room: the screen has a token and no seat, and people sit down with their phones.

Everybody who sits there may begin. The screen and whoever has sat there longest lock the door and
send people away. Whoever has lost the secret of a seat is let in again by two other people at the
table; or by one, after a time in which the holder of the seat can come: nobody with two devices
takes the seat of somebody whose phone sleeps.
"""

from ferrovia.server.protocol.from_client import (
    AskEntry,
    LetIn,
    Lock,
    Remove,
)
from ferrovia.server.refusals import Refusal
from ferrovia.server.table import entries
from ferrovia.server.table.context import Context
from ferrovia.server.table.entries import (
    HOST,
    AnyEntry,
    EntryAgreed,
    EntryAsked,
    EntryRefused,
    Locked,
    Unseated,
)
from ferrovia.server.table.room_codes import device_word
from ferrovia.server.table.seat import Actor
from ferrovia.server.table.table import Table
from ferrovia.server.table.tokens import token_hash

MOST_ASKED = 300  # at a table; each is an entry of the log
MOST_ASKED_OF_SITE = 10  # so that no stranger ends it for all


def lock(context: Context, command: Lock) -> list[AnyEntry]:
    """Return the entry for a door that is locked, or open again."""
    table, actor, now = context.table, context.actor, context.now
    _require_room(table)
    if table.status == "waiting":
        require_keeper(table, actor)
    else:
        require_here(table, actor)
    if table.door.locked == command.locked:
        raise Refusal("stale", "it is so already")
    return [Locked(at=now, by=actor.number, command=command.id, locked=command.locked)]


def remove(context: Context, command: Remove) -> list[AnyEntry]:
    """Return the entry for a person who is sent away before the game."""
    table, actor, now = context.table, context.actor, context.now
    _require_room(table)
    require_keeper(table, actor)
    _require_waiting(table)
    if not table.has_person(command.seat):
        raise Refusal("no_such_seat", f"no person has seat {command.seat}")
    return [Unseated(at=now, by=actor.number, command=command.id, seat=command.seat)]


def ask(table: Table, request: AskEntry, token: str, now: float) -> EntryAsked:
    """Return the entry for somebody who asks for a seat whose secret they have lost, or for the
    screen.
    """
    _require_room(table)
    if table.status == "over":
        raise Refusal("game_over", "the game is over")
    if request.seat is not None and not table.has_person(request.seat):
        raise Refusal("no_such_seat", f"no person has seat {request.seat}")
    if table.door.asked >= MOST_ASKED:
        raise Refusal("too_many_events", "too many have asked at this table")
    hashed = token_hash(token)
    if any(seat.token == hashed for seat in table.seats) or table.host == hashed:
        raise Refusal("seat_taken", "this token holds something here already")
    number = HOST if request.seat is None else request.seat
    return EntryAsked(at=now, seat=number, token=hashed, word=device_word(hashed))


def let_in(context: Context, command: LetIn) -> list[AnyEntry]:
    """Return the entry for a person who lets somebody in again, or does not. Nobody lets themselves
    in; everybody at the table, also whoever holds the seat, may refuse.
    """
    table, actor, now = context.table, context.actor, context.now
    _require_room(table)
    number = HOST if command.seat is None else command.seat
    asked = table.door.asking.get(number)
    if asked is None or asked.word != command.word:
        raise Refusal("not_asked", "nobody asks for that now")
    if actor.seat is None:
        raise Refusal("not_seated", "only people at the table let others in")
    if not command.agree:
        return [EntryRefused(at=now, by=actor.number, command=command.id, seat=number)]
    if actor.seat == number:
        raise Refusal("not_host", "another person at the table lets you in")
    wait = context.terms.settings.entry_seconds
    if number != HOST and wait and asked.agreed is None:
        at, by, until = now, actor.number, now + wait
        return [EntryAgreed(at=at, by=by, command=command.id, seat=number, until=until)]
    if asked.agreed == actor.seat:
        raise Refusal("stale", "another person has to agree, or the time to be over")
    return [entries.EntryGranted(at=now, by=actor.number, command=command.id, seat=number)]


def come_back(table: Table, seat: int, now: float) -> list[AnyEntry]:
    """Return the entry for a person who connects, and for whose seat somebody else has asked."""
    return [EntryRefused(at=now, by=seat, seat=seat)] if seat in table.door.asking else []


def time_out(table: Table, now: float) -> list[AnyEntry]:
    """Return the entries for those who are let in now: nobody has objected."""
    asking = table.door.asking.items()
    return [
        entries.EntryGranted(at=now, seat=seat)
        for seat, asked in asking
        if asked.until is not None and asked.until <= now
    ]


def _require_room(table: Table) -> None:
    if not table.setup.room:
        raise Refusal("not_a_room", "this is for tables with a screen of their own")


def require_here(table: Table, actor: Actor) -> None:
    """Raise `Refusal` unless it is somebody at the table, or its screen."""
    if actor.seat is None and not actor.host:
        raise Refusal("not_seated", "only people at the table and its screen do this")


def require_keeper(table: Table, actor: Actor) -> None:
    """Raise `Refusal` unless it is the host, or the person who has sat here longest."""
    require_here(table, actor)
    if not actor.host and actor.seat != table.longest_here:
        raise Refusal("not_host", "only the screen and whoever sat down first do this")


def _require_waiting(table: Table) -> None:
    if table.status != "waiting" or table.shuffle.sealed:
        raise Refusal("already_started", "the game has begun")
