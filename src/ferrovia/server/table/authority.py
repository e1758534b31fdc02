"""One game's authority: all that happens at a table in this process goes through here.

It knows two seams, the store and the audience. One thing at a time: what is accepted is written
and synced, then told. Whenever the store and the memory might differ, the memory is let go.
"""

import asyncio
import dataclasses
import time
from collections.abc import Callable, Sequence

import msgspec

from ferrovia.server.logs import note
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol import AnyCommand, JoinTable, view
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.store import Append, Journal, Store, StoreError, Summary
from ferrovia.server.table import entries
from ferrovia.server.table.audience import Audience, Viewer
from ferrovia.server.table.commands import Outcome, Verbs
from ferrovia.server.table.entries import AnyEntry, read_entry, write_entry
from ferrovia.server.table.presence import Presences
from ferrovia.server.table.resume import UnreadableGame, resume
from ferrovia.server.table.table import SPECTATOR, Diverged, Table, events_of

_ATTEMPTS = 5


@dataclasses.dataclass(frozen=True, slots=True)
class Office:
    """What all authorities of a server share. `alarm` is told when a table needs the server."""

    store: Store
    journal: Journal
    verbs: Verbs
    metrics: Metrics
    now: Callable[[], float]
    alarm: Callable[[str, float | None], None]
    presences: Presences


