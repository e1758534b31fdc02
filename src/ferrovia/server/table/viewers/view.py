"""Views: the one place that builds what a viewer is sent (R11.3).

Everything here is built from a list of what is allowed: the game through the view of the viewer
(`Game.view`), events through `seen_by`, entries and tables field by field. The kernel's state, the
log and the tokens never pass. A new field is invisible until somebody adds it here.
"""

from collections.abc import Sequence
from typing import Any, cast

import msgspec

from ferrovia.game.events import Event
from ferrovia.game.finale import finale_of
from ferrovia.game.records.record import Header, Record, header_of, record_for
from ferrovia.game.views import own_state, public_state
from ferrovia.server.protocol import from_server
from ferrovia.server.protocol.shown import AnyShown
from ferrovia.server.protocol.state import (
    AskingInfo,
    FinalState,
    RoomInfo,
    SeatInfo,
    TableInfo,
    UndoInfo,
)
from ferrovia.server.table.entries import AnyEntry
from ferrovia.server.table.room_codes import room_code
from ferrovia.server.table.seat import Seat
from ferrovia.server.table.table import Table, table_header
from ferrovia.server.table.verbs.undo import undoable
from ferrovia.server.table.viewers.shown import seat_or_none, shown, shuffle_info

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
        self, seat: int | None, entries: Sequence[AnyShown | msgspec.Raw], since: int
    ) -> bytes:
        """Return the message `state` with entries as this seat may see them, encoded or not."""
        table = self._table
        info, public, final = self._for_everybody()
        own = None if seat is None or table.game is None else own_state(table.game.view(seat))
        if own is not None and table.status == "over":
            own = msgspec.structs.replace(own, moves=None)  # also when the table was closed
        state = from_server.State(
            number=table.number,
            since=since,
            entries=cast(Any, tuple(entries)),
            table=cast(Any, info),
            public=cast(Any, public),
            own=own,
            final=cast(Any, final),
            seat=seat,
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


def table_info(table: Table) -> TableInfo:
    """Return a table as everybody may see it."""
    setup, header = table.setup, table.header
    return TableInfo(
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
        paused=table.pause.on,
        paused_left=table.pause.left,
        deadline=table.turn.deadline if table.awaited_people else None,
        commitment=None if header is None else header.commitment,
        rematch=table.rematch,
        practice=setup.practice,
        undo=undo_info(table),
        undoable=undoable(table),
        hints=setup.hints,
        # While the game goes on it changes no more, and would be a third of every frame.
        shuffle=None if table.status == "running" else shuffle_info(table),
        pause_asked=table.pause.asked,
        awaited=table.awaited,
        chat=setup.chat,
        room=room_info(table),
        webhooks=setup.webhooks,
        seeded=bool(setup.seed),
        begin=setup.begin,
        keeper=table.longest_here if table.status == "waiting" else None,
    )


def room_info(table: Table) -> RoomInfo | None:
    """Return what belongs to a table for the room; None for any other."""
    if not table.setup.room:
        return None
    return RoomInfo(
        code=None if table.door.locked or table.status == "over" else room_code(table.id),
        locked=table.door.locked,
        keeper=table.longest_here,
        asking=tuple(
            AskingInfo(
                seat=seat_or_none(seat), word=asked.word, agreed=asked.agreed, until=asked.until
            )
            for seat, asked in sorted(table.door.asking.items())
        ),
    )


def undo_info(table: Table) -> UndoInfo | None:
    """Return who asks to take back a decision, if anybody does."""
    asked = table.undo.request
    if asked is None:
        return None
    return UndoInfo(seat=asked.seat, agreed=asked.agreed, until=asked.until)


def seat_info(seat: Seat) -> SeatInfo:
    """Return a seat as everybody may see it."""
    return SeatInfo(
        kind=seat.kind,
        name=seat.name,
        bot=seat.bot,
        away=seat.away,
        ready=seat.ready,
        left=seat.left or None,
        color=seat.color,
        portrait=seat.portrait,
    )


def listed_table(table: Table) -> bytes:
    """Return a line of the list of tables, as JSON."""
    line = from_server.ListedTable(
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


def final_state(table: Table) -> FinalState | None:
    """Return everything that was hidden, once the game is over; None before."""
    game = table.game
    if game is None or table.result is None or not game.over:
        return None
    views = [game.view(seat) for seat in range(game.players)]
    return FinalState(
        result=table.result,
        hands=tuple(view.hand for view in views),
        tickets=tuple(view.tickets for view in views),
        longest=game.longest_routes(),
        seed=game.seed.hex(),
        part=table.shuffle.part or None,
        finale=finale_of(game.lexicon, game.state),
    )


def record_text(table: Table, seat: int | None) -> str | None:
    """Return the record of the game as a seat or the public may see it; None before the game."""
    if table.game is None:
        return None
    record = record_for(table.game, seat)
    header = table_header(record.header, table, table.game.edition.player_colors)
    return msgspec.structs.replace(record, header=header).text()


def edition_header(table: Table) -> Header | None:
    """Return the header of the record without its seed, by which bots know the edition."""
    return None if table.game is None else header_of(table.game, None)


def finished_record(header: Header, events: Sequence[Event], table: Table) -> str:
    """Return the record of a finished game from its log alone: it needs no rules."""
    return Record(header, tuple(events), table.result).text()
