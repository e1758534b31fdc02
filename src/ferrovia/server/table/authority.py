"""The authority of one table: everything that happens there in this process goes through it.

It stands between the store and the audience, and does one thing at a time: what is accepted is
written and synced, then sent to the viewers. Whenever memory and store might differ, the table is
dropped from memory and read from its log again.
"""

import asyncio
import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any, cast

import msgspec

from ferrovia.game.film import Eyes
from ferrovia.game.records.record import record_of
from ferrovia.server import protocol
from ferrovia.server.film.interludes import interludes_of
from ferrovia.server.film.source import Source
from ferrovia.server.film.together import Together
from ferrovia.server.http.rates import RateLimiter
from ferrovia.server.logs import note
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol import AnyCommand, Interlude, JoinTable, view
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.settings import Limits
from ferrovia.server.store import Append, Journal, Store, StoreError, Summary
from ferrovia.server.table import entries
from ferrovia.server.table.audience import Audience, Viewer
from ferrovia.server.table.commands import Outcome, Verbs
from ferrovia.server.table.entries import AnyEntry, read_entry, write_entry
from ferrovia.server.table.presence import Presences
from ferrovia.server.table.resume import UnreadableGame, resume
from ferrovia.server.table.table import SPECTATOR, Diverged, Table, events_of, table_header

_ATTEMPTS = 5
PAGE = 1000
"""The most entries of a log in one message."""
_MANY = 100  # entries that take long enough to be encoded beside the event loop
_SEATS_STAY = entries.Decided | entries.Talk  # entries after which all sit where they sat
_ANNOUNCE_SECONDS = 0.1  # between two messages of who is present


@dataclasses.dataclass(frozen=True, slots=True)
class Services:
    """What all authorities of a server share. `alarm` sets when the server has to act itself,
    `call` calls the address of somebody whose turn it is at a table.
    """

    store: Store
    journal: Journal
    verbs: Verbs
    metrics: Metrics
    now: Callable[[], float]
    alarm: Callable[[str, float | None], None]
    presences: Presences
    limits: Limits = dataclasses.field(default_factory=Limits)
    call: Callable[[str, str], None] = lambda _table, _url: None


