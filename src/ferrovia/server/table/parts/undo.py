"""What can be taken back: the decisions that stand, and who asks for the last of them."""

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ferrovia.server.table.entries import (
    Decided,
    Started,
    UndoAgreed,
    UndoAsked,
    Undone,
    UndoRefused,
)

if TYPE_CHECKING:
    from ferrovia.server.table.table import Table

Followed = Started | Decided | UndoAsked | UndoAgreed | UndoRefused | Undone


class StandingDecision(NamedTuple):
    """A decision that stands: the number of its entry, who decided, how many events the game had
    before, whether it uncovered something (`Event.uncovers`), whether it was at the start, and the
    seconds that were left on the clock, None without one.
    """

    number: int
    seat: int
    events: int
    uncovers: bool
    start: bool
    left: float | None


class UndoRequest(NamedTuple):
    """A person asks to take back what was decided from entry `first` on; `agreed` so far."""

    seat: int
    first: int
    until: float
    agreed: tuple[int, ...] = ()


class Undoing(msgspec.Struct):
    """`events`: how many events the game has. `refused`: the decisions that somebody has already
    asked to take back, in vain.
    """

    decisions: list[StandingDecision] = []
    request: UndoRequest | None = None
    events: int = 0
    refused: frozenset[int] = frozenset()

    def from_last_of(self, seat: int) -> list[StandingDecision]:
        """Return the last decision of a seat and all after it; empty if it has made none."""
        for at in range(len(self.decisions) - 1, -1, -1):
            if self.decisions[at].seat == seat:
                return self.decisions[at:]
        return []

    def follow(self, entry: Followed, table: "Table") -> None:
        match entry:
            case Decided():
                self._stand(entry, table)
            case Started():
                self.events = len(entry.events)
            case UndoAsked():
                self.request = UndoRequest(entry.seat, entry.first, entry.until)
            case UndoAgreed():
                if self.request is not None:
                    agreed = (*self.request.agreed, entry.seat)
                    self.request = self.request._replace(agreed=agreed)
            case UndoRefused():
                if self.request is not None:
                    self.refused |= {self.request.first}
                self.request = None
            case Undone():
                while self.decisions and self.decisions[-1].number >= entry.first:
                    self.events = self.decisions.pop().events
                self.request = None

    def _stand(self, entry: Decided, table: "Table") -> None:
        deadline = table.turn.deadline  # that of this decision: the clock of the turn follows later
        left = None if deadline is None else max(0.0, deadline - entry.at)
        uncovers = any(event.uncovers for event in entry.events)
        made = StandingDecision(table.number, entry.seat, self.events, uncovers, entry.start, left)
        self.decisions.append(made)
        self.events += len(entry.events)
        self.request = None
