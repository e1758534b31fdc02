"""A puzzle: a position as one seat saw it, a question, and answers of which some are right."""

from typing import Literal

import msgspec

from ferrovia.analysis.reasons import Reason
from ferrovia.analysis.samples import Interval

Kind = Literal["way", "tunnel", "finish", "trail", "station", "move"]
EXACT: tuple[Kind, ...] = ("way", "tunnel", "finish", "trail", "station")
"""The kinds that the rules decide; a `move` is a matter of judgement."""
KINDS: tuple[Kind, ...] = (*EXACT, "move")

VERSION = 1
"""Of the generator of exact kinds: raised when the same games would give other puzzles."""
MOVE_VERSION = 1
"""Of the generator of moves, likewise."""


class Finished(msgspec.Struct, frozen=True):
    """In how many of 100 worlds a ticket is finished: after this answer, and after the best."""

    ticket: str
    here: int
    best: int


class Judgement(msgspec.Struct, frozen=True):
    """What an answer costs compared with the best one, by what the seat knows.

    `points` and `wins` are by the first judge, `lead` by the second: points ahead of the others,
    with what a victory is worth to it. `taken`: in how many of 100 worlds somebody else then takes
    the route that the best one claims.
    """

    points: Interval
    wins: Interval
    lead: Interval
    reasons: tuple[Reason, ...] = ()
    finished: tuple[Finished, ...] = ()
    taken: int | None = None


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer to choose: a number, the id of a route, a city or a ticket, or an action. `value`
    is what it leads to; `shows` are the routes that prove it: a way, or a longest route. The best
    move and all exact answers have no `judged`.
    """

    answer: str
    right: bool
    value: int
    shows: tuple[str, ...] = ()
    judged: Judgement | None = None


class Opponent(msgspec.Struct, frozen=True):
    """What a seat may know of another one."""

    seat: int
    points: int
    trains: int
    cards: int
    tickets: int


class Judges(msgspec.Struct, frozen=True):
    """Who judged a move, and by what margin. Each tries every answer in sampled worlds."""

    first: str
    first_worlds: int
    second: str
    second_worlds: int
    points: float
    wins: float
    program: str  # the version of Ferrovia


class Puzzle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A puzzle. `about` holds what the question speaks of: a ticket, a route, cards.

    `game` is the seed of the game of bots that it comes from; `version` that of the generator.
    Where a move is asked for, the face-up cards, the seat's points and the others are known too.
    """

    id: str
    kind: Kind
    edition: str
    players: int
    seat: int
    turn: int
    trains: int
    owners: dict[str, int]
    stations: dict[str, int]
    hand: dict[str, int]
    tickets: tuple[str, ...]
    about: dict[str, str | int]
    answers: tuple[Answer, ...]
    game: int
    version: int = 0
    display: tuple[str | None, ...] = ()
    points: int = 0
    opponents: tuple[Opponent, ...] = ()
    turns_left: int | None = None
    judges: Judges | None = None


def check(puzzle: Puzzle) -> None:
    """Raise ValueError where the form of a puzzle is not right."""
    rights = [answer.right for answer in puzzle.answers]
    if not 2 <= len(rights) <= 5 or not any(rights) or all(rights):
        raise ValueError(f"{puzzle.id}: two to five answers, of which some are right")
    if len({answer.answer for answer in puzzle.answers}) < len(rights):
        raise ValueError(f"{puzzle.id}: an answer stands there twice")
    if puzzle.kind == "move" and puzzle.judges is None:
        raise ValueError(f"{puzzle.id}: nobody has judged it")
