"""The state of a table, and of its game after the end."""

from typing import Literal

import msgspec

from ferrovia.game.finale import Finale
from ferrovia.game.scores import Result
from ferrovia.server.protocol.clock import Clock


class SeatInfo(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits there. `away`: a bot stands in for the person, and `left` says why. Not `ready`: the
    seat is kept for somebody who has not come yet. `color`: of the trains; `portrait`: the name of
    the one that a person has chosen.
    """

    kind: Literal["open", "person", "bot"]
    name: str
    bot: str
    away: bool
    ready: bool
    left: Literal["left", "clock", "replaced"] | None = None
    color: str = ""
    portrait: str = ""


class PartInfo(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody's part in the shuffle: what they committed to, whether they have revealed it, and
    once the game has begun the part itself (null: not revealed in time).
    """

    commitment: str
    revealed: bool
    part: str | None


class ShuffleInfo(msgspec.Struct, frozen=True, kw_only=True):
    """How the seed comes about: from the part of the server, by its commitment, and those of the
    seats (null: none); or it was `given` by whoever set the table up. `reveal_by`: until then, in
    seconds since 1970, everybody reveals their part.
    """

    server: str | None
    seats: tuple[PartInfo | None, ...]
    given: bool
    reveal_by: float | None


class UndoInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A seat asks to take back its last decision. `agreed`: who has agreed so far; `until`: the end
    of the time to answer, in seconds since 1970.
    """

    seat: int
    agreed: tuple[int, ...]
    until: float


class AskingInfo(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody asks to be let in to a seat, or as the screen (null); their device shows `word`.
    `agreed`: who lets them in; the seat is theirs when another person agrees, or after `until`.
    """

    seat: int | None
    word: str
    agreed: int | None = None
    until: float | None = None


class RoomInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A table for the room. `code`: the letters by which it is found, null while the door is
    locked. `keeper`: the seat that locks and sends away, besides the screen.
    """

    code: str | None
    locked: bool
    keeper: int | None
    asking: tuple[AskingInfo, ...]


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A table, as everybody may know it. `deadline` is in seconds since 1970. `shuffle` is there
    before and after the game; meanwhile the event `started` has it. `pause_asked`: the seats that
    ask for a pause. `undoable`: those that may ask to take back their last decision; at a
    `practice` table that is done at once. `awaited`: the seats whose decision is awaited. `seeded`:
    whoever set the table up chose the seed, and may know every card. `begin`: whether it begins
    when it is full, or when the host says so (or who sat down first, `keeper`).
    """

    id: str
    status: Literal["waiting", "running", "over"]
    edition: str
    extras: tuple[str, ...]
    seats: tuple[SeatInfo, ...]
    host: int | None
    first: int | None
    clock: Clock
    listed: bool
    stand_in: str | None
    spectators: bool
    paused: bool
    paused_left: float | None
    deadline: float | None
    commitment: str | None
    rematch: str | None
    hints: bool = True
    shuffle: ShuffleInfo | None = None
    pause_asked: tuple[int, ...] = ()
    practice: bool = False
    undo: UndoInfo | None = None
    undoable: tuple[int, ...] = ()
    awaited: tuple[int, ...] = ()
    chat: bool = True
    room: RoomInfo | None = None
    webhooks: bool = False
    seeded: bool = False
    begin: Literal["full", "host"] = "full"
    keeper: int | None = None


class FinalState(msgspec.Struct, frozen=True, kw_only=True):
    """After the end everybody may know everything. The SHA-256 of `seed` is the commitment; `part`
    is the server's part in the shuffle; `finale` is the score on the map.
    """

    result: Result
    hands: tuple[dict[str, int], ...]
    tickets: tuple[tuple[str, ...], ...]
    longest: tuple[tuple[str, ...], ...]
    seed: str
    part: str | None = None
    finale: Finale | None = None
