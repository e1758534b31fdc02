"""Appends of many tables in few statements.

The thread that writes gives up the interpreter at every statement, and while the server is busy it
waits for it each time, up to five milliseconds. So a batch costs one statement as a rule, and at
most a handful, however many tables are in it.
"""

import sqlite3
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from ferrovia.server.store import chain
from ferrovia.server.store.interface import Append, Stored, TableSummary
from ferrovia.server.store.sqlite.mark import Confirmed

T = TypeVar("T")

_LARGEST = 64  # rows of one statement: fewer values than any SQLite allows
_SMALL = 16  # up to this, there is a statement for every number of rows

_LOG = "INSERT INTO log (game, number, entry, chain) VALUES {}"
_TABLES = """INSERT OR REPLACE INTO tables
    (game, status, listed, changed, due, card, number, head, seal) VALUES {}"""
# There is a row for each of these already: the values of the others are never written.
_HEADS = """INSERT INTO tables (game, number, head, status, listed, changed, card) VALUES {}
    ON CONFLICT (game) DO UPDATE SET number = excluded.number, head = excluded.head"""
_NEVER = ("", 0, 0.0, b"")

# An entry goes to its log and becomes the head of its table, or nothing of the statement is done.
# The view and its trigger belong to the connection: the file does not have them.
_NEXT = "INSERT INTO next_entries (game, number, entry, chain, before) VALUES {}"
_VIEW = """CREATE TEMP VIEW IF NOT EXISTS next_entries (game, number, entry, chain, before) AS
    SELECT game, number, NULL, head, NULL FROM tables"""
_TRIGGER = """CREATE TEMP TRIGGER IF NOT EXISTS append INSTEAD OF INSERT ON next_entries BEGIN
    INSERT INTO log (game, number, entry, chain)
        VALUES (NEW.game, NEW.number, NEW.entry, NEW.chain);
    UPDATE tables SET number = NEW.number, head = NEW.chain
        WHERE game = NEW.game AND number = NEW.number - 1 AND head = NEW.before;
    SELECT RAISE(ROLLBACK, 'not the next entry') WHERE changes() <> 1;
END"""
_REMEMBERED = 4096  # tables whose heads are known without asking: about one MiB

Heads = dict[str, tuple[int, bytes]]
"""The number and the hash of the last entry of tables."""


