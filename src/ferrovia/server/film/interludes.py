"""Interludes: what happened around the game of a table, for those who want to see it in the film.

Lines of the chat, and decisions that were taken back. Neither is a part of the record.
"""

from collections.abc import Sequence
from typing import Any, cast

import msgspec

from ferrovia.game.film import Eyes
from ferrovia.game.records.steps import step_starts
from ferrovia.server.protocol import from_server
from ferrovia.server.protocol.shown import ShownAside, ShownDecided
from ferrovia.server.table import entries
from ferrovia.server.table.authority import Past
from ferrovia.server.table.viewers.shown import shown


def interludes_of(past: Past, eyes: Eyes) -> tuple[from_server.Interlude, ...]:
    """Return the interludes of a table from its log, for whoever asked for its past. Decisions are
    shown as the film's viewer saw them.
    """
    table, seat = past.table, past.actor.seat
    read = [(number, entries.read_entry(data)) for number, data in enumerate(past.log, start=1)]
    gone = _taken_back(read)
    found = []
    frame = 0
    for number, entry in read:
        match entry:
            case entries.Started(events=events):
                deals = 0 if table.game is None else len(table.game.edition.deals)
                frame = len(step_starts(events, len(table.seats), deals))  # a fork has some
            case entries.Decided() if number not in gone:
                frame += 1
            case entries.Decided():
                decided = cast(ShownDecided, shown(table, number, entry, seat))
                seen = msgspec.structs.replace(decided, events=_seen(entry, eyes))
                found.append(from_server.Interlude(frame=frame, entry=seen))
            case entries.Said() | entries.Undone():
                said = shown(table, number, entry, seat)
                if not isinstance(said, ShownAside):
                    found.append(from_server.Interlude(frame=frame, entry=said))
            case _:
                pass
    return tuple(found)


def _taken_back(log: Sequence[tuple[int, entries.AnyEntry]]) -> set[int]:
    """Return the numbers of the decisions that were taken back."""
    gone: set[int] = set()
    decided: list[int] = []
    for number, entry in log:
        if isinstance(entry, entries.Decided):
            decided.append(number)
        elif isinstance(entry, entries.Undone):
            gone |= {it for it in decided if it >= entry.first}
            decided = [it for it in decided if it < entry.first]
    return gone


def _seen(entry: entries.Decided, eyes: Eyes) -> Any:
    if eyes == "all":
        return entry.events
    viewer = None if eyes == "public" else eyes
    return tuple(event.seen_by(viewer, at_start=entry.start) for event in entry.events)
