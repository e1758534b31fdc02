"""Views: the one place that builds what a viewer is sent (R11.3).

Everything here is built from a list of what is allowed: the game through the view of the viewer
(`Game.view`), events through `seen_by`, entries and tables field by field. The kernel's state, the
log and the tokens never pass. A new field is invisible until somebody adds it here.
"""

from collections.abc import Iterable, Sequence
from typing import Any, cast

import msgspec

from ferrovia.game.chance.odds import counting_places
from ferrovia.game.events import AnyEvent, Event, Tunnel
from ferrovia.game.finale import finale_of
from ferrovia.game.records.record import Header, Record, header_of, record_for
from ferrovia.game.records.turns import setup_length
from ferrovia.game.views import own_state, public_state
from ferrovia.server import protocol
from ferrovia.server.table import entries
from ferrovia.server.table.entries import HOST, AnyEntry
from ferrovia.server.table.rooms import room_code
from ferrovia.server.table.table import Seat, Table, table_header

_ENCODE = msgspec.json.Encoder().encode

NumberedEntry = tuple[int, AnyEntry]


class Snapshot:
    """A table at one moment, for any number of viewers; what all may see is built once."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._shared: tuple[msgspec.Raw, msgspec.Raw, msgspec.Raw] | None = None

    def state(self, seat: int | None, log: Sequence[NumberedEntry], since: int) -> bytes:
        """Return the message `state` for a seat or a spectator, with the entries after `since`."""
        return self.state_after(
            seat, [shown(self._table, number, entry, seat) for number, entry in log], since
        )

    def state_after(
        self, seat: int | None, entries: Sequence[protocol.AnyShown | msgspec.Raw], since: int
    ) -> bytes:
        """Return the message `state` with entries as this seat may see them, encoded or not."""
        table = self._table
        info, public, final = self._for_everybody()
        own = None if seat is None or table.game is None else own_state(table.game.view(seat))
        if own is not None and table.status == "over":
            own = msgspec.structs.replace(own, moves=None)  # also when the table was closed
        state = protocol.State(
            number=table.number,
            since=since,
            entries=cast(Any, tuple(entries)),
            table=cast(Any, info),
            public=cast(Any, public),
            own=own,
            final=cast(Any, final),
        )
        return _ENCODE(state)

    def _for_everybody(self) -> tuple[msgspec.Raw, msgspec.Raw, msgspec.Raw]:
        if self._shared is None:
            game = self._table.game
            public = None if game is None else public_state(game.view(None))
            parts = (table_info(self._table), public, final_state(self._table))
            info, seen, final = (msgspec.Raw(_ENCODE(part)) for part in parts)
            self._shared = (info, seen, final)
        return self._shared


def table_info(table: Table) -> protocol.TableInfo:
    """Return a table as everybody may see it."""
    setup, header = table.setup, table.header
    return protocol.TableInfo(
        id=table.id,
        status=table.status,
        edition=setup.edition,
        extras=setup.extras,
        seats=tuple(map(seat_info, table.seats)),
        host=table.host_seat,
        first=setup.first,
        clock=setup.clock,
        listed=setup.listed,
        stand_in=setup.stand_in,
        spectators=setup.spectators,
        paused=table.paused,
        paused_left=table.paused_left,
        deadline=table.deadline if table.awaited_people else None,
        commitment=None if header is None else header.commitment,
        rematch=table.rematch,
        practice=setup.practice,
        undo=undo_info(table),
        undoable=table.undoable,
        hints=setup.hints,
        # While the game goes on it changes no more, and would be a third of every frame.
        shuffle=None if table.status == "running" else shuffle_info(table),
        pause_asked=table.pause_asked,
        awaited=table.awaited,
        chat=setup.chat,
        room=room_info(table),
        webhooks=setup.webhooks,
    )


def room_info(table: Table) -> protocol.RoomInfo | None:
    """Return what belongs to a table for the room; None for any other."""
    if not table.setup.room:
        return None
    return protocol.RoomInfo(
        code=None if table.locked or table.status == "over" else room_code(table.id),
        locked=table.locked,
        keeper=table.longest_here,
        asking=tuple(
            protocol.AskingInfo(seat=_seat_or_none(seat), word=asked.word)
            for seat, asked in sorted(table.asking.items())
        ),
    )


def _seat_or_none(number: int) -> int | None:
    return None if number == HOST else number


def shuffle_info(table: Table) -> protocol.ShuffleInfo | None:
    """Return who has a part in the shuffle, as everybody may see it; None if nobody can have one.

    The parts themselves are shown once the game has begun. That of the server stays secret to the
    end, since the seed follows from it.
    """
    given = bool(table.setup.seed)
    if table.commitment is None and not given:
        return None
    begun = table.status != "waiting"
    return protocol.ShuffleInfo(
        server=table.commitment,
        seats=tuple(
            protocol.PartInfo(
                commitment=seat.commitment,
                revealed=bool(seat.part),
                part=(seat.part or None) if begun else None,
            )
            if seat.commitment
            else None
            for seat in table.seats
        ),
        given=given,
        reveal_by=table.reveal_by,
    )


def undo_info(table: Table) -> protocol.UndoInfo | None:
    """Return who asks to take back a decision, if anybody does."""
    asked = table.undo_asked
    if asked is None:
        return None
    return protocol.UndoInfo(seat=asked.seat, agreed=asked.agreed, until=asked.until)


def seat_info(seat: Seat) -> protocol.SeatInfo:
    """Return a seat as everybody may see it."""
    return protocol.SeatInfo(
        kind=seat.kind,
        name=seat.name,
        bot=seat.bot,
        away=seat.away,
        ready=seat.ready,
        left=seat.left or None,
    )


def listed_table(table: Table) -> bytes:
    """Return a line of the list of tables, as JSON."""
    line = protocol.ListedTable(
        table=table.id,
        status=table.status,
        edition=table.setup.edition,
        extras=table.setup.extras,
        clock=table.clock,
        seats=tuple(map(seat_info, table.seats)),
        spectators=table.setup.spectators,
        changed=int(table.changed),
    )
    return _ENCODE(line)


def room_card(table: Table) -> bytes:
    """Return the code of a table for the room while its door is open; empty for any other."""
    room = room_info(table)
    return b"" if room is None or room.code is None else room.code.encode()


def final_state(table: Table) -> protocol.FinalState | None:
    """Return everything that was hidden, once the game is over; None before."""
    game = table.game
    if game is None or table.result is None or not game.over:
        return None
    views = [game.view(seat) for seat in range(game.players)]
    return protocol.FinalState(
        result=table.result,
        hands=tuple(view.hand for view in views),
        tickets=tuple(view.tickets for view in views),
        longest=game.longest_routes(),
        seed=game.seed.hex(),
        part=table.part or None,
        finale=finale_of(game.words, game.state),
    )


def shown(table: Table, number: int, entry: AnyEntry, seat: int | None) -> protocol.AnyShown:
    """Return an entry of the log as a seat or the public (None) may see it."""
    at = int(entry.at)
    match entry:
        case entries.Decided(seat=whose, bot=bot, events=events, start=start, clock=clock):
            seen = _seen(table, events, seat, at_start=start)
            return protocol.ShownDecided(
                number=number,
                at=at,
                seat=whose,
                bot=bot,
                events=seen,
                clock=clock > 0,
                counting=_counting(events),
            )
        case entries.Created():
            return protocol.ShownCreated(number=number, at=at)
        case entries.Seated(seat=whose, name=name):
            return protocol.ShownSeated(number=number, at=at, seat=whose, name=name)
        case entries.Committed(seat=whose):
            return protocol.ShownCommitted(number=number, at=at, seat=whose)
        case entries.Sealed():
            return protocol.ShownSealed(number=number, at=at)
        case entries.Revealed(seat=whose):
            return protocol.ShownRevealed(number=number, at=at, seat=whose)
        case entries.Unseated(seat=whose):
            return protocol.ShownUnseated(number=number, at=at, seat=whose)
        case entries.Filled(seat=whose, bot=bot):
            return protocol.ShownFilled(number=number, at=at, seat=whose, bot=bot)
        case entries.Started(header=header, events=events):
            return protocol.ShownStarted(
                number=number,
                at=at,
                commitment=header.commitment,
                first=header.first,
                shuffle=shuffle_info(table),
                events=_seen_at_start(table, events, seat),
            )
        case entries.Left(seat=whose, why=why):
            return protocol.ShownLeft(number=number, at=at, seat=whose, why=why)
        case entries.Returned(seat=whose):
            return protocol.ShownReturned(number=number, at=at, seat=whose)
        case entries.PauseAsked(seat=whose):
            return protocol.ShownPauseAsked(number=number, at=at, seat=whose)
        case entries.PauseDeclined(seat=whose):
            return protocol.ShownPauseDeclined(number=number, at=at, seat=whose)
        case entries.Paused(by=by):
            return protocol.ShownPaused(number=number, at=at, seat=None if by == HOST else by)
        case entries.Resumed(by=by):
            return protocol.ShownResumed(number=number, at=at, seat=None if by == HOST else by)
        case entries.Rematched(table=other):
            return protocol.ShownRematched(number=number, at=at, table=other)
        case entries.Closed():
            return protocol.ShownClosed(number=number, at=at)
        case entries.UndoAsked(seat=whose):
            return protocol.ShownUndoAsked(number=number, at=at, seat=whose)
        case entries.UndoAgreed(seat=whose):
            return protocol.ShownUndoAgreed(number=number, at=at, seat=whose)
        case entries.UndoRefused(seat=whose):
            asked = None if whose == HOST else whose
            return protocol.ShownUndoRefused(number=number, at=at, seat=asked)
        case entries.Undone(seat=whose, first=first):
            return protocol.ShownUndone(number=number, at=at, seat=whose, first=first)
        case entries.Said(seat=whose, name=name, text=text):
            if whose is None and seat is not None and table.status != "over":
                return protocol.ShownAside(number=number, at=at)  # no advice while they play
            said = None if number in table.withheld else text
            return protocol.ShownSaid(number=number, at=at, seat=whose, name=name, text=said)
        case entries.Locked(locked=locked):
            return protocol.ShownLocked(number=number, at=at, locked=locked)
        case entries.Trimmed(seats=seats):
            return protocol.ShownTrimmed(number=number, at=at, seats=seats)
        case entries.EntryAsked(seat=whose):
            return protocol.ShownEntryAsked(number=number, at=at, seat=_seat_or_none(whose))
        case entries.LetIn(seat=whose, by=by):
            return protocol.ShownLetIn(number=number, at=at, seat=_seat_or_none(whose), by=by)
        case entries.EntryRefused(seat=whose):
            return protocol.ShownEntryRefused(number=number, at=at, seat=_seat_or_none(whose))
        case entries.Reported() | entries.Muted() | entries.Withheld() | entries.HookSet():
            return protocol.ShownAside(number=number, at=at)


def _counting(events: Iterable[Event]) -> tuple[int, ...]:
    """Return which cards turned up for a tunnel cost one more; everybody sees that."""
    tunnels = (event for event in events if isinstance(event, Tunnel))
    return tuple(place for tunnel in tunnels for place in counting_places(tunnel))


def shown_log(
    table: Table, log: Iterable[bytes], since: int, seat: int | None
) -> list[msgspec.Raw]:
    """Return entries of the store, those after number `since`, as a seat may see them, encoded."""
    return [
        msgspec.Raw(_ENCODE(shown(table, number, entries.read_entry(data), seat)))
        for number, data in enumerate(log, start=since + 1)
    ]


def _seen_at_start(table: Table, events: tuple[Event, ...], seat: int | None) -> Any:
    """Return the events of a game's beginning; that of a fork goes beyond the set-up."""
    game = table.game
    deals = len(events) if game is None else len(game.edition.deals)
    setup = setup_length(events, len(table.seats), deals)
    return (
        *_seen(table, events[:setup], seat, at_start=True),
        *_seen(table, events[setup:], seat, at_start=False),
    )


def _seen(
    table: Table, events: Iterable[Event], seat: int | None, *, at_start: bool
) -> tuple[AnyEvent, ...]:
    seen = events
    if table.result is None:  # a table that was closed is over, and its game is not
        seen = (event.seen_by(seat, at_start=at_start) for event in events)
    return cast(tuple[AnyEvent, ...], tuple(seen))


def record_text(table: Table, seat: int | None) -> str | None:
    """Return the record of the game as a seat or the public may see it; None before the game."""
    if table.game is None:
        return None
    record = record_for(table.game, seat)
    header = table_header(record.header, table.setup)
    return msgspec.structs.replace(record, header=header).text()


def edition_header(table: Table) -> Header | None:
    """Return the header of the record without its seed, by which bots know the edition."""
    return None if table.game is None else header_of(table.game, None)


def finished_record(header: Header, events: Sequence[Event], table: Table) -> str:
    """Return the record of a finished game from its log alone: it needs no rules."""
    return Record(header, tuple(events), table.result).text()
