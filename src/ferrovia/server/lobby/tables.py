"""All tables of a server process: create, find, unload, and keep in step with other servers."""

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

from ferrovia import __version__
from ferrovia.boards import Edition, TicketPack
from ferrovia.boards.packs import BoxedPack
from ferrovia.server.bots.autoplay import Autoplay
from ferrovia.server.bots.hints import Hints
from ferrovia.server.bots.pool import BotPool
from ferrovia.server.catalog import Catalog, level_names
from ferrovia.server.lobby.creators import Creators
from ferrovia.server.lobby.new_boards import NewBoards
from ferrovia.server.lobby.push import GONE, Push
from ferrovia.server.lobby.table_list import arrange
from ferrovia.server.lobby.webhooks import Post, Webhooks
from ferrovia.server.logs import note, note_failure, note_store_error
from ferrovia.server.metrics import Metrics
from ferrovia.server.networks import site_of
from ferrovia.server.processes.queue import Standing
from ferrovia.server.protocol import from_client, from_server
from ferrovia.server.protocol.workshop import MakeBoard
from ferrovia.server.rates import RateLimiters
from ferrovia.server.refusals import Close, Refusal
from ferrovia.server.settings import Settings
from ferrovia.server.store import Damage, Journal, Store, StoreDamaged, StoreError, StoreProbe
from ferrovia.server.store.clock import CHECK_SECONDS, StoreClock
from ferrovia.server.store.interface import WORD_KEY, Took
from ferrovia.server.store.maintenance.check import check_beside
from ferrovia.server.table.alarm import Alarm
from ferrovia.server.table.authority import Authority, Services
from ferrovia.server.table.context import Terms
from ferrovia.server.table.entries import AnyEntry, Created, Subscribed, read_entry
from ferrovia.server.table.summary import new_table
from ferrovia.server.table.table import Table
from ferrovia.server.table.verbs.create import create, created_before
from ferrovia.server.table.verbs.fork import Beginning
from ferrovia.server.table.viewers.presence import Presences

_LISTED_SECONDS = 7 * 86400.0
_LISTED_TABLES = 100
_LISTED_FROM = 1000  # of which those are chosen
_SWEEP_SECONDS = 2.0
_SWEEP_TABLES = 1000
_TOOLS_SECONDS = 1.0  # until it is noticed what a tool has written
_SILENT_FOR = 3  # heartbeats missed, and a server is taken for gone
_DAMAGES_LOGGED = 20
_STORED_TOO_MUCH = "too much was set up from this network; try again later"
_SHARED_GRACE = 5.0  # seconds in which the server that wrote last does what is due itself
_RELEASED = 5  # viewers at a time who are sent to another server, if there are not too many
_RELEASE_PAUSE = 0.05
_RELEASE_SECONDS = 10.0  # for all of them


