"""All tables of a server process: founding, finding, letting go."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from ferrovia.server import protocol
from ferrovia.server.bots.attendant import Attendant
from ferrovia.server.bots.hints import Hints
from ferrovia.server.bots.pool import Thinkers
from ferrovia.server.logs import note, note_failure
from ferrovia.server.metrics import Metrics
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.settings import Settings
from ferrovia.server.store import Journal, Store, StoreError
from ferrovia.server.table.alarm import Alarm
from ferrovia.server.table.authority import Authority, Office, new_table
from ferrovia.server.table.catalog import Catalog
from ferrovia.server.table.commands import Verbs
from ferrovia.server.table.presence import Presences

_LISTED_SECONDS = 7 * 86400.0
_LISTED_TABLES = 100
_SWEEP_SECONDS = 2.0
_SWEEP_TABLES = 1000
_SILENT_FOR = 3  # times the seconds between two signs of life, and a server is taken for gone
_SHARED_GRACE = 5.0  # so long, the server that wrote last is left to do what follows from it


class Tables:
    """The tables of one server, in memory while something happens at them."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        metrics: Metrics,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.catalog = Catalog(settings.boards, settings.programs)
        self._settings = settings
        self._store = store
        self._now = now
        self._authorities: dict[str, Authority] = {}
        self._thinkers = Thinkers(settings.bot_workers, settings.bot_seconds, settings.programs)
        self.hints = Hints(self.catalog, self._thinkers)
        self._alarm = Alarm(self._attend, now)
        took: Callable[[float, int], None] = lambda seconds, _: metrics.observe(  # noqa: E731
            "append_seconds", seconds
        )
        verbs = Verbs(self.catalog, settings.patience, settings.shortest_turn)
        self._presences = Presences(store.shared)
        self._office = Office(
            store,
            Journal(store, took=took),
            verbs,
            metrics,
            now,
            self._alarm.set,
            self._presences,
        )
        self._attendant = Attendant(
            verbs, self._thinkers, metrics, now, settings.bot_pace, now() + settings.clock_grace
        )
        metrics.gauge("tables_awake", lambda: sum(a.awake for a in self._authorities.values()))
        metrics.gauge("viewers", lambda: sum(len(a.audience) for a in self._authorities.values()))
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Begin to attend, to listen to other servers, and to let go of what sleeps."""
        works = [self._alarm.run, self._sweep, self._let_go]
        if self._store.shared:
            works += [self._listen, self._announce, self._be_alive]
        self._tasks = [asyncio.create_task(work()) for work in works]

    async def close(self) -> None:
        """End in order: nothing new, then what is being written, then the store."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._alarm.close()
        await self._thinkers.close()
        await self._say_goodbye()
        await self._office.journal.close()
        await asyncio.to_thread(self._store.close)

    def authority(self, table: str) -> Authority:
        """The authority of a table, which may not exist."""
        found = self._authorities.get(table)
        if found is None:
            found = self._authorities[table] = Authority(table, self._office)
        return found

    async def found(self, wish: protocol.CreateTable, token: str | None) -> protocol.TableCreated:
        """Set up a table; its game begins when no seat is open."""
        created, answer = self._office.verbs.found.found(wish, token, self._now())
        table, append = new_table(answer.table, created, self._office.verbs, self._now())
        try:
            # False: the same wish has come before, and its table is the one.
            await self._office.journal.append(append)
        except StoreError as problem:
            note("store_error", code=problem.code, problem=str(problem))
            raise Refusal(problem.code, "no table was set up; try again later") from problem
        self._alarm.set(table.id, table.due)
        return answer

    async def listing(self) -> list[bytes]:
        """The listed tables, newest first, as JSON."""
        since = self._now() - _LISTED_SECONDS
        try:
            return await asyncio.to_thread(self._store.listing, since, _LISTED_TABLES)
        except StoreError as problem:
            raise Refusal(problem.code, "the store cannot be read") from problem

    async def check(self) -> None:
        """Whether the store answers; raises StoreError."""
        await asyncio.to_thread(self._store.due, 0.0, 1)

    async def _attend(self, table: str) -> float | None:
        return await self._attendant.attend(self.authority(table))

    async def _sweep(self) -> None:
        """Look into the store for what is due: after a restart, or left by another server."""
        grace = _SHARED_GRACE if self._store.shared else 0.0
        while True:
            try:
                due = await asyncio.to_thread(self._store.due, self._now() - grace, _SWEEP_TABLES)
                self._alarm.sweep(due)
            except StoreError as problem:
                note("store_error", code=problem.code, problem=str(problem))
            await asyncio.sleep(_SWEEP_SECONDS)

    async def _let_go(self) -> None:
        """Drop from memory what nobody has used for a while."""
        while True:
            await asyncio.sleep(min(self._settings.sleep_after, 10.0))
            before = time.monotonic() - self._settings.sleep_after
            for id, authority in list(self._authorities.items()):
                if authority.used < before and not authority.busy and not self._alarm.attends(id):
                    authority.sleep()
                    if not len(authority.audience):
                        del self._authorities[id]

    async def _listen(self) -> None:
        """Take up what other servers write."""
        while True:
            try:
                told = await asyncio.to_thread(self._store.heard, 1.0)
                written = list(self._authorities) if told is None else []
                if told is None:
                    self._ask_who_is_present()
                for news in told or ():
                    if not self._presences.knows(news.sender):
                        self._ask_who_is_present()  # it is new here, or was silent for too long
                    present = self._presences.take(news, time.monotonic())
                    if present is not None:
                        self._show_presence(news.table, answer=present.asks)
                    elif news.table:
                        written.append(news.table)
                for table in dict.fromkeys(written):
                    if table in self._authorities:
                        await self._authorities[table].catch_up()
            except (StoreError, Refusal) as problem:
                note("listening_failed", problem=str(problem))
                await asyncio.sleep(1.0)
            except Exception:
                note_failure("listening_failed")
                await asyncio.sleep(1.0)

    def _ask_who_is_present(self) -> None:
        for authority in self._authorities.values():
            if len(authority.audience):
                authority.announce(asks=True)

    def _show_presence(self, table: str, *, answer: bool = False) -> None:
        authority = self._authorities.get(table)
        if authority is None or not len(authority.audience):
            return
        if answer:
            authority.announce()
        else:
            authority.tell_presence()

    async def _announce(self) -> None:
        """Tell the other servers who is present here."""
        while True:
            table, said = await self._presences.outgoing.get()
            try:
                await asyncio.to_thread(self._store.announce, table, said)
            except StoreError as problem:
                note("store_error", code=problem.code, problem=str(problem))

    async def _be_alive(self) -> None:
        """Let the others know that this server is there, and notice when one of them is not."""
        seconds = self._settings.alive_seconds
        while True:
            self._presences.outgoing.put_nowait(("", ""))
            await asyncio.sleep(seconds)
            for table in self._presences.forget(time.monotonic() - _SILENT_FOR * seconds):
                self._show_presence(table)

    async def _say_goodbye(self) -> None:
        """The last who were present have gone: say so, if the store still listens."""
        with suppress(StoreError):
            while not self._presences.outgoing.empty():
                said = self._presences.outgoing.get_nowait()
                await asyncio.to_thread(self._store.announce, *said)
