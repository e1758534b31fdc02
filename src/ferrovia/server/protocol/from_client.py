"""Requests and messages of clients. They are read strictly: unknown fields are refused."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ferrovia.server.protocol.clock import Clock

MAX_MESSAGE = 64 * 1024

CommandId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
TableId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Token = Annotated[str, Meta(min_length=43, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Number = Annotated[int, Meta(ge=0, le=1_000_000_000)]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
"""32 bytes in hex: a SHA-256, a seed, or a part in the shuffle."""
Line = Annotated[str, Meta(min_length=1, max_length=1000)]
"""What somebody says; it is shortened to what can be seen, and then no longer than 300."""
Portrait = Annotated[str, Meta(max_length=16, pattern=r"^[a-z]*$")]
"""The name of a portrait that clients draw; empty, or unknown to a client: the first letters."""
Reaction = Literal["bravo", "oh", "laugh", "sad", "thanks", "whistle"]
ActionText = Annotated[str, Meta(min_length=1, max_length=400)]

# Over HTTP.


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Who is to have a seat of a new table."""


class PersonSeat(SeatRequest, frozen=True, tag="person"):
    """A seat for somebody at this device; its token comes with the answer. `commitment`: the
    SHA-256 of their part in the shuffle, to be revealed when all are there. `color`: of their
    trains; without one it is the first that nobody else has.
    """

    name: Name
    commitment: Hash | None = None
    portrait: Portrait = ""
    color: Word | None = None


class OpenSeat(SeatRequest, frozen=True, tag="open"):
    """A seat for whoever joins."""


class BotSeat(SeatRequest, frozen=True, tag="bot"):
    bot: Word


class CreateTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Set up a table. With an `id` and a token that the client made itself, repeating the request
    makes no second table and gets the same answer. `seed`: fixed cards, for practice or for the
    same deal again; everybody at the table is told that the seed was chosen. `practice`: one person
    against bots, who may take back anything; the record says so. `room`: whoever creates it is its
    screen, and people sit down with their phones.
    `begin`: the game begins as soon as every seat is taken (`full`), or once everybody sits and the
    `host` says so, and in which order.
    """

    edition: Word
    seats: Annotated[tuple[PersonSeat | OpenSeat | BotSeat, ...], Meta(min_length=1, max_length=6)]
    extras: Annotated[tuple[Word, ...], Meta(max_length=8)] = ()
    first: SeatNumber | None = None
    clock: Clock = Clock()
    listed: bool = False
    stand_in: Word | None = None
    spectators: bool = True
    hints: bool = True
    seed: Hash | None = None
    practice: bool = False
    chat: bool = True
    room: bool = False
    begin: Literal["full", "host"] = "full"
    id: CommandId | None = None


class ForkGame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Play on from turn `at` (`12`, or `12.1` for a part of it) of a finished game, at a `table` or
    in a `record`: on one of its seats, with the `same` cards to come or `new` ones. This `bot`
    plays the others; null: the bots stay who they were, and people are replaced by one that
    is an even game for most. `id` as in `CreateTable`.
    """

    at: Annotated[str, Meta(max_length=16)]
    seat: SeatNumber
    name: Name
    bot: Word | None = None
    cards: Literal["same", "new"] = "same"
    table: TableId | None = None
    record: str | None = None
    id: CommandId | None = None


class JoinTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take an open seat: that one, or the first."""

    name: Name
    seat: SeatNumber | None = None
    commitment: Hash | None = None
    portrait: Portrait = ""


class PackTicket(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ticket of a pack: between two cities of its board; `mark`: it has that of Big Cities."""

    a: Word
    b: Word
    points: Annotated[int, Meta(ge=1, le=99)]
    long: bool = False
    mark: bool = False


