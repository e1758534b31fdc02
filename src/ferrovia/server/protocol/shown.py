"""The entries of a table's log, as viewers are sent them (see table/entries.py for the log)."""

from typing import Literal

import msgspec

from ferrovia.game.events import AnyEvent
from ferrovia.server.protocol.state import ShuffleInfo


class Shown(msgspec.Struct, frozen=True, kw_only=True, tag_field="entry"):
    """An event of the table: its number, and when it happened in seconds since 1970."""

    number: int
    at: int


class ShownCreated(Shown, frozen=True, kw_only=True, tag="created"):
    pass


class ShownSeated(Shown, frozen=True, kw_only=True, tag="seated"):
    seat: int
    name: str


class ShownCommitted(Shown, frozen=True, kw_only=True, tag="committed"):
    seat: int


class ShownSealed(Shown, frozen=True, kw_only=True, tag="sealed"):
    """Everybody reveals their part in the shuffle now."""


class ShownRevealed(Shown, frozen=True, kw_only=True, tag="revealed"):
    seat: int


class ShownUnseated(Shown, frozen=True, kw_only=True, tag="unseated"):
    seat: int


class ShownFilled(Shown, frozen=True, kw_only=True, tag="filled"):
    seat: int
    bot: str


class ShownStarted(Shown, frozen=True, kw_only=True, tag="started"):
    commitment: str
    first: int
    events: tuple[AnyEvent, ...]
    shuffle: ShuffleInfo | None = None


class ShownDecided(Shown, frozen=True, kw_only=True, tag="decided"):
    """`bot` is empty when a person decided. `clock`: time was up, and this was decided for them.
    `counting`: the places of the cards turned up for a tunnel that cost one more, from 0 on.
    """

    seat: int
    bot: str
    events: tuple[AnyEvent, ...]
    clock: bool = False
    counting: tuple[int, ...] = ()


class ShownLeft(Shown, frozen=True, kw_only=True, tag="left"):
    seat: int
    why: Literal["left", "clock", "replaced"]


class ShownReturned(Shown, frozen=True, kw_only=True, tag="returned"):
    seat: int


class ShownPauseAsked(Shown, frozen=True, kw_only=True, tag="pause_asked"):
    seat: int


class ShownPauseDeclined(Shown, frozen=True, kw_only=True, tag="pause_declined"):
    seat: int


class ShownPaused(Shown, frozen=True, kw_only=True, tag="paused"):
    seat: int | None


class ShownResumed(Shown, frozen=True, kw_only=True, tag="resumed"):
    seat: int | None


class ShownRematched(Shown, frozen=True, kw_only=True, tag="rematched"):
    table: str


class ShownClosed(Shown, frozen=True, kw_only=True, tag="closed"):
    """The people who run the server have ended the table."""


class ShownUndoAsked(Shown, frozen=True, kw_only=True, tag="undo_asked"):
    seat: int


class ShownUndoAgreed(Shown, frozen=True, kw_only=True, tag="undo_agreed"):
    seat: int


class ShownUndoRefused(Shown, frozen=True, kw_only=True, tag="undo_refused"):
    """`seat` is null when nobody answered in time."""

    seat: int | None


class ShownUndone(Shown, frozen=True, kw_only=True, tag="undone"):
    """The decisions from event `first` on were taken back for a seat."""

    seat: int
    first: int


class ShownLocked(Shown, frozen=True, kw_only=True, tag="locked"):
    locked: bool


class ShownChosen(Shown, frozen=True, kw_only=True, tag="chosen"):
    """Somebody has another portrait or colour; the table has them."""

    seat: int


class ShownTrimmed(Shown, frozen=True, kw_only=True, tag="trimmed"):
    """These seats stay, in this order, and are numbered anew."""

    seats: tuple[int, ...]


class ShownEntryAsked(Shown, frozen=True, kw_only=True, tag="entry_asked"):
    """Somebody asks for a seat, or for the screen (null)."""

    seat: int | None


class ShownLetIn(Shown, frozen=True, kw_only=True, tag="let_in"):
    """`by` has let somebody in to a seat, or as the screen (null), on another device."""

    seat: int | None
    by: int


class ShownEntryRefused(Shown, frozen=True, kw_only=True, tag="entry_refused"):
    seat: int | None


class ShownSaid(Shown, frozen=True, kw_only=True, tag="said"):
    """Somebody said something: a seat, or a spectator with this `name`. `text` is null where the
    people who run the server have removed it.
    """

    seat: int | None
    name: str
    text: str | None
    reaction: str | None = None


class ShownWithheld(Shown, frozen=True, kw_only=True, tag="withheld"):
    """The people who run the server have taken away what was said in the event of this number."""

    line: int


class ShownAside(Shown, frozen=True, kw_only=True, tag="aside"):
    """Something that this viewer is not shown and that is no part of the game."""


AnyShown = (
    ShownCreated
    | ShownSeated
    | ShownCommitted
    | ShownSealed
    | ShownRevealed
    | ShownUnseated
    | ShownFilled
    | ShownStarted
    | ShownDecided
    | ShownLeft
    | ShownReturned
    | ShownPauseAsked
    | ShownPauseDeclined
    | ShownPaused
    | ShownResumed
    | ShownRematched
    | ShownClosed
    | ShownUndoAsked
    | ShownUndoAgreed
    | ShownUndoRefused
    | ShownUndone
    | ShownSaid
    | ShownWithheld
    | ShownAside
    | ShownLocked
    | ShownChosen
    | ShownTrimmed
    | ShownEntryAsked
    | ShownLetIn
    | ShownEntryRefused
)
