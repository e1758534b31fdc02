"""A puzzle: a position as one seat saw it, a question, and answers of which some are right."""

from typing import Literal

import msgspec

VERSION = 1
"""Of the generator: raised when the same games would give other puzzles."""

Kind = Literal["way", "tunnel", "finish", "trail", "station"]
KINDS: tuple[Kind, ...] = ("way", "tunnel", "finish", "trail", "station")


class Answer(msgspec.Struct, frozen=True):
    """An answer to choose: a number, or the id of a route, a city or a ticket. `value` is what it
    leads to; `shows` are the routes that prove it: a way, or a longest route.
    """

    answer: str
    right: bool
    value: int
    shows: tuple[str, ...] = ()


class Puzzle(msgspec.Struct, frozen=True):
    """A puzzle. `about` holds what the question speaks of: a ticket, a route, cards.

    `game` is the seed of the game of bots that it comes from.
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
    version: int = VERSION


def check(puzzle: Puzzle) -> None:
    """Raise ValueError where the form of a puzzle is not right."""
    rights = [answer.right for answer in puzzle.answers]
    if not 2 <= len(rights) <= 5 or not any(rights) or all(rights):
        raise ValueError(f"{puzzle.id}: two to five answers, of which some are right")
    if len({answer.answer for answer in puzzle.answers}) < len(rights):
        raise ValueError(f"{puzzle.id}: an answer stands there twice")
