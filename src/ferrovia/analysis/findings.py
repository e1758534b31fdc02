"""What an analysis holds: the sheet of each seat, the course of the game, remarks with reasons."""

import msgspec

from ferrovia.analysis.reasons import EndFact, Reason
from ferrovia.analysis.samples import Interval
from ferrovia.analysis.sheet import Sheet


class Budget(msgspec.Struct, frozen=True):
    """`worlds` for each choice; the rest follows from it. When this many seconds of one core are
    used, what is not yet looked into is left out: only in this a result depends on the machine.
    """

    worlds: int
    seconds: float


class Position(msgspec.Struct, frozen=True):
    """A position of the course: the step of the film that it follows, the turn that begins, whose,
    and what every seat could expect with open cards: points, and its share of the victory.
    """

    step: int
    turn: int
    seat: int | None
    points: tuple[float, ...]
    wins: tuple[float, ...]


class Option(msgspec.Struct, frozen=True):
    """An option of a moment: what every seat could expect of it. `good`: nothing was surely better
    for the seat.
    """

    action: str
    points: tuple[float, ...]
    wins: tuple[float, ...]
    good: bool


class Remark(msgspec.Struct, frozen=True):
    """A choice for which there was surely a better one (`kind` is "missed"), or that was surely
    better than what the judge would have done ("found").

    `points` and `wins` are what the better one is worth more than the other, by what the seat knew.
    `opened` is what then happened, with open cards: the points that the seat could expect before
    and after its turn.
    """

    kind: str
    seat: int
    turn: int
    step: int
    paying: bool
    played: str
    better: str
    points: Interval
    wins: Interval
    options: tuple[Option, ...]
    opened: tuple[float, ...]
    reasons: tuple[Reason, ...]


class Analysis(msgspec.Struct, frozen=True):
    """What was found in a game, and by whom."""

    record: str  # SHA-256 of its text
    judge: str
    version: str
    method: int
    seed: str
    budget: Budget
    complete: bool
    plays: int  # games that were played to the end
    seconds: float
    choices: int
    sheets: tuple[Sheet, ...]
    course: tuple[Position, ...]
    remarks: tuple[Remark, ...]
    facts: tuple[EndFact, ...]