class Tables:
    """The tables of one server; those in use are in memory."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        metrics: Metrics,
        journal: Callable[[Store, Took], Journal],
        pool: BotPool,
        post: Post,
        make_board: Callable[[MakeBoard], Awaitable[bytes]],
        now: Callable[[], float] | None = None,
    ) -> None:
        self._clock = StoreClock(store)
        self.now = now = now or self._clock.now
        self.catalog = Catalog(settings.boards, settings.programs, settings.bots, settings.packs)
        self._settings = settings
        self._store = store
        self._authorities: dict[str, Authority] = {}
        self.damages: tuple[Damage, ...] = ()
        self._new_boards = NewBoards(self.catalog, make_board)
        self._creators = Creators()
        self._stored = RateLimiters(settings.limits.stored_bytes)
        self._awake = 0  # bytes of the logs of tables in memory
        self._pool = pool
        self.hints = Hints(self.catalog, pool)
        self._alarm = Alarm(self._autoplay, now)
        self._probe = StoreProbe(store.probe)

        def took(seconds: float, _: int) -> None:
            metrics.observe("append_seconds", seconds)
            self._probe.note_written()

        terms = Terms(self.catalog, settings)
        self._webhooks = Webhooks(settings.webhooks, settings.public_url, post)
        self._push = Push(store, settings.public_url or "") if settings.pushes else None
        self._presences = Presences(store.shared)
        self._services = Services(
            store,
            journal(store, took),
            terms,
            metrics,
            now,
            self._alarm.set,
            self._presences,
            self._call,
            self._tell_browser,
            self._weigh,
            self._count_stored,
            self._new_boards.prepare,
        )
        self._bots = Autoplay(
            terms,
            self._pool,
            metrics,
            now,
            settings.bot_pace,
            now() + settings.clock_grace,
            self._standing,
        )
        metrics.gauge("store_damages", lambda: len(self.damages))
        metrics.gauge("bot_queue", lambda: self._pool.waiting)
        metrics.gauge("tables_awake", lambda: sum(a.loaded for a in self._authorities.values()))
        metrics.gauge("awake_bytes", lambda: self._awake)
        metrics.gauge("viewers", lambda: sum(len(a.audience) for a in self._authorities.values()))
        self.word_key = b""
        self._server_gone = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def store(self) -> Store:
        """The store of the server."""
        return self._store

    async def open(self) -> None:
        """Start the background tasks."""
        await self.push_key()  # made at the first start
        if self._settings.word is not None:
            self.word_key = await asyncio.to_thread(self._kept_word_key)
        tasks = [
            self._alarm.run,
            self._sweep,
            self._unload_unused,
            self._check_store,
            self._check_clock,
            self._listen,
        ]
        if self._store.shared:
            tasks += [self._publish, self._send_heartbeats]
        self._tasks = [asyncio.create_task(task()) for task in tasks]

    async def close(self) -> None:
        """Stop the tasks, finish what is being written, and close the store, in this order."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._alarm.close()
        await self._webhooks.close()
        await self._pool.close()
        await self._publish_the_last()
        await self._services.journal.close()
        await asyncio.to_thread(self._store.close)

    async def release_viewers(self) -> None:
        """Send all viewers to the other servers of the store, a few at a time: all at once, they
        would have to wait for each other there. Without other servers nothing is done.
        """
        if not self._store.shared:
            return
        viewers = [
            viewer for one in self._authorities.values() for viewer in tuple(one.audience.viewers)
        ]
        at_once = max(round(len(viewers) * _RELEASE_PAUSE / _RELEASE_SECONDS), _RELEASED)
        for first in range(0, len(viewers), at_once):
            for viewer in viewers[first : first + at_once]:
                viewer.close(Close.RESTART)
            await asyncio.sleep(_RELEASE_PAUSE)

    def authority(self, table: str) -> Authority:
        """Return the authority of a table; whether the table exists is not checked."""
        found = self._authorities.get(table)
        if found is None:
            found = self._authorities[table] = Authority(table, self._services)
        return found

    async def create(
        self,
        request: from_client.CreateTable,
        token: str | None,
        address: str = "?",
    ) -> from_server.TableCreated:
        """Create a table for somebody at an address and return its id and tokens; its game begins
        if no seat is open.
        """
        site = site_of(address)
        if not self._stored.allows(site, time.monotonic()):
            raise Refusal("too_fast", _STORED_TOO_MUCH)
        kept = await self._new_boards.prepare(request.edition, site)
        self._stored.charge(site, time.monotonic(), kept)
        return await self._create(request, token, address, lambda _: ())

    async def fork(
        self, beginning: Beginning, token: str | None, address: str = "?"
    ) -> from_server.TableCreated:
        """Create a practice table whose game goes on from a moment of another one."""

        def started(created: Created) -> tuple[AnyEntry, ...]:
            name = next(place.name for place in created.places if place.kind == "person")
            return (beginning.started(name, created.at),)

        return await self._create(beginning.request, token, address, started)

    async def _create(
        self,
        request: from_client.CreateTable,
        token: str | None,
        address: str,
        more: Callable[[Created], tuple[AnyEntry, ...]],
    ) -> from_server.TableCreated:
        now, terms = self.now(), self._services.terms
        created, answer = create(request, token, now, terms)
        table, append = new_table(answer.table, created, now, terms, *more(created))
        size = sum(map(len, append.entries))
        if not self._stored.take(site_of(address), time.monotonic(), size):
            raise Refusal("too_fast", _STORED_TOO_MUCH)
        try:
            if not (await self._services.journal.append(append))[0]:
                # The same request has come before, and its table is the answer.
                log = await asyncio.to_thread(self._store.entries, answer.table)
                before = read_entry(log[0])
                assert isinstance(before, Created)
                assert token is not None
                return created_before(answer.table, before, token, request)
        except StoreError as problem:
            note_store_error(problem.code, problem)
            raise Refusal(problem.code, "no table was set up; try again later") from problem
        self._creators.add(table.id, site_of(address))
        self._alarm.set(table.id, table.due)
        return answer

    def offerings(self) -> from_server.Offerings:
        """Return what a table can be set up with."""
        return from_server.Offerings(
            version=__version__,
            editions=tuple(map(_edition_info, self.catalog.editions())),
            packs=tuple(_pack_info(*pack) for pack in self.catalog.offered_packs()),
            bots=self.catalog.bots(),
            levels=level_names(),
        )

    async def listing(self) -> list[bytes]:
        """Return the listed tables as JSON, those at which somebody is first, and newest first."""
        since, attended = self.now() - _LISTED_SECONDS, self._attended_tables()
        try:
            newest = await asyncio.to_thread(self._store.listing, since, _LISTED_FROM)
            # However many have been set up since, nobody pushes out those at which somebody is.
            there = await asyncio.to_thread(self._store.cards, attended)
        except StoreError as problem:
            raise Refusal(problem.code, "the store cannot be read") from problem
        return arrange(
            dict.fromkeys((*newest, *there)),
            self._creators.address_of,
            self._attended,
            self._settings.limits.listed_of_address,
            _LISTED_TABLES,
        )

    async def room(self, code: str) -> str:
        """Return the table for the room that has this code; raises `Refusal` if its door is not
        open, or there is none.
        """
        try:
            found = await asyncio.to_thread(self._store.rooms, code.encode())
        except StoreError as problem:
            raise Refusal(problem.code, "the store cannot be read") from problem
        if not found:
            raise Refusal("no_such_room", "no table with an open door has this code")
        return found[0]

    def _standing(self, authority: Authority, table: Table) -> Standing:
        """Return how a table stands in the queue for the bots: first those at which people play and
        somebody is watching, last those of bots alone that nobody watches.
        """
        people = any(seat.kind == "person" and not seat.away for seat in table.seats)
        player = authority.audience.player_address
        address = player or self._creators.address_of(authority.id) or ""
        return Standing(2 - people - authority.watched, site_of(address))

    def _weigh(self, bytes: int) -> None:
        self._awake += bytes
        if bytes > 0 and self._awake > self._settings.limits.awake_bytes:
            self._unload_least_used()

    def _count_stored(self, table: str, bytes: int) -> None:
        """Count what is written at a table for the network that has set it up."""
        site = self._creators.address_of(table)
        if site is not None:
            self._stored.charge(site, time.monotonic(), bytes)

    def _unload_least_used(self) -> None:
        """Drop tables that nobody watches from memory until a fifth of its room is free again."""
        enough = 0.8 * self._settings.limits.awake_bytes
        for id, authority in sorted(self._authorities.items(), key=lambda one: one[1].used):
            if self._awake <= enough:
                return
            if not len(authority.audience) and not authority.busy:
                authority.unload()
                if not self._alarm.runs(id):
                    del self._authorities[id]

    def _call(self, table: str, url: str, what: str) -> None:
        self._webhooks.tell(table, url, what, self._creators.address_of(table) or table)

    def _tell_browser(self, table: Table, browser: Subscribed) -> None:
        push = self._push
        if push is None:
            return
        edition = self.catalog.find(table.setup.edition, table.setup.extras).name

        async def answered(status: int) -> None:
            if status in GONE:
                forgotten = Subscribed(at=self.now(), seat=browser.seat, endpoint=browser.endpoint)
                with suppress(Refusal):
                    await self.authority(table.id).act(
                        lambda now, _: [forgotten] if browser in now.talk.told(browser.seat) else []
                    )

        self._webhooks.send(
            browser.endpoint,
            lambda: push.message(table.id, edition, browser),
            self._creators.address_of(table.id) or table.id,
            answered,
        )

    async def push_key(self) -> str | None:
        """Return the key with which browsers subscribe; None where none are told."""
        push = self._push
        return None if push is None else await asyncio.to_thread(lambda: push.key)

    def _kept_word_key(self) -> bytes:
        made = secrets.token_bytes(32)
        return self._store.secret(WORD_KEY) or self._store.keep_secret(WORD_KEY, made)

    def _attended_tables(self) -> list[str]:
        """Return tables at which players are, here or at another server, few of each network."""
        here = (id for id, one in self._authorities.items() if one.audience.present.seats)
        found: list[str] = []
        counts: Counter[str] = Counter()
        for table in (*here, *self._presences.attended()):
            address = self._creators.address_of(table) or table
            counts[address] += 1
            if counts[address] <= _LISTED_TABLES:
                found.append(table)
        return found[:_LISTED_FROM]

    def _attended(self, table: str) -> bool:
        """Return whether a player of a table is connected, here or at another server."""
        authority = self._authorities.get(table)
        if authority is not None and authority.audience.present.seats:
            return True
        return any(there.seats for there in self._presences.elsewhere(table))

    async def check(self) -> None:
        """Check that the store takes writes and is not damaged as a whole; raises `StoreError`."""
        await self._probe.check()
        for damage in self.damages:
            if damage.table is None:
                raise StoreDamaged(None, None, damage.problem)

    async def publish_address(self, address: str) -> None:
        """Write where people reach this server, for others that find the store in use."""
        try:
            await asyncio.to_thread(self._store.publish_address, address)
        except StoreError as problem:
            note_store_error(problem.code, problem)

    async def _autoplay(self, table: str) -> float | None:
        return await self._bots.run(self.authority(table))

    async def _sweep(self) -> None:
        """Find what is due in the store: after a restart, or left undone by another server. This
        happens at once when another server has gone, so that nobody waits for it.
        """
        while True:
            gone = self._server_gone.is_set()
            self._server_gone.clear()
            grace = _SHARED_GRACE if self._store.shared and not gone else 0.0
            try:
                due = await asyncio.to_thread(self._store.due, self.now() - grace, _SWEEP_TABLES)
                self._alarm.add_missing(due)
            except StoreError as problem:
                note_store_error(problem.code, problem)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._server_gone.wait(), _SWEEP_SECONDS)

    async def _check_clock(self) -> None:
        """Compare this machine's clock with that of the store, again and again."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            try:
                await asyncio.to_thread(self._clock.check)
            except StoreError as problem:
                note_store_error(problem.code, problem)

    async def _check_store(self) -> None:
        """Raise the alarm if the store is damaged; a large one is checked while games go on."""
        report = self._store.report
        try:
            if report is None:
                report = await check_beside(self._store.address)
                note("store_checked", tables=report.tables, entries=report.entries)
        except StoreError as problem:
            note("store_unchecked", level=logging.WARNING, problem=str(problem))
            return
        self.damages = tuple(report.damages)
        if report.damages:
            note("store_damaged", level=logging.ERROR, damages=len(report.damages))
        for damage in report.damages[:_DAMAGES_LOGGED]:
            note(
                "store_damaged",
                level=logging.ERROR,
                table=damage.table,
                entry=damage.number,
                problem=damage.problem,
            )

    async def _unload_unused(self) -> None:
        """Drop tables from memory that nobody has used for a while."""
        while True:
            await asyncio.sleep(min(self._settings.sleep_after, 10.0))
            before = time.monotonic() - self._settings.sleep_after
            for id, authority in list(self._authorities.items()):
                if authority.used < before and not authority.busy and not self._alarm.runs(id):
                    authority.unload()
                    if not len(authority.audience):
                        del self._authorities[id]

    async def _listen(self) -> None:
        """Follow what other servers write and publish, and what is done to the store by tools."""
        while True:
            try:
                if not self._store.shared:
                    await asyncio.sleep(_TOOLS_SECONDS)
                watched = self._authorities.__contains__
                heard = await asyncio.to_thread(self._store.heard, 1.0, watched)
                written = list(self._authorities) if heard is None else []
                if heard is None:
                    self._ask_who_is_present()
                for news in heard or ():
                    if not self._presences.knows(news.sender):
                        self._ask_who_is_present()  # it is new here, or was silent for too long
                    present = self._presences.receive(news, time.monotonic())
                    if present is not None and present.leaving:
                        self._forget_silent()
                    elif present is not None:
                        self._send_presence(news.table, answer=present.asks)
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
                authority.attendance.announce(asks=True)

    def _send_presence(self, table: str, *, answer: bool = False) -> None:
        authority = self._authorities.get(table)
        if authority is None or not len(authority.audience):
            return
        authority.attendance.hear()
        if answer:
            authority.attendance.announce()

    async def _publish(self) -> None:
        """Send to the other servers who is present here."""
        while True:
            table, message = await self._presences.outgoing.get()
            try:
                await asyncio.to_thread(self._store.announce, table, message)
            except StoreError as problem:
                note_store_error(problem.code, problem)

    async def _send_heartbeats(self) -> None:
        """Publish that this server is alive, and notice when another one is not."""
        seconds = self._settings.alive_seconds
        while True:
            self._presences.outgoing.put_nowait(("", ""))
            await asyncio.sleep(seconds)
            self._forget_silent()

    def _forget_silent(self) -> None:
        """Take over from servers that have gone, and send who is present without them."""
        before = time.monotonic() - _SILENT_FOR * self._settings.alive_seconds
        if self._presences.silent(before):
            self._server_gone.set()
        for table in self._presences.forget(before):
            self._send_presence(table)

    async def _publish_the_last(self) -> None:
        """Publish that the last viewers and this server have gone, if the store still works."""
        self._presences.publish_leaving()
        with suppress(StoreError):
            while not self._presences.outgoing.empty():
                message = self._presences.outgoing.get_nowait()
                await asyncio.to_thread(self._store.announce, *message)


def _edition_info(edition: Edition) -> from_server.EditionInfo:
    return from_server.EditionInfo(
        id=edition.id,
        name=edition.name,
        board=edition.board.id,
        seats_min=edition.seats[0],
        seats_max=edition.seats[1],
    )


def _pack_info(boxed: BoxedPack, pack: TicketPack | None) -> from_server.PackInfo:
    return from_server.PackInfo(
        name=boxed.name,
        board=boxed.board,
        cards=boxed.cards,
        known=boxed.known,
        tickets=tuple(
            from_client.PackTicket(
                a=ticket.a, b=ticket.b, points=ticket.points, long=ticket.long, mark=ticket.big_city
            )
            for ticket in (pack.tickets if pack else ())
        ),
    )