class Authority:
    """The single writer of one table in this process, and the source of what viewers are sent."""

    def __init__(self, id: str, services: Services) -> None:
        self.id = id
        self.audience = Audience()
        self.together = Together(self.audience, self._publish)
        self.used = time.monotonic()
        self._services = services
        self._lock = asyncio.Lock()
        self._table: Table | None = None
        self._sent = 0  # the number of the last entry that the audience was sent
        self._seats = 0
        self._summary: Summary | None = None  # the one in the store, as far as it is known
        self._arranging: dict[int, RateLimiter] = {}
        self._talking: dict[int, RateLimiter] = {}
        self._announcing = self._announce_again = self._asks = False

    @property
    def loaded(self) -> bool:
        """Whether the table is in memory."""
        return self._table is not None

    @property
    def busy(self) -> bool:
        """Whether something is being done at the table at this moment."""
        return self._lock.locked()

    def unload(self) -> None:
        """Drop the table from memory, unless it is busy; the log has everything."""
        if not self.busy:
            self._table = None

    async def execute(self, token: str | None, command: AnyCommand) -> int:
        """Execute a command once, and return the number of its entry in the log."""
        async with self._lock:
            for _ in range(_ATTEMPTS):
                table = await self._load()
                actor = table.actor(token) or SPECTATOR
                done = table.commands.get((actor.number, command.id))
                if done is not None and actor != SPECTATOR:
                    return done
                try:
                    outcome = self._services.verbs.handle(
                        table, actor, command, self._services.now()
                    )
                    if not isinstance(command, protocol.Decide):
                        self._limit(table, actor.number, command)
                except Refusal:
                    if await self._was_behind():
                        continue
                    raise
                number = table.number + 1
                if await self._write(table, outcome):
                    self._services.metrics.count("commands_accepted_total", _kind(command))
                    return table.commands.get((actor.number, command.id), number)
            raise Refusal("store_locked", "too many others write to this table")

    async def join(self, request: JoinTable, token: str) -> int:
        """Take a seat and return its number; a token that holds one already keeps it."""
        async with self._lock:
            for _ in range(_ATTEMPTS):
                table = await self._load()
                actor = table.actor(token)
                if actor is not None and actor.seat is not None:
                    return actor.seat
                join = self._services.verbs.seats.join
                try:
                    entry = join(table, request, token, self._services.now())
                    self._limit_arranging(table, entries.HOST)
                except Refusal:
                    if await self._was_behind():
                        continue
                    raise
                if await self._write(table, Outcome([entry])):
                    return entry.seat
            raise Refusal("store_locked", "too many others write to this table")

    async def ask_entry(self, request: protocol.AskEntry, token: str) -> str:
        """Ask the people at a table for the room to be let in; return the word to show."""
        async with self._lock:
            for _ in range(_ATTEMPTS):
                table = await self._load()
                entry = self._services.verbs.room.ask(table, request, token, self._services.now())
                self._require_absent(request.seat)
                if await self._write(table, Outcome([entry])):
                    return entry.word
            raise Refusal("store_locked", "too many others write to this table")

    async def decline(self, token: str) -> None:
        """Give back a seat that is kept for the holder of a token."""
        async with self._lock:
            for _ in range(_ATTEMPTS):
                table = await self._load()
                actor = table.actor(token)
                if actor is None:
                    raise Refusal("wrong_token", "this token holds nothing at this table")
                entry = self._services.verbs.seats.decline(table, actor, self._services.now())
                if await self._write(table, Outcome([entry])):
                    return
            raise Refusal("store_locked", "too many others write to this table")

    async def connect(
        self, viewer: Viewer, known: int | None, commitment: str | None = None
    ) -> None:
        """Add a viewer, and send the entries after number `known` and the current state."""
        async with self._lock:
            table = await self._load()
            actor = table.actor(viewer.token)
            if actor is None and await self._was_behind():
                table = await self._load()
                actor = table.actor(viewer.token)
            if actor is None:
                raise Refusal("wrong_token", "this token holds nothing at this table")
            if not table.admits(actor):
                raise Refusal("no_spectators", "this table has no spectators")
            viewer.seat = actor.seat
            self.audience.make_room(viewer, self._services.limits)
            table = await self._take_kept_seat(table, actor.seat, commitment)
            since = table.number
            missing: list[msgspec.Raw] = []
            if known is not None and known <= table.number:
                since = max(known, table.number - PAGE)
                missing = await self._shown(table, viewer.seat, since, table.number)
            self.audience.viewers.add(viewer)
            viewer.send_frame(view.Snapshot(table).state_after(viewer.seat, missing, since))
            self.announce(asks=len(self.audience) == 1)
            self.together.greet(viewer)

    async def history(self, viewer: Viewer, request: protocol.AskHistory) -> protocol.History:
        """Return a page of the events before a number, as a viewer may see them."""
        async with self._lock:
            table = await self._load()
            before = min(request.before, table.number + 1)
            since = max(0, before - 1 - PAGE)
            shown = await self._shown(table, viewer.seat, since, before - 1)
        return protocol.History(
            id=request.id, since=since, before=before, entries=cast(Any, tuple(shown))
        )

    async def _shown(
        self, table: Table, seat: int | None, since: int, upto: int
    ) -> list[msgspec.Raw]:
        """Return the entries after number `since` as a seat may see them, encoded."""
        log = await self._read(since, max(0, upto - since))
        if len(log) < _MANY:
            return view.shown_log(table, log, since, seat)
        return await asyncio.to_thread(view.shown_log, table, log, since, seat)

    def _limit(self, table: Table, number: int, command: AnyCommand) -> None:
        """Raise `Refusal` for a command that is no decision, if there are too many of them."""
        if isinstance(command, protocol.LetIn) and command.agree:
            self._require_absent(command.seat)
        if isinstance(command, protocol.Say | protocol.Report | protocol.Notify):
            self._limit_talk(number)
        else:
            self._limit_arranging(table, number)

    def _limit_arranging(self, table: Table, number: int) -> None:
        """Raise `Refusal` for a seat that fills the log with what are no decisions."""
        limits = self._services.limits
        most = limits.arrangements_of_seat * (len(table.seats) if number == entries.HOST else 1)
        if table.arranged.get(number, 0) >= most:
            raise Refusal("too_many_events", "this seat has arranged too much at this table")
        limiter = self._arranging.setdefault(number, RateLimiter(limits.arrangements))
        if not limiter.take(time.monotonic()):
            raise Refusal("too_fast", "wait before the next command that is no decision")

    def _limit_talk(self, number: int) -> None:
        """Raise `Refusal` for a seat, or for spectators, who talk too fast."""
        limits = self._services.limits
        rate = limits.lines_of_spectators if number == entries.HOST else limits.lines
        limiter = self._talking.setdefault(number, RateLimiter(rate))
        if not limiter.take(time.monotonic()):
            raise Refusal("too_fast", "wait before the next line")

    def _require_absent(self, seat: int | None) -> None:
        """Raise `Refusal` if somebody is connected to a seat: it is not given away then."""
        elsewhere = self._services.presences.elsewhere(self.id)
        if any(seat in there.seats for there in (self.audience.present, *elsewhere)):
            raise Refusal("seat_present", "whoever holds this seat is connected")

    def disconnect(self, viewer: Viewer) -> None:
        """Remove a viewer."""
        self.audience.viewers.discard(viewer)
        self.together.left(viewer)
        self.announce()

    def announce(self, *, asks: bool = False) -> None:
        """Send to the viewers, here and at other servers, who is present; at once if that was not
        done a moment ago, else after that moment: when many come and go, once for all of them.
        """
        self._asks |= asks
        if self._announcing:
            self._announce_again = True
            return
        self._announcing, self._announce_again = True, False
        asyncio.get_running_loop().call_later(_ANNOUNCE_SECONDS, self._announce_rest)
        self.audience.send_presence(self._seats, self._services.presences.elsewhere(self.id))
        asks, self._asks = self._asks, False
        self._publish(asks=asks)

    def _announce_rest(self) -> None:
        self._announcing = False
        if self._announce_again:
            self.announce()

    def _publish(self, *, asks: bool = False) -> None:
        """Let other servers know who is present here, and which film is led."""
        here = msgspec.structs.replace(self.audience.present, asks=asks, film=self.together.lead)
        self._services.presences.publish(self.id, here)

    def hear_presence(self) -> None:
        """Send to the viewers here what other servers have published: who is present, and what is
        shown.
        """
        elsewhere = self._services.presences.elsewhere(self.id)
        self.audience.send_presence(self._seats, elsewhere)
        self.together.follow(elsewhere)

    async def table(self) -> Table:
        """Return the table as it is now, for reading only."""
        async with self._lock:
            return await self._load()

    async def record(self, token: str | None) -> str | None:
        """Return the game's record as the holder of a token may see it; None before the game."""
        async with self._lock:
            try:
                table = await self._load()
            except Refusal as refusal:
                if refusal.code != "unreadable_game":
                    raise
                return self._finished_record(await self._read(0))
            actor = table.actor(token)
            if actor is None:
                raise Refusal("wrong_token", "this token holds nothing at this table")
            if not table.admits(actor) and table.result is None:
                raise Refusal("no_spectators", "this table has no spectators")
            # Long games take long: beside the event loop. The lock keeps the table as it is.
            return await asyncio.to_thread(view.record_text, table, actor.seat)

    async def film_source(self, token: str | None) -> Source:
        """Return the game for a film, as far as the holder of a token may see its past: after the
        end everything; before it a seat's own past, and for everybody else a refusal.
        """
        async with self._lock:
            table = await self._load()
            actor = table.actor(token)
            if actor is None:
                raise Refusal("wrong_token", "this token holds nothing at this table")
            game = table.game
            if game is None:
                raise Refusal("not_started", "the game has not begun")
            if table.result is None and actor.seat is None:
                raise Refusal("not_over", "until the end only players see their own past")
            record = record_of(game)
            header = table_header(record.header, table.setup)
        seat = actor.seat if table.result is None else None
        return Source(msgspec.structs.replace(record, header=header), seat, trusted=True)

    async def interludes(self, token: str | None) -> Callable[[Eyes], tuple[Interlude, ...]]:
        """Return what finds the interludes of the film from somebody's eyes, for the holder of a
        token; raises `Refusal` for whom the table does not admit.
        """
        async with self._lock:
            table = await self._load()
            actor = table.actor(token)
            if actor is None:
                raise Refusal("wrong_token", "this token holds nothing at this table")
            if not table.admits(actor):
                raise Refusal("no_spectators", "what was said is for those who were at the table")
            log = await self._read(0, table.number)
        return lambda eyes: interludes_of(table, log, eyes, actor.seat)

    def _finished_record(self, data: Sequence[bytes]) -> str | None:
        """Return the record of a finished game whose rules this version no longer has."""
        log = [read_entry(entry) for entry in data]
        table = Table.standing_at(self.id, log, None)
        if table.header is None or table.result is None:
            raise Refusal("unreadable_game", "this version cannot read the game")
        return view.finished_record(table.header, events_of(log), table)

    async def act(self, draft: Callable[[Table, float], list[AnyEntry]]) -> Table:
        """Write the entries that the server itself drafts, if any; return the table after them."""
        async with self._lock:
            for _ in range(_ATTEMPTS):
                table = await self._load()
                drafted = draft(table, self._services.now())
                if not drafted or await self._write(table, Outcome(drafted)):
                    return table
            return await self._load()

    async def catch_up(self) -> None:
        """Apply and send what another server has written to this table."""
        async with self._lock:
            table = self._table
            if table is None:
                if len(self.audience):
                    await self._load()
                return
            written = [read_entry(data) for data in await self._read(table.number)]
            self._summary = None
            try:
                table.apply(*written)
            except Diverged:
                self._table = None
                await self._load()
            else:
                self._send(table, written)

    async def _was_behind(self) -> bool:
        """Return whether another server has written what this one had not heard of; then the table
        is to be loaded again. Nobody is refused for what is no longer so.
        """
        table = self._table
        if table is None or not self._services.store.shared:
            return False
        if not await self._read(table.number, 1):
            return False
        self._table = None
        return True

    async def _take_kept_seat(
        self, table: Table, seat: int | None, commitment: str | None
    ) -> Table:
        """Take the seat that is kept for whoever connects, if there is one; return the table."""
        if seat is None:
            return table
        entry = self._services.verbs.seats.come(table, seat, self._services.now(), commitment)
        if entry is not None and not await self._write(table, Outcome([entry])):
            table = await self._load()
        return table

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
        self._table, self._seats = table, len(table.seats)
        if len(self.audience) and self._sent < table.number:
            self._send(table, [read_entry(data) for data in log[self._sent :]])
        self._sent = table.number
        return table

    async def _read(self, after: int, limit: int | None = None) -> list[bytes]:
        try:
            return await asyncio.to_thread(self._services.store.entries, self.id, after, limit)
        except StoreError as problem:
            raise self._store_refusal(problem) from problem

    async def _write(self, table: Table, outcome: Outcome) -> bool:
        """Write entries, then send them. False: another server was faster, and the table has to be
        loaded again.
        """
        number = table.number + 1
        awaited = table.awaited_people
        self._table = None  # until it is written, memory may be ahead of the store
        written = self._services.verbs.advance(table, outcome.entries, self._services.now())
        summary = summary_of(table)
        new_summary = None if _says_the_same(summary, self._summary) else summary
        self._summary = None
        appends = [Append(table.id, number, tuple(map(write_entry, written)), new_summary)]
        if outcome.created is not None:
            _, append = new_table(*outcome.created, self._services.verbs, self._services.now())
            appends.append(append)
        try:
            answers = await self._services.journal.append(*appends)
        except StoreError as problem:
            self._services.alarm(self.id, self._services.now() + 1)
            raise self._store_refusal(problem) from problem
        if not answers[0]:
            return False
        self._table, self._summary = table, summary
        self._send(table, written)
        self._services.alarm(self.id, summary.due)
        for seat, url in table.hooks.items():
            if url and seat in table.awaited_people and seat not in awaited:
                self._services.call(self.id, url)
        return True

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
        note("store_error", table=self.id, code=problem.code, problem=str(problem))
        self._services.metrics.count("store_errors_total", problem.code)
        return Refusal(problem.code, "nothing was changed; try again later")


def new_table(
    id: str, created: entries.Created, verbs: Verbs, now: float, *more: AnyEntry
) -> tuple[Table, Append]:
    """Return a new table and its first append, with `more` entries; its game begins if no seat is
    open.
    """
    table = Table(id)
    written = verbs.advance(table, [created, *more], now)
    return table, Append(id, 1, tuple(map(write_entry, written)), summary_of(table))


def summary_of(table: Table) -> Summary:
    """Return what the store keeps of a table besides its log."""
    listed = table.setup.listed
    return Summary(
        status=table.status,
        listed=listed,
        changed=table.changed,
        due=table.due,
        card=view.listed_table(table) if listed else view.room_card(table),
    )


def _says_the_same(summary: Summary, before: Summary | None) -> bool:
    """Return whether a summary need not be written again: `changed` matters where it is listed."""
    if before is None or summary.listed or before.listed:
        return False
    said = (summary.status, summary.due, summary.card)
    return said == (before.status, before.due, before.card)


def _kind(command: AnyCommand) -> str:
    return type(command).__name__.lower()
