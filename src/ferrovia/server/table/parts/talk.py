"""Talk: what was said, what was reported, and where seats are told of their turns."""

from typing import TYPE_CHECKING

import msgspec

from ferrovia.server.table.entries import (
    EntryGranted,
    HookSet,
    Muted,
    Reported,
    Said,
    Subscribed,
    Withheld,
)

if TYPE_CHECKING:
    from ferrovia.server.table.table import Table

Followed = Said | Reported | Muted | Withheld | HookSet | Subscribed | EntryGranted

_BROWSERS = 4  # of a seat

_NONE: frozenset[int] = frozenset()


class Talking(msgspec.Struct):
    """`lines`: by the number of its entry, the seat that said something (None: a spectator).
    `reports`: who has reported a line or the name of a seat. `hooks`: the addresses of seats, and
    of the host. `browsers`: those in which seats are told, the newest last.
    """

    lines: dict[int, int | None] = {}
    reports: dict[tuple[int | None, int | None], list[int]] = {}
    muted: frozenset[int] = _NONE
    withheld: frozenset[int] = _NONE
    hooks: dict[int, str] = {}
    hooks_set: int = 0
    browsers: dict[int, tuple[Subscribed, ...]] = {}

    def said_by(self, seat: int | None) -> int:
        """Return how much a seat, or all spectators together (None), have said so far."""
        return sum(speaker == seat for speaker in self.lines.values())

    def told(self, seat: int) -> tuple[Subscribed, ...]:
        """Return the browsers in which a seat is told."""
        return self.browsers.get(seat, ())

    def follow(self, entry: Followed, table: "Table") -> None:
        match entry:
            case Said():
                self.lines[table.number] = entry.seat
            case Reported():
                self.reports.setdefault((entry.line, entry.seat), []).append(entry.by)
            case Muted():
                self.muted |= {entry.seat}
            case Withheld():
                self.withheld |= {entry.line}
            case HookSet():
                self.hooks[entry.seat] = entry.url
                self.hooks_set += 1
            case Subscribed():
                had = self.told(entry.seat)
                others = tuple(one for one in had if one.endpoint != entry.endpoint)
                told = (*others, entry)[-_BROWSERS:] if entry.auth else others
                self.browsers[entry.seat] = told
                self.hooks_set += 1
            case EntryGranted():
                self.hooks.pop(entry.seat, None)  # it is the address of whoever held the seat
                self.browsers.pop(entry.seat, None)
