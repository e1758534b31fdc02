"""What the log of a table holds: everything that was accepted, with what came of it.

Entries tell decisions and outcomes, so a game resumes by replay here and in later versions. They
hold secrets: nothing of this module is ever sent to anybody (see protocol/view.py). Published
entries keep their meaning; new fields need defaults.
"""

from typing import Literal

import msgspec

from ferrovia.game.events import AnyEvent
from ferrovia.game.record import Header
from ferrovia.game.scores import Result

Events = tuple[AnyEvent, ...]

HOST = -1
"""Who gave a command, when it was not a seat: the host of the table, or the server itself."""


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time for a turn: none, `live` in seconds or `slow` in days."""

    kind: Literal["none", "live", "slow"] = "none"
    turn: int = 0

    @property
    def seconds(self) -> float | None:
        """The time for a turn in seconds; None without a clock."""
        if self.kind == "none":
            return None
        return float(self.turn if self.kind == "live" else self.turn * 86400)


class Place(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as the table was set up. `token` is the SHA-256 of the seat's token, in hex.

    A person who is not `ready` has a seat kept, and takes it by coming.
    """

    kind: Literal["open", "person", "bot"]
    name: str = ""
    bot: str = ""
    token: str = ""
    ready: bool = True


class Setup(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was agreed on before the game."""

    edition: str
    extras: tuple[str, ...] = ()
    first: int | None = None
    clock: Clock = Clock()
    listed: bool = False
    stand_in: str | None = None
    spectators: bool = True


class Entry(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="entry", omit_defaults=True, gc=False
):
    """One thing that was accepted, when, by whose command and with which id."""

    at: float
    by: int = HOST
    command: str | None = None


class Created(Entry, frozen=True, kw_only=True, tag="created"):
    """The first entry. `host` is the SHA-256 of the token that may arrange the table."""

    version: str
    setup: Setup
    places: tuple[Place, ...]
    host: str


class Seated(Entry, frozen=True, kw_only=True, tag="seated"):
    seat: int
    name: str
    token: str


class Unseated(Entry, frozen=True, kw_only=True, tag="unseated"):
    """A person left before the game began: the seat is open again."""

    seat: int


class Filled(Entry, frozen=True, kw_only=True, tag="filled"):
    """A bot takes a seat before the game begins."""

    seat: int
    bot: str


class Started(Entry, frozen=True, kw_only=True, tag="started"):
    """The game begins. The header is that of its record, seed included."""

    header: Header
    events: Events
    deadline: float | None = None


class Decided(Entry, frozen=True, kw_only=True, tag="decided"):
    """A decision and what came of it.

    `start`: it was made before the first turn, when others learn less of it (R2.3). `bot`: the
    name of the bot that made it. `result` ends the game.
    """

    seat: int
    action: str
    events: Events
    start: bool = False
    bot: str = ""
    deadline: float | None = None
    result: Result | None = None


class Left(Entry, frozen=True, kw_only=True, tag="left"):
    """A bot stands in for a person from now on."""

    seat: int
    why: Literal["left", "clock", "replaced"]


class Returned(Entry, frozen=True, kw_only=True, tag="returned"):
    """A person has taken the seat back."""

    seat: int
    deadline: float | None = None


class Paused(Entry, frozen=True, kw_only=True, tag="paused"):
    """`left` is what the clock showed."""

    left: float | None = None


class Resumed(Entry, frozen=True, kw_only=True, tag="resumed"):
    deadline: float | None = None


class Rematched(Entry, frozen=True, kw_only=True, tag="rematched"):
    """The same people have another table."""

    table: str


AnyEntry = (
    Created
    | Seated
    | Unseated
    | Filled
    | Started
    | Decided
    | Left
    | Returned
    | Paused
    | Resumed
    | Rematched
)

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


def write_entry(entry: AnyEntry) -> bytes:
    """An entry as the store keeps it."""
    return _ENCODER.encode(entry)


def read_entry(data: bytes) -> AnyEntry:
    """An entry from the store; `msgspec.DecodeError` for one of a version that is not known."""
    return _DECODER.decode(data)
