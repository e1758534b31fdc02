"""The authority of one table: everything that happens there in this process goes through it.

It stands between the store and the audience, and does one thing at a time: what is accepted is
written and synced, then sent to the viewers. Whenever memory and store might differ, the table is
dropped from memory and read from its log again.
"""

import asyncio
import dataclasses
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar, cast

import msgspec

from ferrovia.errors import FerroviaError
from ferrovia.game.records.record import Record, record_of
from ferrovia.server.logs import note, note_store_error
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol import from_client, from_server
from ferrovia.server.protocol.from_client import AnyCommand, JoinTable
from ferrovia.server.refusals import Refusal
from ferrovia.server.store import Append, Journal, Store, StoreError, TableSummary
from ferrovia.server.table import entries
from ferrovia.server.table.commands import advance, handle
from ferrovia.server.table.context import Context, Terms
from ferrovia.server.table.entries import AnyEntry, read_entry, write_entry
from ferrovia.server.table.names import harmless
from ferrovia.server.table.played import Diverged, events_of
from ferrovia.server.table.resume import UnreadableGame, resume
from ferrovia.server.table.seat import SPECTATOR, Actor
from ferrovia.server.table.seat_limits import SeatLimits
from ferrovia.server.table.summary import new_table, says_the_same, summary_of
from ferrovia.server.table.table import Table, table_header
from ferrovia.server.table.verbs import room, seats
from ferrovia.server.table.verbs.rematch import created_again
from ferrovia.server.table.viewers import view
from ferrovia.server.table.viewers.attendance import Attendance
from ferrovia.server.table.viewers.audience import Audience, Viewer
from ferrovia.server.table.viewers.presence import Presences
from ferrovia.server.table.viewers.shown import shown_log

T = TypeVar("T")

_ATTEMPTS = 5
PAGE = 1000
"""The most entries of a log in one message."""
_MANY = 100  # entries from which on a thread encodes them
_SEATS_STAY = entries.Decided | entries.Talk  # entries after which all sit where they sat


async def _is_there(_edition: str) -> None:
    pass


@dataclasses.dataclass(frozen=True, slots=True)
class Services:
    """What all authorities of a server share. `alarm` sets when the server has to act itself,
    `weigh` is told by how many bytes the logs of the tables in memory grow, and `wrote` how many
    were written at a table; `call` calls the address of somebody at a table, and says what; `push`
    tells a browser that it is its turn; `prepare` makes the board of an edition that is one to be
    made.
    """

    store: Store
    journal: Journal
    terms: Terms
    metrics: Metrics
    now: Callable[[], float]
    alarm: Callable[[str, float | None], None]
    presences: Presences
    call: Callable[[str, str, str], None] = lambda _table, _url, _what: None
    push: Callable[[Table, entries.Subscribed], None] = lambda _table, _browser: None
    weigh: Callable[[int], None] = lambda _bytes: None
    wrote: Callable[[str, int], None] = lambda _table, _bytes: None
    prepare: Callable[[str], Awaitable[object]] = _is_there


class Past(NamedTuple):
    """The game of a table, for somebody who may see its past: all of it once `record` has a result,
    else their own seat's. `log` is that of the table, where it was asked for.
    """

    table: Table
    actor: Actor
    record: Record
    log: Sequence[bytes]


class _Overtaken(FerroviaError):
    """Another server has written to the table first."""


