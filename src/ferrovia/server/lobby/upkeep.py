"""What the people who run a server do at tables: through the store, with or without its server.

Nothing here shows what is hidden in a game that is not over.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from ferrovia.errors import FerroviaError
from ferrovia.server.protocol.state import SeatInfo
from ferrovia.server.store import Append, Archive, Stored, StoreError, StoreLocked, TableSummary
from ferrovia.server.store.maintenance.prune import last_change
from ferrovia.server.table.entries import AnyEntry, Closed, Renewed, read_entry, write_entry
from ferrovia.server.table.played import events_of
from ferrovia.server.table.resume import UnreadableGame, resume
from ferrovia.server.table.summary import summary_of
from ferrovia.server.table.table import Table
from ferrovia.server.table.tokens import new_token, token_hash
from ferrovia.server.table.viewers import view

_ATTEMPTS = 5


class NoSuchTable(FerroviaError):
    """No table, or more than one, is meant by what was typed."""


@dataclass(frozen=True, slots=True)
class Described:
    """A table as everybody may see it, for a list; `problem` if its log cannot be read."""

    table: str
    status: str
    edition: str
    players: tuple[str, ...]
    entries: int
    listed: bool
    changed: float
    problem: str = ""


def find(store: Archive, typed: str) -> Stored:
    """Return the table of an id or of the beginning of one; raises `NoSuchTable`."""
    found = [stored for stored in store.tables() if stored.table.startswith(typed)]
    exact = [stored for stored in found if stored.table == typed]
    if not found or not typed:
        raise NoSuchTable(f"there is no table {typed!r} in {store.name}")
    if len(found) > 1 and not exact:
        raise NoSuchTable(f"{len(found)} tables begin with {typed!r}: give more of the id")
    return (exact or found)[0]


def latest(
    store: Archive, states: Iterable[str], limit: int | None, since: float = 0.0
) -> list[Stored]:
    """Return the tables in one of these states, the one that was written last first."""
    chosen = [stored for stored in store.tables() if stored.summary.status in states]
    dated = [(last_change(store, stored), stored) for stored in chosen]
    dated.sort(key=lambda one: (-one[0], one[1].table))
    return [stored for changed, stored in dated if changed >= since][:limit]


def describe(store: Archive, stored: Stored) -> Described:
    """Return a table for a list; one that cannot be read is described as far as it goes."""
    summary = stored.summary
    try:
        table = arranged(store, stored.table)
    except (StoreError, UnreadableGame) as problem:
        return Described(
            stored.table,
            summary.status,
            "",
            (),
            stored.number,
            summary.listed,
            summary.changed,
            str(problem),
        )
    return Described(
        table.id,
        table.status,
        table.setup.edition,
        tuple(map(_player, view.table_info(table).seats)),
        table.number,
        table.setup.listed,
        table.changed,
    )


def _player(seat: SeatInfo) -> str:
    if seat.kind == "open":
        return "(open)"
    return f"bot:{seat.bot}" if seat.kind == "bot" else seat.name


def arranged(store: Archive, id: str) -> Table:
    """Return a table without its game; raises `UnreadableGame` or `StoreError`."""
    return Table.standing_at(id, log_of(store, id), None)


def log_of(store: Archive, id: str) -> list[AnyEntry]:
    """Return all entries of a table; raises `UnreadableGame` or `StoreError`."""
    entries: list[AnyEntry] = []
    for number, data in enumerate(store.entries(id), start=1):
        try:
            entries.append(read_entry(data))
        except (msgspec.DecodeError, UnicodeDecodeError) as problem:
            raise UnreadableGame(f"entry {number}: {problem}") from None
    return entries


def history(store: Archive, id: str) -> list[tuple[int, str, str]]:
    """Return number, time and kind of every entry that is neither a move nor talk."""
    lines = []
    for number, entry in enumerate(log_of(store, id), start=1):
        kind = type(entry).__name__.lower()
        if kind not in ("decided", "said"):
            at = datetime.fromtimestamp(entry.at, UTC).isoformat(timespec="seconds")
            lines.append((number, at, kind))
    return lines


def record(store: Archive, id: str) -> str | None:
    """Return the record of a game as the public may see it; None before the game."""
    entries = log_of(store, id)
    table = Table.standing_at(id, entries, None)
    if table.header is None:
        return None
    if table.result is not None:
        return view.finished_record(table.header, events_of(entries), table)
    running = resume(id, store.entries(id))
    return None if running is None else view.record_text(running, None)


def close(store: Archive, id: str, why: str, now: float) -> bool:
    """End a table for good, even while its server runs; return False if it was over already."""
    for _ in range(_ATTEMPTS):
        table = arranged(store, id)
        if table.status == "over":
            return False
        entry = Closed(at=now, why=why)
        number = table.number + 1
        table.apply(entry)
        if store.append([Append(id, number, (write_entry(entry),), summary_of(table))])[0]:
            return True
    raise StoreLocked("the table is being played too fast to be closed; try again")


def give_seat(store: Archive, id: str, seat: int, now: float) -> str:
    """Give the seat of a person a new secret, and return it: theirs was lost with their browser."""
    for _ in range(_ATTEMPTS):
        table = arranged(store, id)
        if not table.has_person(seat):
            raise NoSuchTable(f"no person has seat {seat} at table {id}")
        token = new_token()
        entry = Renewed(at=now, seat=seat, token=token_hash(token))
        if store.append([Append(id, table.number + 1, (write_entry(entry),), None)])[0]:
            return token
    raise StoreLocked("the table is being played too fast; try again")


def delete(store: Archive, stored: Stored) -> bool:
    """Delete a table with its log and its analyses; False if something has just happened there."""
    return bool(store.remove([(stored.table, stored.number)]))


def summary_of_log(id: str, log: Sequence[bytes]) -> TableSummary | None:
    """Return the summary of a table from its log alone; None if nothing can be made of it."""
    try:
        table = resume(id, log)
    except UnreadableGame:
        return None
    return None if table is None else summary_of(table)


def unproved(
    store: Archive, progress: Callable[[int, int], None] = lambda _done, _all: None
) -> list[tuple[str, str]]:
    """Play every game again by the rules; return the tables that cannot be, and why."""
    tables = store.tables()
    found = []
    for done, stored in enumerate(tables, start=1):
        try:
            resume(stored.table, store.entries(stored.table))
        except UnreadableGame as problem:
            found.append((stored.table, str(problem)))
        except StoreError:
            pass  # the check of the store has it
        progress(done, len(tables))
    return found
