"""The entries of a table's log: everything that was accepted, with its outcome.

Entries hold decisions and outcomes, so a game can be resumed by replay in this version and in later
ones. They hold secrets: nothing of this module is ever sent to anybody (see viewers/view.py).
Published entries keep their meaning; new fields need defaults.
"""

from typing import Literal

import msgspec

from ferrovia.game.events import AnyEvent
from ferrovia.game.records.record import Header
from ferrovia.game.scores import Result
from ferrovia.server.protocol.clock import Clock

Events = tuple[AnyEvent, ...]

HOST = -1
"""The author of an entry that is not a seat: the host of the table, or the server itself."""


class PlannedSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat as the table was set up. `token` is the SHA-256 of the seat's token, in hex.

    The seat of a person who is not `ready` is kept for them until they connect or decline.
    `commitment`: the one to their part in the shuffle (see game/chance/shuffle.py); empty: none.
    `color`: of the trains.
    """

    kind: Literal["open", "person", "bot"]
    name: str = ""
    bot: str = ""
    token: str = ""
    ready: bool = True
    commitment: str = ""
    color: str = ""
    portrait: str = ""


class Setup(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was agreed on before the game. `seed`: the one that was given, in hex; empty: none."""

    edition: str
    extras: tuple[str, ...] = ()
    first: int | None = None
    clock: Clock = Clock()
    listed: bool = False
    stand_in: str | None = None
    spectators: bool = True
    hints: bool = True
    seed: str = ""
    practice: bool = False
    chat: bool = True
    room: bool = False
    webhooks: bool = False
    begin: Literal["full", "host"] = "full"


class Entry(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="entry", omit_defaults=True, gc=False
):
    """Something that was accepted: when, by which seat (`by`), and the id of the command."""

    at: float
    by: int = HOST
    command: str | None = None


class Created(Entry, frozen=True, kw_only=True, tag="created"):
    """The first entry. `host` is the SHA-256 of the host's token, `part` the server's part in the
    shuffle, in hex: it is fixed before anybody else reveals theirs.
    """

    version: str
    setup: Setup
    places: tuple[PlannedSeat, ...]
    host: str
    part: str = ""


class Seated(Entry, frozen=True, kw_only=True, tag="seated"):
    seat: int
    name: str
    token: str
    commitment: str = ""
    portrait: str = ""


class Chosen(Entry, frozen=True, kw_only=True, tag="chosen"):
    """A person has chosen a portrait, or a colour (empty: as it is); who had it gets theirs."""

    seat: int
    portrait: str
    color: str = ""


class Committed(Entry, frozen=True, kw_only=True, tag="committed"):
    """A person who sits there already has committed to another part in the shuffle."""

    seat: int
    commitment: str


class Sealed(Entry, frozen=True, kw_only=True, tag="sealed"):
    """Every seat is taken: nobody changes what they committed to, and all reveal it.

    At `deadline` the game begins without the parts that are missing.
    """

    deadline: float


class Revealed(Entry, frozen=True, kw_only=True, tag="revealed"):
    """A person has revealed their part in the shuffle, in hex."""

    seat: int
    part: str


class Renewed(Entry, frozen=True, kw_only=True, tag="renewed"):
    """From now on, whoever holds a seat has another secret; the one they came with is void."""

    seat: int
    token: str


class Unseated(Entry, frozen=True, kw_only=True, tag="unseated"):
    """A person has left or declined before the game: the seat is open again."""

    seat: int


class Filled(Entry, frozen=True, kw_only=True, tag="filled"):
    """A bot has taken a seat before the game."""

    seat: int
    bot: str


class Fork(msgspec.Struct, frozen=True, omit_defaults=True):
    """From which table (empty: from a file) and turn a game was forked. `seed`: that of the cards
    to come, in hex; empty: those of the record.
    """

    table: str
    at: str
    seed: str = ""


class Started(Entry, frozen=True, kw_only=True, tag="started"):
    """The game has begun. `header` is that of its record, with the seed. `fork`: it goes on from
    another one, and `events` are all up to there.
    """

    header: Header
    events: Events
    deadline: float | None = None
    fork: Fork | None = None


class Decided(Entry, frozen=True, kw_only=True, tag="decided"):
    """A decision and its outcome.

    `start`: it was made before the first turn, when others learn less of it (R2.3). `bot`: the
    name of the bot that made it. `clock`: time was up, and this and what follows up to the end of
    the turn was decided for the person; how many times in a row. `result`: the game is over.
    """

    seat: int
    action: str
    events: Events
    start: bool = False
    bot: str = ""
    clock: int = 0
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


class PauseAsked(Entry, frozen=True, kw_only=True, tag="pause_asked"):
    """A person asks the others for a pause; it begins when all people have asked."""

    seat: int


class PauseDeclined(Entry, frozen=True, kw_only=True, tag="pause_declined"):
    """There is no pause: somebody wants to play on, or whoever asked has changed their mind."""

    seat: int


class Paused(Entry, frozen=True, kw_only=True, tag="paused"):
    """`left` are the seconds that were left on the clock."""

    left: float | None = None