class Appends:
    """Appends over one connection, which remembers the heads of the tables it wrote to last.

    What it remembers is compared with the store in the statement that writes: another program may
    have written to the table, or removed it.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._heads: Heads = {}
        db.execute(_VIEW)
        db.execute(_TRIGGER)

    def write(self, batch: Sequence[Append]) -> tuple[list[bool], Confirmed | None]:
        """Write each append whose number is the next one, in one transaction, which is synced when
        this returns; return which were written, and the last entry of them.
        """
        if (known := self._follow(batch)) is not None:
            rows, heads = known
            try:
                self._write_next(rows)
            except sqlite3.IntegrityError:  # not as we remember it: ask the store
                self._roll_back()
            else:
                self._remember(heads)
                return [True] * len(batch), Confirmed(rows[-1][0], rows[-1][1], rows[-1][3])
        return self._write_asking(batch)

    def _follow(self, batch: Sequence[Append]) -> tuple[list[tuple[Any, ...]], Heads] | None:
        """Return the rows of a batch of which only entries are to be written, and the heads after
        them; None if the store has to be asked, or has more to write.
        """
        rows: list[tuple[Any, ...]] = []
        heads: Heads = {}
        for append in batch:
            table = append.table
            found = heads.get(table) or self._heads.get(table)
            if found is None or found[0] != append.number - 1 or append.summary is not None:
                return None
            number, head = found
            for entry in append.entries:
                before, number, head = head, number + 1, chain.link(head, entry)
                rows.append((table, number, entry, head, before))
            heads[table] = number, head
        return (rows, heads) if rows else None

    def _write_next(self, rows: Sequence[tuple[Any, ...]]) -> None:
        if len(rows) <= _SMALL:  # one statement is a transaction
            _insert(self._db, _NEXT, rows)
            return
        self._db.execute("BEGIN IMMEDIATE")
        try:
            _insert(self._db, _NEXT, rows)
            self._db.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def _write_asking(self, batch: Sequence[Append]) -> tuple[list[bool], Confirmed | None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            heads = _heads(self._db, list(dict.fromkeys(append.table for append in batch)))
            done = _write_batch(self._db, batch, heads)
            self._db.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise
        self._remember(heads)
        return done

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def _remember(self, heads: Heads) -> None:
        for table in heads:
            self._heads.pop(table, None)
        self._heads |= heads  # at the end: the first ones are forgotten first
        while len(self._heads) > _REMEMBERED:
            del self._heads[next(iter(self._heads))]


def _write_batch(
    db: sqlite3.Connection, batch: Sequence[Append], heads: Heads
) -> tuple[list[bool], Confirmed | None]:
    """Write each append whose number is the next one, and follow that in the heads; return which
    were written, and the last entry of them.
    """
    rows: list[tuple[str, int, bytes, bytes]] = []
    summaries: dict[str, TableSummary | None] = {}
    written: list[bool] = []
    for append in batch:
        table = append.table
        found = heads.get(table)
        number, head = found or (0, chain.origin(table))
        written.append(number == append.number - 1)
        if not written[-1]:
            continue
        for entry in append.entries:
            number, head = number + 1, chain.link(head, entry)
            rows.append((table, number, entry, head))
        heads[table] = number, head
        summary = append.summary or summaries.get(table)
        if summary is None and found is None:
            summary = TableSummary("waiting", False, 0.0, None, b"")
        summaries[table] = summary
    _insert(db, _LOG, rows)
    changed = summaries.items()
    _insert(db, _HEADS, [(game, *heads[game], *_NEVER) for game, it in changed if it is None])
    write_tables(db, [Stored(game, it, *heads[game], b"") for game, it in changed if it])
    last = Confirmed(rows[-1][0], rows[-1][1], rows[-1][3]) if rows else None
    return written, last


def write_log(db: sqlite3.Connection, table: str, rows: Sequence[chain.Row]) -> None:
    """Write a whole log as another store has it."""
    _insert(db, _LOG, [(table, number, *row) for number, row in enumerate(rows, start=1)])


def write_tables(db: sqlite3.Connection, tables: Sequence[Stored]) -> None:
    """Write the rows of tables; one without a seal gets it."""
    _insert(db, _TABLES, [_row(stored) for stored in tables])


def _row(stored: Stored) -> tuple[Any, ...]:
    summary = stored.summary
    fields = (summary.status, summary.listed, summary.changed, summary.due, summary.card)
    seal = stored.seal or chain.seal(stored.table, summary)
    return stored.table, *fields, stored.number, stored.head, seal


def _heads(db: sqlite3.Connection, tables: Sequence[str]) -> Heads:
    """Return the heads of those tables that are stored."""
    heads: Heads = {}
    for some in _pieces(tables):
        # One row with columns for all: every row would be one more wait.
        columns = db.execute(_query_of_heads(len(some)), some).fetchone()
        found = zip(some, columns[0::2], columns[1::2], strict=True)
        heads |= {table: (number, head) for table, number, head in found if number is not None}
    return heads


@cache
def _query_of_heads(tables: int) -> str:
    columns = (
        f"(SELECT {column} FROM tables WHERE game = ?{at})"
        for at in range(1, tables + 1)
        for column in ("number", "head")
    )
    return f"SELECT {', '.join(columns)}"


def _insert(db: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
    for some in _pieces(rows):
        values = [value for row in some for value in row]
        db.execute(_insertion(statement, len(some), len(some[0])), values)


@cache
def _insertion(statement: str, rows: int, columns: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return statement.format(", ".join([row] * rows))


def _pieces(whole: Sequence[T]) -> list[Sequence[T]]:
    """Return a sequence in pieces of few different lengths: SQLite compiles a statement for each
    of them once.
    """
    pieces, at = [], 0
    while at < len(whole):
        left = len(whole) - at
        size = left if left <= _SMALL else _LARGEST if left >= _LARGEST else _SMALL
        pieces.append(whole[at : at + size])
        at += size
    return pieces
