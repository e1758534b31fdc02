"""What the people who run a server do about talk and names: through the store, as in upkeep.py."""

from collections.abc import Callable
from dataclasses import dataclass

from ferrovia.server.lobby.upkeep import NoSuchTable, arranged, log_of
from ferrovia.server.store import Append, Archive, StoreError, StoreLocked
from ferrovia.server.table.entries import HOST, Muted, Reported, Said, Withheld, write_entry
from ferrovia.server.table.resume import UnreadableGame
from ferrovia.server.table.table import Table

_ATTEMPTS = 5
_Draft = Callable[[Table], Muted | Withheld | None]


@dataclass(frozen=True, slots=True)
class ChatLine:
    """Something that was said: who said it (no seat: a spectator), and what became of it."""

    number: int
    at: float
    seat: int | None
    name: str
    text: str
    withheld: bool


@dataclass(frozen=True, slots=True)
class Complaint:
    """What was reported at a table: a line, or the name of a seat; `by` how many, `at` the last.
    `done`: the line is withheld, the seat muted or the table over.
    """

    table: str
    line: int | None
    seat: int | None
    name: str
    text: str
    by: int
    at: float
    done: bool


def talk(store: Archive, id: str) -> list[ChatLine]:
    """Return everything that was said at a table, in order."""
    entries = log_of(store, id)
    table = Table.standing_at(id, entries, None)
    return [
        ChatLine(
            number,
            entry.at,
            entry.seat,
            _speaker(table, entry),
            entry.text,
            number in table.talk.withheld,
        )
        for number, entry in enumerate(entries, start=1)
        if isinstance(entry, Said)
    ]


def complaints(store: Archive, since: float = 0.0) -> list[Complaint]:
    """Return what was reported at all tables since a time, the latest first."""
    found: list[Complaint] = []
    for stored in store.tables():
        try:
            found += _complaints_at(store, stored.table)
        except (StoreError, UnreadableGame):
            continue  # the check of the store has it
    found.sort(key=lambda one: (-one.at, one.table, one.line or 0))
    return [one for one in found if one.at >= since]


def _complaints_at(store: Archive, id: str) -> list[Complaint]:
    entries = log_of(store, id)
    latest = {
        (entry.line, entry.seat): entry.at for entry in entries if isinstance(entry, Reported)
    }
    if not latest:
        return []
    table = Table.standing_at(id, entries, None)
    found = []
    for (line, seat), at in latest.items():
        said = None if line is None else entries[line - 1]
        speaker = said.seat if isinstance(said, Said) else seat
        muted = (HOST if speaker is None else speaker) in table.talk.muted
        name = _speaker(table, said) if isinstance(said, Said) else table.seats[seat or 0].name
        text = said.text if isinstance(said, Said) else ""
        by = len(table.talk.reports[line, seat])
        done = muted or line in table.talk.withheld or table.status == "over"
        found.append(Complaint(id, line, speaker, name, text, by, at, done))
    return found


def _speaker(table: Table, said: Said) -> str:
    return said.name if said.seat is None else table.seats[said.seat].name


def mute(store: Archive, id: str, seat: int | None, now: float) -> bool:
    """Mute a seat, or all spectators (None), at a table; return False if they were already."""
    number = HOST if seat is None else seat

    def draft(table: Table) -> Muted | None:
        if seat is not None and seat >= len(table.seats):
            raise NoSuchTable(f"table {id} has no seat {seat}")
        return None if number in table.talk.muted else Muted(at=now, seat=number)

    return _append(store, id, draft)


def withhold(store: Archive, id: str, line: int, now: float) -> bool:
    """Stop showing what was said in an entry; return False if it was withheld already."""

    def draft(table: Table) -> Withheld | None:
        if line not in table.talk.lines:
            raise NoSuchTable(
                f"no line of chat at table {id} has the number {line}; "
                f"`ferrovia tables talk {id[:8]}` lists them"
            )
        return None if line in table.talk.withheld else Withheld(at=now, line=line)

    return _append(store, id, draft)


def _append(store: Archive, id: str, draft: _Draft) -> bool:
    for _ in range(_ATTEMPTS):
        table = arranged(store, id)
        entry = draft(table)
        if entry is None:
            return False
        # The summary in the store stays: nothing that it has depends on talk.
        if store.append([Append(id, table.number + 1, (write_entry(entry),), None)])[0]:
            return True
    raise StoreLocked("the table is being played too fast; try again")