class Authority:
    """The single writer of one table in this process, and the source of what viewers are sent."""

    def __init__(self, id: str, services: Services) -> None:
        self.id = id
        self.audience = Audience()
        self.attendance = Attendance(id, self.audience, services.presences)
        self.used = time.monotonic()
        self._services = services
        self._lock = asyncio.Lock()
        self._table: Table | None = None
        self._bytes = 0  # of its log, while it is in memory
        self._asked: Counter[str] = Counter()  # to be let in again, by site
        self._sent = 0  # the number of the last entry that the audience was sent
        self._summary: TableSummary | None = None  # the one in the store, as far as it is known
        self._limits = SeatLimits(services.terms.settings.limits)

    @property
    def loaded(self) -> bool:
        """Whether the table is in memory."""
        return self._table is not None

    @property
    def busy(self) -> bool:
        """Whether something is being done at the table at this moment."""
        return self._lock.locked()

    @property
    def watched(self) -> bool:
        """Whether somebody looks at the table, here or at another server."""
        elsewhere = self._services.presences.elsewhere(self.id)
        return bool(len(self.audience)) or any(True for _ in elsewhere)

    def unload(self) -> None:
        """Drop the table from memory, unless it is busy; the log has everything."""
        if not self.busy:
            self._table = None
            self._weigh(-self._bytes)

    def _weigh(self, bytes: int) -> None:
        self._bytes += bytes
        self._services.weigh(bytes)

    async def execute(self, token: str | None, command: AnyCommand) -> int:
        """Execute a command once, and return the number of its entry in the log."""

        async def attempt(table: Table) -> int:
            actor = table.actor(token) or SPECTATOR
            done = table.commands.get((actor.number, command.id))
            if done is not None and actor != SPECTATOR:
                return done
            context = Context(table, actor, self._services.now(), self._services.terms)
            drafted = handle(context, command)
            if isinstance(command, from_client.LetIn) and command.agree:
                self._require_absent(command.seat)
            self._limits.take(table, actor, command)
            number = table.number + 1
            await self._write(table, drafted)
            self._services.metrics.count("commands_accepted_total", _kind(command))
            return table.commands.get((actor.number, command.id), number)

        return await self._at_table(attempt)

    async def join(self, request: JoinTable, token: str) -> int:
        """Take a seat and return its number; a token that holds one already keeps it."""

        async def attempt(table: Table) -> int:
            actor = table.actor(token)
            if actor is not None and actor.seat is not None:
                return actor.seat
            entry = seats.join(table, request, token, self._services.now())
            self._limits.take_arrangement(table, entries.HOST)
            await self._write(table, [entry])
            return entry.seat

        return await self._at_table(attempt)

    async def ask_entry(self, request: from_client.AskEntry, token: str, site: str = "?") -> str:
        """Ask the people at a table for the room to be let in; return the word to show."""

        async def attempt(table: Table) -> str:
            if self._asked[site] >= room.MOST_ASKED_OF_SITE:
                raise Refusal("too_many_events", "too many have asked at this table")
            entry = room.ask(table, request, token, self._services.now())
            self._require_absent(request.seat)
            await self._write(table, [entry])
            self._asked[site] += 1
            return entry.word

        return await self._at_table(attempt)

    async def renew(self, token: str, new: str) -> None:
        """Hold a seat with a new token from now on; a repetition changes nothing."""

        async def attempt(table: Table) -> None:
            if (table.actor(new) or SPECTATOR).seat is not None:
                return
            actor = _holder(table, token)
            entry = seats.renew(table, actor, new, self._services.now())
            self._limits.take_arrangement(table, actor.number)
            await self._write(table, [entry])

        await self._at_table(attempt)

    async def decline(self, token: str) -> None:
        """Give back a seat that is kept for the holder of a token."""

        async def attempt(table: Table) -> None:
            actor = _holder(table, token)
            entry = seats.decline(table, actor, self._services.now())
            await self._write(table, [entry])

        await self._at_table(attempt)

    async def connect(
        self, viewer: Viewer, known: int | None, commitment: str | None = None
    ) -> None:
        """Add a viewer, and send the entries after number `known` and the current state."""

        async def attempt(table: Table) -> None:
            actor = _holder(table, viewer.token)
            if not table.admits(actor):
                raise Refusal("no_spectators", "this table has no spectators")
            viewer.seat = actor.seat
            self.audience.make_room(viewer, self._services.terms.settings.limits)
            if actor.seat is not None:
                now = self._services.now()
                entry = seats.come(table, actor.seat, now, commitment)
                drafted = [*room.come_back(table, actor.seat, now), *([entry] if entry else [])]
                if drafted:
                    await self._write(table, drafted)
            since = table.number
            missing: list[msgspec.Raw] = []
            if known is not None and known <= table.number:
                since = max(known, table.number - PAGE)
                missing = await self._shown(table, viewer.seat, since, table.number)
            self.audience.viewers.add(viewer)
            self._services.alarm(self.id, table.due)  # nobody waits for a sweep of the store
            viewer.send_frame(view.Snapshot(table).state_after(viewer.seat, missing, since))
            self.attendance.announce(asks=len(self.audience) == 1)
            self.attendance.together.greet(viewer)

        await self._at_table(attempt)

    async def _at_table(self, attempt: Callable[[Table], Awaitable[T]]) -> T:
        """Make an attempt at the table as it is now, one at a time, and return its result.

        The attempt is repeated when another server writes first, and before anybody is refused
        because of something that may have changed: another server may have written what this one
        has not heard of.
        """
        async with self._lock:
            for _ in range(_ATTEMPTS):
                table = await self._load()
                try:
                    return await attempt(table)
                except _Overtaken:
                    continue
                except Refusal:
                    if not await self._was_behind():
                        raise
            raise Refusal("store_locked", "too many others write to this table")

    async def history(self, viewer: Viewer, request: from_client.AskHistory) -> from_server.History:
        """Return a page of the events before a number, as a viewer may see them."""
        async with self._lock:
            table = await self._load()
            before = min(request.before, table.number + 1)
            since = max(0, before - 1 - PAGE)
            shown = await self._shown(table, viewer.seat, since, before - 1)
        return from_server.History(
            id=request.id, since=since, before=before, entries=cast(Any, tuple(shown))
        )

    async def _shown(
        self, table: Table, seat: int | None, since: int, upto: int
    ) -> list[msgspec.Raw]:
        """Return the entries after number `since` as a seat may see them, encoded."""
        log = await self._read(since, max(0, upto - since))
        if len(log) < _MANY:
            return shown_log(table, log, since, seat)
        return await asyncio.to_thread(shown_log, table, log, since, seat)

    def _require_absent(self, seat: int | None) -> None:
        """Raise `Refusal` if somebody is connected to a seat: it is not given away then."""
        elsewhere = self._services.presences.elsewhere(self.id)
        if any(seat in there.seats for there in (self.audience.present, *elsewhere)):
            raise Refusal("seat_present", "whoever holds this seat is connected")

    def disconnect(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self.audience.viewers.discard(viewer)
        self.attendance.together.left(viewer)
        self.attendance.announce()

    async def table(self) -> Table:
        """Return the table as it is now, for reading only."""
        async with self._lock:
            return await self._load()

    async def record(self, token: str | None) -> str | None:
        """Return the game's record as the holder of a token may see it; None before the game."""

        async def attempt(table: Table) -> str | None:
            actor = _holder(table, token)
            if not table.admits(actor) and table.result is None:
                raise Refusal("no_spectators", "this table has no spectators")
            # Long games take long, so not on the event loop. The lock keeps the table as it is.
            return await asyncio.to_thread(view.record_text, table, actor.seat)

        try:
            return await self._at_table(attempt)
        except Refusal as refusal:
            if refusal.code != "unreadable_game":
                raise
            return self._finished_record(await self._read(0))

    async def past(self, token: str | None, *, log: bool = False) -> Past:
        """Return the game as far as the holder of a token may see its past: after the end
        everything; before it a seat its own past, and everybody else is refused. With `log`, what
        was said is in it too, for those whom the table admits.
        """

        async def attempt(table: Table) -> Past:
            actor = _holder(table, token)
            if table.game is None:
                raise Refusal("not_started", "the game has not begun")
            if table.result is None and actor.seat is None:
                raise Refusal("not_over", "until the end only players see their own past")
            if log and not table.admits(actor):
                raise Refusal("no_spectators", "what was said is for those who were at the table")
            found = record_of(table.game)
            header = table_header(found.header, table, table.game.edition.player_colors)
            record = msgspec.structs.replace(found, header=header)
            return Past(table, actor, record, await self._read(0, table.number) if log else [])

        return await self._at_table(attempt)

    def _finished_record(self, data: Sequence[bytes]) -> str | None:
        """Return the record of a finished game whose rules this version no longer has."""
        log = [read_entry(entry) for entry in data]
        table = Table.standing_at(self.id, log, None)
        if table.header is None or table.result is None:
            raise Refusal("unreadable_game", "this version cannot read the game")
        return view.finished_record(table.header, events_of(log), table)

    async def act(self, draft: Callable[[Table, float], list[AnyEntry]]) -> Table:
        """Write the entries that the server itself drafts, if any; return the table after them."""

        async def attempt(table: Table) -> Table:
            drafted = draft(table, self._services.now())
            if drafted:
                await self._write(table, drafted)
            return table

        return await self._at_table(attempt)

    async def catch_up(self) -> None:
        """Apply and send what another server or a tool has written to this table."""
        async with self._lock:
            table = self._table
            if table is None:
                if len(self.audience):
                    await self._load()
                return
            log = await self._read(table.number - 1)
            if not log:
                self._close_deleted()
                return
            written = [read_entry(data) for data in log[1:]]
            self._summary = None
            try:
                table.apply(*written)
            except Diverged:
                self._table = None
                await self._load()
            else:
                self._send(table, written)

    def _close_deleted(self) -> None:
        """Forget a table that whoever runs the server has deleted, and send its viewers away."""
        self._table = None
        self._weigh(-self._bytes)
        for viewer in tuple(self.audience.viewers):
            self.audience.viewers.discard(viewer)
            viewer.dismiss("no_such_table")

    async def _was_behind(self) -> bool:
        """Return whether another server has written something that this one had not heard of; the
        table is then loaded again.
        """
        table = self._table
        if table is None or not self._services.store.shared:
            return False
        if not await self._read(table.number, 1):
            return False
        self._table = None
        return True

    async def _load(self) -> Table:
        """Return the table, from memory or from its log; the audience is sent what it missed."""
        self.used = time.monotonic()
        if self._table is not None:
            return self._table
        started = time.perf_counter()
        log = await self._read(0)
        try:
            table = await asyncio.to_thread(resume, self.id, log)
        except UnreadableGame as problem:
            note("game_unreadable", table=self.id, problem=str(problem))
            raise Refusal("unreadable_game", "this version cannot read the game") from None
        if table is None:
            raise Refusal("no_such_table", "there is no such table")
        self._services.metrics.observe("resume_seconds", time.perf_counter() - started)
        self._services.metrics.count("games_resumed_total")
        with suppress(Refusal):  # on a store that servers share, another one may have made it
            await self._services.prepare(table.setup.edition)
        self._table, self.attendance.seats = table, len(table.seats)
        self._weigh(sum(map(len, log)) - self._bytes)
        if len(self.audience) and self._sent < table.number:
            self._send(table, [read_entry(data) for data in log[self._sent :]])
        self._sent = table.number
        return table

    async def _read(self, after: int, limit: int | None = None) -> list[bytes]:
        try:
            return await asyncio.to_thread(self._services.store.entries, self.id, after, limit)
        except StoreError as problem:
            raise self._store_refusal(problem) from problem

    async def _write(self, table: Table, drafted: Sequence[AnyEntry]) -> None:
        """Write entries, then send them; raises `_Overtaken` if another server was faster."""
        number = table.number + 1
        awaited, before = table.awaited_people, table.status
        rematches = [
            (entry.table, created_again(table, entry))
            for entry in drafted
            if isinstance(entry, entries.Rematched)
        ]
        for _, created in rematches:
            await self._services.prepare(created.setup.edition)
        self._table = None  # until it is written, memory may be ahead of the store
        now, terms = self._services.now(), self._services.terms
        written = advance(table, drafted, now, terms)
        summary = summary_of(table)
        new_summary = None if says_the_same(summary, self._summary) else summary
        self._summary = None
        appends = [Append(table.id, number, tuple(map(write_entry, written)), new_summary)]
        appends += [new_table(other, created, now, terms)[1] for other, created in rematches]
        try:
            answers = await self._services.journal.append(*appends)
        except StoreError as problem:
            self._services.alarm(self.id, self._services.now() + 1)
            raise self._store_refusal(problem) from problem
        if not answers[0]:
            raise _Overtaken
        self._table, self._summary = table, summary
        size = sum(map(len, appends[0].entries))
        self._weigh(size)
        self._services.wrote(self.id, size)
        self._send(table, written)
        self._services.alarm(self.id, table.due)
        self._tell(table, [seat for seat in table.awaited_people if seat not in awaited])
        if table.status == "over" and before == "running":
            self._call(table, entries.HOST, "the game is over")

    def _tell(self, table: Table, seats: Sequence[int]) -> None:
        """Tell those whose turn it has become, where they want that, and their host."""
        for seat in seats:
            self._call(table, seat, "it is your turn")
            for browser in table.talk.told(seat):
                self._services.push(table, browser)
        if seats:
            names = " and ".join(harmless(table.seats[seat].name) for seat in seats)
            self._call(table, entries.HOST, f"it is the turn of {names}")

    def _call(self, table: Table, seat: int, what: str) -> None:
        url = table.talk.hooks.get(seat)
        if url:
            self._services.call(self.id, url, what)

    def _send(self, table: Table, written: Sequence[AnyEntry]) -> None:
        """Send to every viewer the latest entries and the state after them."""
        since = table.number - len(written)
        self._sent = table.number
        if not written or not len(self.audience):
            return
        if not all(isinstance(entry, _SEATS_STAY) for entry in written):
            self.audience.update_seats(table)
        self.audience.send_state(table, list(enumerate(written, start=since + 1)), since)

    def _store_refusal(self, problem: StoreError) -> Refusal:
        note_store_error(problem.code, problem, table=self.id)
        self._services.metrics.count("store_errors_total", problem.code)
        return Refusal(problem.code, "nothing was changed; try again later")


def _holder(table: Table, token: str | None) -> Actor:
    """Return who holds a token at a table, a spectator without one; raises `Refusal`."""
    actor = table.actor(token)
    if actor is None:
        raise Refusal("wrong_token", "this token holds nothing at this table")
    return actor


def _kind(command: AnyCommand) -> str:
    return type(command).__name__.lower()
