"""The seats of a table, and who acts at it."""

from typing import Literal

import msgspec

from ferrovia.server.table.entries import HOST


class Seat(msgspec.Struct):
    """A seat as it is now. `away`: a bot stands in for the person, and `left` says why.

    `commitment` and `part` are the person's part in the shuffle, as far as it is known;
    `commitments` counts how often they have committed. `timeouts`: how many times in a row their
    time was up. `since`: the number of the entry by which the person sat down. `color`: of the
    trains, whoever sits there; `chose`: the person has chosen it.
    """

    kind: Literal["open", "person", "bot"]
    name: str = ""
    bot: str = ""
    token: str = ""
    ready: bool = True
    away: bool = False
    left: Literal["", "left", "clock", "replaced"] = ""
    commitment: str = ""
    commitments: int = 0
    part: str = ""
    timeouts: int = 0
    since: int = 0
    color: str = ""
    chose: bool = False
    portrait: str = ""

    @property
    def kept(self) -> bool:
        """Whether the seat is kept for a person who has not come yet."""
        return self.kind == "person" and not self.ready

    @property
    def filled(self) -> bool:
        """Whether a bot or a person who has connected sits here."""
        return self.kind == "bot" or (self.kind == "person" and self.ready)


class Actor(msgspec.Struct, frozen=True):
    """Who gives a command: a seat, the host, both or neither (a spectator)."""

    seat: int | None
    host: bool

    @property
    def number(self) -> int:
        """Their number in the log."""
        return HOST if self.seat is None else self.seat


SPECTATOR = Actor(None, False)