class EnterPack(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Enter the tickets of a box that the server does not know, in place of those entered before;
    an empty list takes them away again.
    """

    pack: Word
    tickets: Annotated[tuple[PackTicket, ...], Meta(max_length=12)]


class RenewToken(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold a seat with a new token, made by the client: the one in the link is known to whoever
    made the link.
    """

    token: Token


class SayWord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Say the word of a server that not everybody may use."""

    word: Annotated[str, Meta(min_length=1, max_length=200)]


class AskEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask to be let in at a table for the room: to a seat whose secret was lost, or as its screen
    (null). The token is one of the client's own.
    """

    seat: SeatNumber | None


class AskAnalysis(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Analyse a finished game. `renew`: do it again, in other worlds; the older result is kept."""

    renew: bool = False


class ShareAnalysis(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open what the analysis says about one's own choices to the others, or close it again."""

    share: bool


# Over the socket.


class ClientMessage(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"
):
    pass


class Hello(ClientMessage, frozen=True, kw_only=True, tag="hello"):
    """The first message. Without a token: a spectator. `known` is the number of the last event that
    the client has: the later ones are sent; null: only the state. `commitment`: the SHA-256 of a
    part in the shuffle, for a seat that is kept or whose part was lost.
    """

    table: TableId
    token: Token | None = None
    known: Number | None = None
    commitment: Hash | None = None


class Ping(ClientMessage, frozen=True, kw_only=True, tag="ping"):
    pass


class AskHint(ClientMessage, frozen=True, kw_only=True, tag="hint"):
    """What would a bot do in this seat's place? Without a name: the best level. `id` is the
    client's own, and comes back with the answer. Nothing happens at the table.
    """

    id: CommandId
    bot: Word | None = None


class AskHistory(ClientMessage, frozen=True, kw_only=True, tag="history"):
    """Send the events before number `before`, a page of them. Nothing happens at the table."""

    id: CommandId
    before: Number


class ShowFilm(ClientMessage, frozen=True, kw_only=True, tag="film"):
    """Lead the others through the film of a finished table: to turn `at`, seen by `eyes`, with a
    `pointer` at a route or a city. Without `lead`, the lead is given back. None of it is stored.
    """

    at: Annotated[str, Meta(max_length=16)] = "0"
    eyes: Annotated[str, Meta(max_length=8)] = "all"
    pointer: Word | None = None
    lead: bool = True


class Command(ClientMessage, frozen=True, kw_only=True):
    """`id` is the client's own; `known` the number of the last event that it knows."""

    id: CommandId
    known: Number


class Decide(Command, frozen=True, kw_only=True, tag="decide"):
    """Do one of the actions of `own.moves`, in the text form of actions."""

    action: ActionText


class Reveal(Command, frozen=True, kw_only=True, tag="reveal"):
    """Reveal the part in the shuffle that the seat has committed to."""

    part: Hash


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """Leave the seat: before the game it is open again, during it a bot stands in."""


class Return(Command, frozen=True, kw_only=True, tag="return"):
    """Take the seat back from the bot."""


class Replace(Command, frozen=True, kw_only=True, tag="replace"):
    """Let a bot stand in for a person who keeps the others waiting; at a table with a clock, only
    once their time is up.
    """

    seat: SeatNumber


class Pause(Command, frozen=True, kw_only=True, tag="pause"):
    """Pause the game. With a clock: ask for a pause, or agree to one."""


class Resume(Command, frozen=True, kw_only=True, tag="resume"):
    """Go on after a pause; or decline one that was asked for."""


class Fill(Command, frozen=True, kw_only=True, tag="fill"):
    """The host gives a seat that nobody has taken to a bot."""

    seat: SeatNumber
    bot: Word


class Rematch(Command, frozen=True, kw_only=True, tag="rematch"):
    """The same people and bots at another table, where their seats are kept for them."""


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    """Take back your last decision, and whatever was decided since. The other people at the table
    are asked, and nothing may have been uncovered; at a practice table it is done at once.
    """


class AnswerUndo(Command, frozen=True, kw_only=True, tag="answer_undo"):
    """Agree that somebody may take back a decision, or refuse; whoever asked may withdraw the
    request.
    """

    agree: bool


class Notify(Command, frozen=True, kw_only=True, tag="notify"):
    """In a slow game: call this address whenever it is this seat's turn; null: no more. `table`:
    the host's, for everybody's turns and the end.
    """

    url: Annotated[str, Meta(min_length=1, max_length=300)] | None
    table: bool = False


class Subscribe(Command, frozen=True, kw_only=True, tag="subscribe"):
    """In a slow game: tell this browser of this seat's turns by its push service, in a language.
    Address and keys are those of its subscription; without keys: no more.
    """

    endpoint: Annotated[str, Meta(min_length=1, max_length=600)]
    p256dh: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{86,88}$")] | None = None
    auth: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22}$")] | None = None
    language: Word = "en"


class Choose(Command, frozen=True, kw_only=True, tag="choose"):
    """Before the game: choose a portrait, or the colour of one's trains; who had the colour without
    having chosen it gets the other one. Null: as it is.
    """

    portrait: Portrait | None = None
    color: Word | None = None


class Begin(Command, frozen=True, kw_only=True, tag="begin"):
    """At a table for the room, or one that begins when the host says so: begin with those who are
    there. `order`: their seats, as the turns go (null: as they sit); `first`: who begins (null: as
    it was set up, or chance).
    """

    order: Annotated[tuple[SeatNumber, ...], Meta(max_length=6)] | None = None
    first: SeatNumber | None = None


class Lock(Command, frozen=True, kw_only=True, tag="lock"):
    """At a table for the room: let nobody else sit down, or open the door again."""

    locked: bool


class Remove(Command, frozen=True, kw_only=True, tag="remove"):
    """At a table for the room: send somebody away before the game."""

    seat: SeatNumber


class LetIn(Command, frozen=True, kw_only=True, tag="let_in"):
    """At a table for the room: let somebody in who asks for a seat, or to be the screen (null), and
    whose device shows this word; or refuse.
    """

    seat: SeatNumber | None
    word: Word
    agree: bool


class Say(Command, frozen=True, kw_only=True, tag="say"):
    """Say something at the table: a `text`, or one of the reactions. A spectator gives a name;
    players hear what spectators say only after the end.
    """

    text: Line | None = None
    reaction: Reaction | None = None
    name: Name | None = None


class Report(Command, frozen=True, kw_only=True, tag="report"):
    """Ask the people who run the server to look at what was said in event `line`, or at the name
    of a seat. Nobody else is told.
    """

    line: Number | None = None
    seat: SeatNumber | None = None


AnyCommand = (
    Decide
    | Reveal
    | Leave
    | Return
    | Replace
    | Pause
    | Resume
    | Fill
    | Rematch
    | Undo
    | AnswerUndo
    | Say
    | Report
    | Choose
    | Begin
    | Lock
    | Remove
    | LetIn
    | Notify
    | Subscribe
)
FromClient = Hello | Ping | AskHint | AskHistory | ShowFilm | AnyCommand
