"""The store in PostgreSQL, for any number of servers on one database."""

import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from math import inf
from typing import Any, LiteralString

from ferrovia.server.store import chain, migrations
from ferrovia.server.store.interface import (
    Append,
    Mode,
    Notification,
    Stored,
    StoreGone,
    StoreInUse,
    StoreReport,
    TableSummary,
)
from ferrovia.server.store.postgresql.connection import (
    ANSWER_SECONDS,
    Connection,
    PersistentConnection,
    Watch,
    without_password,
)

_CHANNEL = "ferrovia"

_TO_SERVE = (
    "SET statement_timeout = '4s'",
    "SET lock_timeout = '3s'",
    "SET idle_in_transaction_session_timeout = '10s'",
)
_HEADS = 10_000
_MIGRATING = 0x0FE440  # the advisory lock for migrations

_LOCK = """SELECT game, number, head FROM ferrovia_tables WHERE game = ANY(%s)
    ORDER BY game FOR UPDATE"""
_CREATE = """INSERT INTO ferrovia_tables (game, status, listed, changed, due, card)
    SELECT game, '', false, 0, NULL, '' FROM unnest(%s::text[]) AS r (game)
    ON CONFLICT DO NOTHING RETURNING game"""
# One statement for a whole batch: entries, heads, summaries, and the news for other servers.
_WRITE = """WITH
    heads AS (UPDATE ferrovia_tables t SET number = r.number, head = r.head
        FROM unnest(%(games)s::text[], %(numbers)s::int[], %(heads)b::bytea[])
            AS r (game, number, head) WHERE t.game = r.game),
    summaries AS (UPDATE ferrovia_tables t SET status = r.status, listed = r.listed,
            changed = r.changed, due = r.due, card = r.card, number = r.number, head = r.head,
            seal = r.seal
        FROM unnest(%(s_games)s::text[], %(status)s::text[], %(listed)s::bool[],
                %(changed)s::float8[], %(due)s::float8[], %(cards)b::bytea[],
                %(s_numbers)s::int[], %(s_heads)b::bytea[], %(seals)b::bytea[])
            AS r (game, status, listed, changed, due, card, number, head, seal)
        WHERE t.game = r.game),
    entries AS (INSERT INTO ferrovia_log (game, number, entry, chain)
        SELECT * FROM unnest(%(l_games)s::text[], %(l_numbers)s::int[], %(entries)b::bytea[],
            %(chains)b::bytea[]))
    SELECT pg_notify(%(channel)s, game) FROM unnest(%(news)s::text[]) AS n (game)"""
# One entry alone, where the head is known: no transaction of several statements.
_WRITE_ONE = """WITH
    head AS (UPDATE ferrovia_tables SET number = %s, head = %b
        WHERE game = %s AND number = %s AND head = %b RETURNING game),
    entry AS (INSERT INTO ferrovia_log (game, number, entry, chain)
        SELECT game, %s, %b, %b FROM head)
    SELECT pg_notify(%s, %s) FROM head"""
_LOAD = """INSERT INTO ferrovia_tables
    (game, status, listed, changed, due, card, number, head, seal)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)"""
# The same version again is written where it was, on a full disk too. So there is also a sort that
# does not fit into its memory: for a moment a file beside those of the database, and then nothing.
_PROBE = """UPDATE ferrovia_schema SET version = version;
    SET LOCAL work_mem = '64kB';
    SELECT count(*) FROM
        (SELECT n FROM generate_series(1, 4000) AS n ORDER BY md5(n::text) OFFSET 0) AS sorted"""
_ONLY_NEWEST = """DELETE FROM ferrovia_analyses WHERE game = %(game)s AND id NOT IN
    (SELECT id FROM ferrovia_analyses WHERE game = %(game)s ORDER BY id DESC LIMIT %(most)s)"""