class Authority:
    """The one who decides at one table."""

    def __init__(self, id: str, office: Office) -> None:
        self.id = id
        self.audience = Audience()
        self.used = time.monotonic()
        self._office = office
        self._lock = asyncio.Lock()
        self._table: Table | None = None
        self._told = 0  # the number of the last entry that the audience knows
        self._seats = 0
        self._summary: Summary | None = None  # the one in the store, as far as it is known

    @property
    def awake(self) -> bool:
        return self._table is not None

    @property
    def busy(self) -> bool:
        return self._lock.locked()

    def sleep(self) -> None:
        """Let go of the memory; the log has everything."""
        if not self.busy:
            self._table = None

    async def perform(self, token: str | None, command: AnyCommand) -> int:
        """Carry a command out, once; gives the number of the entry that tells of it."""
        async with self._lock:
            for _ in range(_ATTEMPTS):
                table = await self._wake()
                actor = table.actor(token) or SPECTATOR
                done = table.commands.get((actor.number, command.id))
                if done is not None and actor != SPECTATOR:
                    return done
                outcome = self._office.verbs.carry_out(table, actor, command, self._office.now())
                number = table.number + 1
                if await self._write(table, outcome):
                    self._office.metrics.count("commands_accepted_total", _kind(command))
                    return number
            raise Refusal("store_locked", "too many others write to this table")

    async def join(self, wish: JoinTable, token: str) -> int:
        """Take a seat; a token that holds one already keeps it."""
        async with self._lock:
            for _ in range(_ATTEMPTS):
                table = await self._wake()
                actor = table.actor(token)
                if actor is not None and actor.seat is not None:
                    return actor.seat
                entry = self._office.verbs.seat.join(table, wish, token, self._office.now())
                if await self._write(table, Outcome([entry])):
                    return entry.seat
            raise Refusal("store_locked", "too many others write to this table")

    async def connect(self, viewer: Viewer, known: int | None) -> None:
        """Begin to tell a viewer: the events that they miss and how things stand."""
        async with self._lock:
            table = await self._wake()
            actor = table.actor(viewer.token)
            if actor is None:
                raise Refusal("wrong_token", "this token holds nothing at this table")
            if actor == SPECTATOR and not table.setup.spectators:
                raise Refusal("no_spectators", "this table has no spectators")
            viewer.seat = actor.seat
            table = await self._take_kept_seat(table, actor.seat)
            since = table.number
            missing: list[view.NumberedEntry] = []
            if known is not None and known <= table.number:
                since = known
                log = await self._read(since)
                missing = list(enumerate(map(read_entry, log), start=since + 1))
            self.audience.viewers.add(viewer)
            viewer.tell(view.Showing(table).state(viewer.seat, missing, since))
            self.announce(asks=len(self.audience) == 1)

    def disconnect(self, viewer: Viewer) -> None:
        self.audience.viewers.discard(viewer)
        self.announce()

    def announce(self, *, asks: bool = False) -> None:
        """Tell the viewers, here and at other servers, who is present."""
        self.tell_presence()
        here = msgspec.structs.replace(self.audience.present, asks=asks)
        self._office.presences.tell(self.id, here)

    def tell_presence(self) -> None:
        """Tell the viewers here who is present."""
        self.audience.tell_presence(self._seats, self._office.presences.elsewhere(self.id))

    async def look(self) -> Table:
        """The table as it stands, to read from and nothing else."""
        async with self._lock:
            return await self._wake()

    async def record(self, token: str | None) -> str | None:
        """The record of the game as the holder of a token may have it; None before the game."""
        async with self._lock:
            try:
                table = await self._wake()
            except Refusal as refusal:
                if refusal.code != "unreadable_game":
                    raise
                return self._finished_record(await self._read(0))
            actor = table.actor(token)
            if actor is None:
                raise Refusal("wrong_token", "this token holds nothing at this table")
            if actor == SPECTATOR and not table.setup.spectators and table.status != "over":
                raise Refusal("no_spectators", "this table has no spectators")
            return view.record_text(table, actor.seat)

    def _finished_record(self, log: Sequence[bytes]) -> str | None:
        """What was told by rules that are no more is still told, once the game is over."""
        told = [read_entry(data) for data in log]
        table = Table.standing_at(self.id, told, None)
        if table.header is None or table.status != "over":
            raise Refusal("unreadable_game", "this version cannot read the game")
        return view.finished_record(table.header, events_of(told), table)

    async def act(self, draft: Callable[[Table, float], list[AnyEntry]]) -> Table:
        """Let the server itself write entries; none is no entry. Gives the table after it."""
        async with self._lock:
            for _ in range(_ATTEMPTS):
                table = await self._wake()
                drafted = draft(table, self._office.now())
                if not drafted or await self._write(table, Outcome(drafted)):
                    return table
            return await self._wake()

    async def catch_up(self) -> None:
        """Another server has written to this table: take it up and tell it."""
        async with self._lock:
            table = self._table
            if table is None:
                if len(self.audience):
                    await self._wake()
                return
            happened = [read_entry(data) for data in await self._read(table.number)]
            self._summary = None
            try:
                table.apply(*happened)
            except Diverged:
                self._table = None
                await self._wake()
            else:
                self._tell(table, happened)

    async def _take_kept_seat(self, table: Table, seat: int | None) -> Table:
        """Whoever comes for a seat that was kept for them takes it."""
        if seat is None:
            return table
        entry = self._office.verbs.seat.come(table, seat, self._office.now())
        if entry is not None and not await self._write(table, Outcome([entry])):
            table = await self._wake()
        return table

    async def _wake(self) -> Table:
        """The table, from memory or from its log; the audience is told what it has missed."""
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
        self._office.metrics.observe("resume_seconds", time.perf_counter() - started)
        self._office.metrics.count("games_resumed_total")
        self._table, self._seats = table, len(table.seats)
        if len(self.audience) and self._told < table.number:
            self._tell(table, [read_entry(data) for data in log[self._told :]])
        self._told = table.number
        return table

    async def _read(self, after: int) -> list[bytes]:
        try:
            return await asyncio.to_thread(self._office.store.entries, self.id, after)
        except StoreError as problem:
            raise self._store_refusal(problem) from problem

    async def _write(self, table: Table, outcome: Outcome) -> bool:
        """Write entries, then take them up and tell them. False: somebody else was faster, and
        the table has to be taken from the log again.
        """
        number = table.number + 1
        self._table = None  # until it is written, the memory is not to be trusted
        written = self._office.verbs.advance(table, outcome.entries, self._office.now())
        summary = summary_of(table)
        news = None if _says_the_same(summary, self._summary) else summary
        self._summary = None
        appends = [Append(table.id, number, tuple(map(write_entry, written)), news)]
        if outcome.founded is not None:
            _, append = new_table(*outcome.founded, self._office.verbs, self._office.now())
            appends.append(append)
        try:
            answers = await self._office.journal.append(*appends)
        except StoreError as problem:
            self._office.alarm(self.id, self._office.now() + 1)
            raise self._store_refusal(problem) from problem
        if not answers[0]:
            return False
        self._table, self._summary = table, summary
        self._tell(table, written)
        self._office.alarm(self.id, table.due)
        return True

    def _tell(self, table: Table, happened: Sequence[AnyEntry]) -> None:
        since = table.number - len(happened)
        self._told = table.number
        if not happened or not len(self.audience):
            return
        if not all(isinstance(entry, entries.Decided) for entry in happened):
            self.audience.seat_again(table)
        self.audience.tell(table, list(enumerate(happened, start=since + 1)), since)

    def _store_refusal(self, problem: StoreError) -> Refusal:
        note("store_error", table=self.id, code=problem.code, problem=str(problem))
        self._office.metrics.count("store_errors_total", problem.code)
        return Refusal(problem.code, "nothing was changed; try again later")


def new_table(id: str, created: entries.Created, verbs: Verbs, now: float) -> tuple[Table, Append]:
    """Return a new table and what the store is given for it; without an open seat it begins."""
    table = Table(id)
    written = verbs.advance(table, [created], now)
    return table, Append(id, 1, tuple(map(write_entry, written)), summary_of(table))


def summary_of(table: Table) -> Summary:
    """What the store knows of a table without its log."""
    listed = table.setup.listed
    return Summary(
        status=table.status,
        listed=listed,
        changed=table.changed,
        due=table.due,
        card=view.listed_table(table) if listed else b"",
    )


def _says_the_same(summary: Summary, before: Summary | None) -> bool:
    """Whether a summary need not be written again: when it changed matters in the list alone."""
    if before is None or summary.listed:
        return False
    return dataclasses.replace(summary, changed=before.changed) == before


def _kind(command: AnyCommand) -> str:
    return type(command).__name__.lower()
