"""The clock of the turn: when the wait for a decision began, and when it ends."""

import msgspec

from ferrovia.server.table.entries import (
    Closed,
    Decided,
    Paused,
    Resumed,
    Returned,
    Started,
    Undone,
)

Followed = Started | Decided | Returned | Paused | Resumed | Closed | Undone


class TurnClock(msgspec.Struct):
    """`since`: when the decision that is awaited was asked for, later by the time of the pauses.
    `deadline`: None without a clock, and while nothing is awaited.
    """

    deadline: float | None = None
    since: float = 0.0
    stopped: float = 0.0

    def follow(self, entry: Followed, _: object) -> None:
        match entry:
            case Decided():
                self.deadline = entry.deadline if entry.result is None else None
                self.since = entry.at
            case Started() | Undone():
                self.deadline, self.since = entry.deadline, entry.at
            case Returned():
                self.deadline = entry.deadline
            case Paused():
                self.deadline, self.stopped = None, entry.at
            case Resumed():
                self.deadline = entry.deadline
                self.since += entry.at - self.stopped
            case Closed():
                self.deadline = None