class Resumed(Entry, frozen=True, kw_only=True, tag="resumed"):
    deadline: float | None = None


class Rematched(Entry, frozen=True, kw_only=True, tag="rematched"):
    """The same people and bots have a new table."""

    table: str


class Closed(Entry, frozen=True, kw_only=True, tag="closed"):
    """The people who run the server have ended the table. `why` is for them alone."""

    why: str = ""


class UndoAsked(Entry, frozen=True, kw_only=True, tag="undo_asked"):
    """A person asks the others to take back the decisions from entry `first` on."""

    seat: int
    first: int
    until: float


class UndoAgreed(Entry, frozen=True, kw_only=True, tag="undo_agreed"):
    seat: int


class UndoRefused(Entry, frozen=True, kw_only=True, tag="undo_refused"):
    """Somebody refused, whoever asked changed their mind, or nobody answered (HOST)."""

    seat: int


class Undone(Entry, frozen=True, kw_only=True, tag="undone"):
    """The decisions from entry `first` on were taken back for a seat: they no longer count."""

    seat: int
    first: int
    deadline: float | None = None


class Locked(Entry, frozen=True, kw_only=True, tag="locked"):
    """The door of a table for the room: nobody else may sit down, or people may again."""

    locked: bool


class Trimmed(Entry, frozen=True, kw_only=True, tag="trimmed"):
    """The game begins with those who are there: these seats stay, in this order, and are numbered
    anew. `first`: who begins, by the new number; null: as it was set up.
    """

    seats: tuple[int, ...]
    first: int | None = None


class EntryAsked(Entry, frozen=True, kw_only=True, tag="entry_asked"):
    """Somebody who has lost the secret of a seat, or of the screen (HOST), asks to be let in with
    a new one. `word` is shown on their device and to those who decide.
    """

    seat: int
    token: str
    word: str


class EntryAgreed(Entry, frozen=True, kw_only=True, tag="entry_agreed"):
    """Somebody wants to let in whoever asks for a seat: it is theirs when another person agrees, or
    after `until`, unless somebody refuses or whoever holds the seat comes.
    """

    seat: int
    until: float


class EntryGranted(Entry, frozen=True, kw_only=True, tag="let_in"):
    """Whoever asked has the seat, or the screen (HOST), from now on; the old secret is void."""

    seat: int


class EntryRefused(Entry, frozen=True, kw_only=True, tag="entry_refused"):
    seat: int


class Said(Entry, frozen=True, kw_only=True, tag="said"):
    """Somebody has said something: a seat, or a spectator (no seat) who goes by a name. With a
    reaction there is no text.
    """

    text: str = ""
    reaction: str | None = None
    seat: int | None = None
    name: str = ""


class Reported(Entry, frozen=True, kw_only=True, tag="reported"):
    """Somebody asks the people who run the server to look at what was said, by the number of its
    entry, or at the name of a seat.
    """

    line: int | None = None
    seat: int | None = None


class Muted(Entry, frozen=True, kw_only=True, tag="muted"):
    """The people who run the server: a seat, or all spectators (HOST), may not speak here."""

    seat: int


class Withheld(Entry, frozen=True, kw_only=True, tag="withheld"):
    """The people who run the server: what was said in an entry is no longer shown to anybody."""

    line: int


class HookSet(Entry, frozen=True, kw_only=True, tag="hook_set"):
    """Where a seat is told of its turns: an address of the person's own; empty: nowhere. The seat
    HOST: where the host is told of everybody's.
    """

    seat: int
    url: str


class Subscribed(Entry, frozen=True, kw_only=True, tag="subscribed"):
    """A browser in which a seat is told of its turns, by the push service of that browser: its
    address there and its keys, in base64url. Without keys: no more.
    """

    seat: int
    endpoint: str
    p256dh: str = ""
    auth: str = ""
    language: str = ""


Talk = Said | Reported | Muted | Withheld | HookSet | Subscribed
"""What is no part of the game: nothing that is decided or arranged depends on it."""

AnyEntry = (
    Created
    | Seated
    | Chosen
    | Committed
    | Sealed
    | Revealed
    | Renewed
    | Unseated
    | Filled
    | Started
    | Decided
    | Left
    | Returned
    | PauseAsked
    | PauseDeclined
    | Paused
    | Resumed
    | Rematched
    | Closed
    | UndoAsked
    | UndoAgreed
    | UndoRefused
    | Undone
    | Said
    | Reported
    | Muted
    | Withheld
    | Locked
    | Trimmed
    | EntryAsked
    | EntryAgreed
    | EntryGranted
    | EntryRefused
    | HookSet
    | Subscribed
)

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


def write_entry(entry: AnyEntry) -> bytes:
    """Return an entry as the store keeps it."""
    return _ENCODER.encode(entry)


def read_entry(data: bytes) -> AnyEntry:
    """Return an entry from the store; raises `msgspec.DecodeError` for an unknown kind or form."""
    return _DECODER.decode(data)
