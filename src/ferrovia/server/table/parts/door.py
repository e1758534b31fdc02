"""The door of a table: whether it is locked, and who asks to be let in again."""

from typing import NamedTuple

import msgspec

from ferrovia.server.table.entries import (
    HOST,
    EntryAgreed,
    EntryAsked,
    EntryGranted,
    EntryRefused,
    Locked,
    Started,
    Trimmed,
    Unseated,
)

Followed = (
    Locked | Started | EntryAsked | EntryAgreed | EntryRefused | EntryGranted | Unseated | Trimmed
)


class EntryRequest(NamedTuple):
    """Somebody asks for a seat, or for the screen, with a new secret; `token` is its hash.
    `agreed`: the seat of a person who lets them in; then the seat is theirs after `until`.
    """

    token: str
    word: str
    agreed: int | None = None
    until: float | None = None


class Door(msgspec.Struct):
    """`asking`: who asks, by the seat (HOST: the screen); `asked`: how often somebody has."""

    locked: bool = False
    asking: dict[int, EntryRequest] = {}
    asked: int = 0

    @property
    def due(self) -> float | None:
        """When the next of those who ask is let in, if nobody objects."""
        return min((it.until for it in self.asking.values() if it.until is not None), default=None)

    def follow(self, entry: Followed, _: object) -> None:
        match entry:
            case Locked():
                self.locked = entry.locked
            case Started():
                self.locked = True
            case EntryAsked():
                self.asking[entry.seat] = EntryRequest(entry.token, entry.word)
                self.asked += 1
            case EntryAgreed():
                asked = self.asking[entry.seat]
                self.asking[entry.seat] = asked._replace(agreed=entry.by, until=entry.until)
            case EntryRefused() | EntryGranted() | Unseated():
                self.asking.pop(entry.seat, None)
            case Trimmed():
                new = {old: number for number, old in enumerate(entry.seats)} | {HOST: HOST}
                self.asking = {new[seat]: it for seat, it in self.asking.items() if seat in new}
