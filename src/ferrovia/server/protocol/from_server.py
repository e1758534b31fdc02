"""Responses and messages of the server. They hold codes and names, never sentences."""

from typing import Any, Literal

import msgspec

from ferrovia.analysis.findings import Analysis
from ferrovia.bots.why import Why
from ferrovia.game.film import Film
from ferrovia.game.views import OwnState, PublicState
from ferrovia.puzzles.puzzle import Puzzle
from ferrovia.server.protocol.clock import Clock
from ferrovia.server.protocol.edition import EditionDocument
from ferrovia.server.protocol.from_client import PackTicket
from ferrovia.server.protocol.shown import AnyShown
from ferrovia.server.protocol.state import FinalState, SeatInfo, TableInfo
from ferrovia.server.refusals import Code, Refusal
from ferrovia.tutorial.notes import Notes

# Over the socket.


class ServerMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    pass


class State(ServerMessage, frozen=True, kw_only=True, tag="state"):
    """How things stand at event `number`, and the events after number `since`. `seat`: the
    viewer's; null: a spectator, or the screen of a room.

    Of a long history it has only the latest events: then `hello` knew fewer than `since`, and the
    client asks for the ones in between with `history`.
    """

    number: int
    since: int
    entries: tuple[AnyShown, ...]
    table: TableInfo
    public: PublicState | None
    own: OwnState | None
    final: FinalState | None
    seat: int | None = None


class Accepted(ServerMessage, frozen=True, kw_only=True, tag="accepted"):
    """A command was carried out, now or when it first arrived; event `number` is the result."""

    id: str
    number: int


class Refused(ServerMessage, frozen=True, kw_only=True, tag="refused"):
    """A message changed nothing. For an illegal action, `reason` and `rule` come from the rules;
    `detail` is for developers, in English.
    """

    id: str | None
    code: Code
    reason: str | None = None
    rule: str | None = None
    detail: str | None = None


class Hint(ServerMessage, frozen=True, kw_only=True, tag="hint"):
    """What a bot would do, knowing what this seat knew at event `number`, and why."""

    id: str
    number: int
    bot: str
    action: str
    why: Why | None = None


class History(ServerMessage, frozen=True, kw_only=True, tag="history"):
    """A page of events: those after number `since`, in order, up to the one before `before`."""

    id: str
    since: int
    before: int
    entries: tuple[AnyShown, ...]


class Presence(ServerMessage, frozen=True, kw_only=True, tag="presence"):
    """Who is connected, to this server or to another on the same store."""

    seats: tuple[bool, ...]
    spectators: int


class FilmShown(ServerMessage, frozen=True, kw_only=True, tag="film"):
    """Somebody leads the film of this table: a seat (-1: a spectator; null: nobody any longer) and
    their name, what they show, and the route or city they point at.
    """

    leader: int | None
    name: str = ""
    at: str = "0"
    eyes: str = "all"
    pointer: str | None = None


class Pong(ServerMessage, frozen=True, kw_only=True, tag="pong"):
    """`now` is the time of the server, in seconds since 1970: deadlines are told in it."""

    now: float = 0.0


FromServer = State | Accepted | Refused | Hint | History | Presence | FilmShown | Pong


# Over HTTP.


class HeldSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A token and the seat it holds; null: it only arranges the table."""

    seat: int | None
    token: str


class TableCreated(msgspec.Struct, frozen=True, kw_only=True):
    table: str
    held: tuple[HeldSeat, ...]


class Joined(msgspec.Struct, frozen=True, kw_only=True):
    table: str
    seat: int
    token: str


class EntryWord(msgspec.Struct, frozen=True, kw_only=True):
    """The word that a device shows while it asks to be let in."""

    word: str


class FoundRoom(msgspec.Struct, frozen=True, kw_only=True):
    """The table of a code."""

    table: str


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """Where other devices reach this server, as far as it knows; empty: nowhere but here."""

    addresses: tuple[str, ...]


class PushKey(msgspec.Struct, frozen=True, kw_only=True):
    """The key with which a browser subscribes to be told of turns; null: this server tells none."""

    key: str | None


class ListedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the list of tables."""

    table: str
    status: Literal["waiting", "running", "over"]
    edition: str
    extras: tuple[str, ...]
    clock: Clock
    seats: tuple[SeatInfo, ...]
    spectators: bool
    changed: int


class TableList(msgspec.Struct, frozen=True, kw_only=True):
    tables: tuple[ListedTable, ...]


class AnalysisReport(msgspec.Struct, frozen=True, kw_only=True):
    """How far the analysis of a finished game is: `done` games of `total` played on. `seats` are
    those whose choices whoever asks may see: their `own`, those of bots, and `shared` ones.
    `older`: how many earlier analyses are kept. `record`: the hash of the record that it is about.
    """

    status: Literal["none", "waiting", "running", "ready", "failed"]
    done: int
    total: int
    seats: tuple[int, ...]
    own: int | None
    shared: tuple[int, ...]
    older: int
    analysis: Analysis | None
    record: str = ""


class Tutorial(msgspec.Struct, frozen=True, kw_only=True):
    """A tutorial: its notes, and the text of the record that they lead through."""

    notes: Notes
    record: str


class PosedPuzzle(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle, its number, that of today's, and how many there are."""

    number: int
    today: int
    count: int
    puzzle: Puzzle


class EditionInfo(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    board: str
    seats_min: int
    seats_max: int


class PackInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket pack: how many cards it has in its box, the cities of those that are known, and the
    tickets that were entered here; none: it cannot be played with.
    """

    name: str
    board: str
    cards: int
    known: tuple[tuple[str, ...], ...]
    tickets: tuple[PackTicket, ...]


class Offerings(msgspec.Struct, frozen=True, kw_only=True):
    """What a table can be set up with. `levels` are the bots for people to choose from, weakest
    first; `bots` are all there are.
    """

    version: str
    editions: tuple[EditionInfo, ...]
    packs: tuple[PackInfo, ...]
    bots: tuple[str, ...]
    levels: tuple[str, ...]


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """The body of every HTTP answer that is an error; `line` and `rule` are those of a record."""

    code: Code
    detail: str | None = None
    line: int | None = None
    rule: str | None = None

    @staticmethod
    def of(refusal: Refusal) -> "Problem":
        """Return the problem that a refusal is answered with."""
        return Problem(
            code=refusal.code, detail=refusal.detail, line=refusal.line, rule=refusal.rule
        )


class Interlude(msgspec.Struct, frozen=True, kw_only=True):
    """What happened around the game, after a frame of its film: a line of the chat (`said`), or a
    decision that was taken back, and by whom (`decided`, `undone`).
    """

    frame: int
    entry: AnyShown


class Screening(msgspec.Struct, frozen=True, kw_only=True):
    """A film; with its edition and the picture of its board where the server does not offer them by
    name (`/api/editions/EDITION`), else null. `interludes` where they are asked for. `colors`:
    of the trains, where they are not the edition's; `portraits`: those that people have chosen.
    """

    film: Film
    edition: EditionDocument | None = None
    picture: Any = None
    colors: tuple[str, ...] = ()
    portraits: tuple[str, ...] = ()
    interludes: tuple[Interlude, ...] = ()