_LOGGED = """WITH RECURSIVE found (game) AS (SELECT min(game) FROM ferrovia_log UNION ALL
    SELECT (SELECT min(game) FROM ferrovia_log l WHERE l.game > found.game) FROM found
        WHERE found.game IS NOT NULL)
    SELECT game FROM found WHERE game IS NOT NULL"""


class PostgresqlStore:
    """One connection to write, one to read and one to listen; each is reopened when it is lost.

    To `serve`, the store is created or migrated. Tools open one that exists, to `write`, or only to
    `read`.
    """

    shared = True
    report: StoreReport | None = None

    def __init__(
        self,
        url: str,
        steps: migrations.Migrations = migrations.POSTGRESQL,
        *,
        mode: Mode = "serve",
    ) -> None:
        self._me = secrets.token_hex(8)
        self.address, self.name = url, without_password(url)
        limits = _TO_SERVE if mode == "serve" else ("SET lock_timeout = '5s'",)
        seconds = ANSWER_SECONDS if mode == "serve" else inf
        self._writer = PersistentConnection(
            url, self._me, "SET synchronous_commit = on", *limits, seconds=seconds
        )
        self._reader = PersistentConnection(url, self._me, *limits, seconds=seconds)
        self._listener = PersistentConnection(url, self._me, f"LISTEN {_CHANNEL}", seconds=seconds)
        self._watch: Watch | None = None
        self._heads: dict[str, chain.Head] = {}  # those that this server has written lately
        if mode == "serve":
            self._writer.use(lambda db: _migrate(db, steps), seconds=inf)
            self._watch = Watch(self._writer, self._reader, self._listener)
            return
        found = self._writer.use(_version)
        if migrations.missing("the PostgreSQL store", found, steps) and mode == "write":
            self._writer.use(lambda db: _migrate(db, steps))

    def append(self, batch: Sequence[Append]) -> list[bool]:
        tables = sorted({append.table for append in batch})

        def write(db: Connection) -> list[bool]:
            if len(batch) == 1 and self._append_one(db, batch[0]):
                return [True]
            with db.transaction():
                # Always in the same order, so that two servers cannot deadlock.
                heads = {row[0]: chain.Head(*row[1:]) for row in db.execute(_LOCK, (tables,))}
                new = {append.table for append in batch if append.number == 1} - heads.keys()
                if new:
                    created = db.execute(_CREATE, (sorted(new),))
                    heads |= {game: chain.Head(0, chain.origin(game)) for (game,) in created}
                work = _Batch()
                written = [work.add(append, heads) for append in batch]
                if any(written):
                    db.execute(_WRITE, work.values(heads, self._me))
            self._remember(heads)
            return written

        return self._writer.use(write)

    def _append_one(self, db: Connection, append: Append) -> bool:
        """Write one entry after the head that this server wrote last; False if that is not known
        or not the head any more.
        """
        head = self._heads.pop(append.table, None)
        if head is None or append.summary is not None or len(append.entries) != 1:
            return False
        if head.number != append.number - 1:
            return False
        [entry] = append.entries
        table, number, hash = append.table, append.number, chain.link(head.hash, entry)
        where = (table, head.number, head.hash)
        news = (_CHANNEL, f"{self._me} {table} ")
        values = (number, hash, *where, number, entry, hash, *news)
        if not db.execute(_WRITE_ONE, values).rowcount:
            return False
        self._heads[table] = chain.Head(number, hash)
        return True

    def _remember(self, heads: dict[str, chain.Head]) -> None:
        self._heads |= heads
        while len(self._heads) > _HEADS:
            del self._heads[next(iter(self._heads))]

    def entries(self, table: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        # The head first: what is written meanwhile is beyond it.
        head = self._head(table) if after == 0 and limit is None else None
        rows = self.rows(table, after, None if limit is None else limit + (after > 0))
        return chain.verified_entries(table, after, rows, head)

    def rows(
        self, table: str, after: int = 0, limit: int | None = None, *, partial: bool = False
    ) -> list[chain.Row]:
        query = """SELECT entry, chain FROM ferrovia_log
            WHERE game = %s AND number >= %s ORDER BY number LIMIT %s"""
        return self._read(query, (table, after, limit))

    def _head(self, table: str) -> chain.Head | None:
        query = "SELECT number, head FROM ferrovia_tables WHERE game = %s"
        rows = self._read(query, (table,))
        return chain.Head(*rows[0]) if rows else None

    def listing(self, since: float, limit: int) -> list[bytes]:
        query = """SELECT card FROM ferrovia_tables
            WHERE listed AND status <> 'over' AND changed > %s ORDER BY changed DESC LIMIT %s"""
        return [card for (card,) in self._read(query, (since, limit))]

    def cards(self, tables: Sequence[str]) -> list[bytes]:
        query = """SELECT card FROM ferrovia_tables
            WHERE game = ANY(%s) AND listed AND status <> 'over'"""
        return [card for (card,) in self._read(query, (list(tables),))]

    def rooms(self, card: bytes) -> list[str]:
        query = """SELECT game FROM ferrovia_tables
            WHERE NOT listed AND status <> 'over' AND card <> '' AND card = %s
            ORDER BY changed DESC LIMIT 2"""
        return [table for (table,) in self._read(query, (card,))]

    def due(self, before: float, limit: int) -> list[tuple[str, float]]:
        query = "SELECT game, due FROM ferrovia_tables WHERE due <= %s ORDER BY due LIMIT %s"
        return self._read(query, (before, limit))

    def time(self) -> float:
        query = "SELECT extract(epoch FROM clock_timestamp())::double precision"
        rows = self._reader.use(lambda db: db.execute(query.encode()).fetchall())
        return float(rows[0][0])

    def probe(self) -> None:
        def write(db: Connection) -> None:
            with db.transaction():
                db.execute(_PROBE)

        self._writer.use(write)

    def analyses(self, table: str) -> list[bytes]:
        query = "SELECT body FROM ferrovia_analyses WHERE game = %s ORDER BY id DESC"
        return [body for (body,) in self._read(query, (table,))]

    def keep_analysis(self, table: str, body: bytes, most: int) -> None:
        def write(db: Connection) -> None:
            with db.transaction():
                add = "INSERT INTO ferrovia_analyses (game, body) VALUES (%s, %s)"
                db.execute(add, (table, body))
                db.execute(_ONLY_NEWEST, {"game": table, "most": most})

        self._writer.use(write)

    def shared_analyses(self, table: str) -> list[int]:
        query = "SELECT seat FROM ferrovia_shared_analyses WHERE game = %s ORDER BY seat"
        return [seat for (seat,) in self._read(query, (table,))]

    def share_analysis(self, table: str, seat: int, share: bool) -> None:
        query: LiteralString = (
            "INSERT INTO ferrovia_shared_analyses VALUES (%s, %s) ON CONFLICT DO NOTHING"
            if share
            else "DELETE FROM ferrovia_shared_analyses WHERE game = %s AND seat = %s"
        )
        self._writer.use(lambda db: db.execute(query, (table, seat)))

    def secret(self, name: str) -> bytes | None:
        if self._read("SELECT to_regclass('ferrovia_secrets')") == [(None,)]:
            return None  # a tool reads an older store as it is
        rows = self._read("SELECT value FROM ferrovia_secrets WHERE name = %s", (name,))
        return rows[0][0] if rows else None

    def keep_secret(self, name: str, value: bytes) -> bytes:
        query: LiteralString = "INSERT INTO ferrovia_secrets VALUES (%s, %s) ON CONFLICT DO NOTHING"
        self._writer.use(lambda db: db.execute(query, (name, value)))
        return self.secret(name) or value

    def announce(self, table: str, message: str) -> None:
        self._writer.use(lambda db: _notify(db, self._me, table, message))

    def publish_address(self, address: str) -> None:
        pass  # servers share this store: none is refused it

    def heard(
        self, timeout: float, wanted: Callable[[str], bool] = lambda _: True
    ) -> list[Notification] | None:
        fresh = self._listener.lost
        until = time.monotonic() + timeout

        def concerns(news: Notification) -> bool:
            if news.sender == self._me:
                return False
            return bool(news.message) or not news.table or wanted(news.table)

        def listen(db: Connection) -> list[Notification]:
            # What concerns nobody here is left here: each time the loop of the server is woken
            # costs more than all that is done for it.
            while True:
                left = max(0.0, until - time.monotonic())
                came = [
                    Notification(*news.payload.split(" ", 2))
                    for news in db.notifies(timeout=left, stop_after=1)
                ]
                heard = [news for news in came if concerns(news)]
                if heard or fresh or time.monotonic() >= until:
                    return heard

        heard = self._listener.use(listen)
        return None if fresh else heard

    def close(self) -> None:
        if self._watch is not None:
            self._watch.stop()
        for line in (self._listener, self._reader, self._writer):
            line.close()

    # For the people who run a server.

    def tables(self, *, partial: bool = False) -> list[Stored]:
        query = """SELECT game, status, listed, changed, due, card, number, head, seal
            FROM ferrovia_tables"""
        return [
            Stored(game, TableSummary(status, listed, changed, due, card), *hashed)
            for game, status, listed, changed, due, card, *hashed in self._read(query)
        ]

    def logged(self, *, partial: bool = False) -> list[str]:
        return [game for (game,) in self._read(_LOGGED)]

    def load(self, batch: Sequence[tuple[Stored, Sequence[chain.Row]]]) -> None:
        def write(db: Connection) -> None:
            with db.transaction(), db.cursor() as cursor:
                query = "COPY ferrovia_log (game, number, entry, chain) FROM STDIN (FORMAT binary)"
                with cursor.copy(query) as copy:
                    copy.set_types(["text", "int4", "bytea", "bytea"])
                    for stored, rows in batch:
                        for number, row in enumerate(rows, start=1):
                            copy.write_row((stored.table, number, *row))
                cursor.executemany(_LOAD, [_row(stored) for stored, _ in batch])

        self._writer.use(write)

    def remove(self, tables: Sequence[tuple[str, int]]) -> list[str]:
        def write(db: Connection) -> list[str]:
            with db.transaction():
                query = """DELETE FROM ferrovia_tables t USING
                    unnest(%s::text[], %s::int[]) AS r (game, number)
                    WHERE t.game = r.game AND t.number = r.number RETURNING t.game"""
                values = ([table for table, _ in tables], [number for _, number in tables])
                removed = [game for (game,) in db.execute(query, values)]
                db.execute("DELETE FROM ferrovia_log WHERE game = ANY(%s)", (removed,))
                db.execute("DELETE FROM ferrovia_analyses WHERE game = ANY(%s)", (removed,))
                db.execute("DELETE FROM ferrovia_shared_analyses WHERE game = ANY(%s)", (removed,))
                for game in removed:
                    _notify(db, self._me, game)
            return removed

        return self._writer.use(write)

    def problems(self) -> list[str]:
        # The database checks its own files: see data checksums and pg_amcheck.
        query = """SELECT 'trigger ' || tgname FROM pg_trigger
                JOIN pg_class ON pg_class.oid = tgrelid
                WHERE NOT tgisinternal AND starts_with(relname, 'ferrovia_')
            UNION SELECT 'rule ' || rulename FROM pg_rules
                WHERE starts_with(tablename, 'ferrovia_') ORDER BY 1"""
        return [f"it has {what}, which is not ours" for (what,) in self._read(query)]

    def size(self) -> int:
        query = """SELECT pg_total_relation_size('ferrovia_log')
            + pg_total_relation_size('ferrovia_tables')"""
        return int(self._read(query)[0][0])

    def hold(self) -> AbstractContextManager[object]:
        query = """SELECT count(DISTINCT application_name) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name LIKE 'ferrovia %%'
                AND application_name <> %s"""
        others = self._read(query, (f"ferrovia {self._me}",))[0][0]
        if others:
            raise StoreInUse(
                f"the store {self.name} is in use (by {others} other Ferrovia): stop its servers"
            )
        return nullcontext()  # servers that come now are noticed by what they write

    def _read(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        return self._reader.use(lambda db: db.execute(query.encode(), values).fetchall())


class _Batch:
    """The entries and summaries of a batch, to be written by one statement."""

    def __init__(self) -> None:
        self._entries: list[tuple[str, int, bytes, bytes]] = []
        self._summaries: dict[str, TableSummary] = {}
        self._news: list[str] = []

    def add(self, append: Append, heads: dict[str, chain.Head]) -> bool:
        """Add an append and advance the head of its table, if its number is the next one."""
        table = append.table
        head = heads.get(table)
        if head is None or head.number != append.number - 1:
            return False
        for entry in append.entries:
            head = chain.Head(head.number + 1, chain.link(head.hash, entry))
            self._entries.append((table, head.number, entry, head.hash))
        heads[table] = head
        if append.summary is not None or append.number == 1:
            summary = append.summary or TableSummary("waiting", False, 0.0, None, b"")
            self._summaries[table] = summary
        self._news.append(table)
        return True

    def values(self, heads: dict[str, chain.Head], me: str) -> dict[str, Any]:
        """Return the values of the statement."""
        games, numbers, entries, chains = zip(*self._entries, strict=True)
        plain = [game for game in dict.fromkeys(games) if game not in self._summaries]
        found = list(self._summaries.items())
        return {
            "channel": _CHANNEL,
            "news": [f"{me} {table} " for table in self._news],
            "games": plain,
            "numbers": [heads[game].number for game in plain],
            "heads": [heads[game].hash for game in plain],
            "s_games": [game for game, _ in found],
            "status": [summary.status for _, summary in found],
            "listed": [summary.listed for _, summary in found],
            "changed": [summary.changed for _, summary in found],
            "due": [summary.due for _, summary in found],
            "cards": [summary.card for _, summary in found],
            "s_numbers": [heads[game].number for game, _ in found],
            "s_heads": [heads[game].hash for game, _ in found],
            "seals": [chain.seal(game, summary) for game, summary in found],
            "l_games": list(games),
            "l_numbers": list(numbers),
            "entries": list(entries),
            "chains": list(chains),
        }


def _row(stored: Stored) -> tuple[Any, ...]:
    summary = stored.summary
    fields = (summary.status, summary.listed, summary.changed, summary.due, summary.card)
    seal = stored.seal or chain.seal(stored.table, summary)
    return stored.table, *fields, stored.number, stored.head, seal


def _notify(db: Connection, me: str, table: str, message: str = "") -> None:
    db.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, f"{me} {table} {message}"))


def _migrate(db: Connection, steps: migrations.Migrations) -> None:
    with db.transaction():
        db.execute("SET LOCAL statement_timeout = 0")  # a large store takes its time
        db.execute("SET LOCAL lock_timeout = 0")
        db.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
        db.execute("CREATE TABLE IF NOT EXISTS ferrovia_schema (version integer NOT NULL)")
        row = db.execute("SELECT max(version) FROM ferrovia_schema").fetchone()
        version = row[0] if row and row[0] is not None else 0
        for number, statements in migrations.missing("the PostgreSQL store", version, steps):
            for statement in statements:
                db.execute(statement.encode())
            db.execute("INSERT INTO ferrovia_schema VALUES (%s)", (number,))


def _version(db: Connection) -> int:
    """Return the version of the store in a database; raises `StoreGone` if there is none."""
    if db.execute("SELECT to_regclass('ferrovia_schema')").fetchone() == (None,):
        raise StoreGone("this database has no Ferrovia store")
    row = db.execute("SELECT coalesce(max(version), 0) FROM ferrovia_schema").fetchone()
    return int(row[0]) if row else 0
