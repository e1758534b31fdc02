"""Pauses: whether there is one, who asks for one, and how many there have been."""

import msgspec

from ferrovia.server.table.entries import (
    Closed,
    Decided,
    PauseAsked,
    Paused,
    PauseDeclined,
    Resumed,
)

Followed = PauseAsked | PauseDeclined | Paused | Resumed | Decided | Closed


class Pausing(msgspec.Struct):
    """`left`: the seconds on the clock when the pause began. `taken`: how many pauses each seat has
    begun.
    """

    on: bool = False
    left: float | None = None
    asked: tuple[int, ...] = ()
    taken: dict[int, int] = {}

    def follow(self, entry: Followed, _: object) -> None:
        match entry:
            case Decided():
                if self.asked and entry.by == entry.seat and not entry.clock:
                    self.asked = tuple(seat for seat in self.asked if seat != entry.seat)
            case PauseAsked():
                self.asked = (*self.asked, entry.seat)
            case PauseDeclined():
                self.asked = ()
            case Paused():
                self.on, self.left, self.asked = True, entry.left, ()
                self.taken[entry.by] = self.taken.get(entry.by, 0) + 1
            case Resumed():
                self.on, self.left = False, None
            case Closed():
                self.on, self.left, self.asked = False, None, ()
