"""What happens in a game, in the words and the form of the game record."""

from typing import ClassVar

import msgspec

Cards = tuple[str | None, ...]
Ids = tuple[str | None, ...]


class Event(msgspec.Struct, frozen=True, tag_field="event", forbid_unknown_fields=True, gc=False):
    """One thing that happened. `seen_by` returns what another seat may know of it (R11.2).

    `decides`: it is what a seat decided, and not what followed from that; an offer of the start and
    the claim of a tunnel that asked for nothing are exceptions (see records/steps.py).
    `uncovers`: somebody sees a card or a ticket for the first time, or what is hidden is shuffled.
    """

    secret: ClassVar[tuple[str, ...]] = ()
    decides: ClassVar[bool] = False
    uncovers: ClassVar[bool] = False

    def seen_by(self, viewer: int | None, *, at_start: bool = False) -> "Event":
        """Return the event as a seat sees it, or a spectator (None): secrets of others are None."""
        if not self.secret or getattr(self, "player", None) == viewer:
            return self
        hidden = {name: _hide(getattr(self, name)) for name in self.secret}
        return msgspec.structs.replace(self, **hidden)


def _hide(value: object) -> object:
    return (None,) * len(value) if isinstance(value, tuple) else None


class Deal(Event, frozen=True, tag="deal"):
    player: int
    cards: Cards
    secret = ("cards",)
    uncovers = True


class FaceUp(Event, frozen=True, tag="face_up"):
    cards: Cards
    uncovers = True


class Offer(Event, frozen=True, tag="offer"):
    player: int
    tickets: Ids
    decides = True
    secret = ("tickets",)
    uncovers = True


class Keep(Event, frozen=True, tag="keep"):
    player: int
    kept: Ids | None
    returned: Ids | None
    decides = True
    secret = ("kept", "returned")

    def seen_by(self, viewer: int | None, *, at_start: bool = False) -> Event:
        """Return the choice as a seat sees it; at the start its numbers are hidden too (R2.3)."""
        if at_start and viewer != self.player:
            return Keep(self.player, None, None)
        return super().seen_by(viewer)


class Take(Event, frozen=True, tag="take"):
    player: int
    place: int
    card: str
    decides = True


class Draw(Event, frozen=True, tag="draw"):
    player: int
    card: str | None
    decides = True
    secret = ("card",)
    uncovers = True


class Refill(Event, frozen=True, tag="refill"):
    place: int
    card: str
    uncovers = True


class Flush(Event, frozen=True, tag="flush"):
    cards: Cards


class Shuffle(Event, frozen=True, tag="shuffle"):
    count: int
    uncovers = True


class Claim(Event, frozen=True, tag="claim"):
    player: int
    route: str
    cards: tuple[str, ...]
    points: int
    decides = True


class Tunnel(Event, frozen=True, tag="tunnel"):
    player: int
    route: str
    cards: tuple[str, ...]
    revealed: tuple[str, ...]
    extra: int
    decides = True
    uncovers = True


class Withdraw(Event, frozen=True, tag="withdraw"):
    player: int
    route: str
    decides = True


class Station(Event, frozen=True, tag="station"):
    player: int
    city: str
    cards: tuple[str, ...]
    decides = True


class PassTurn(Event, frozen=True, tag="pass"):
    player: int
    decides = True


class LastRound(Event, frozen=True, tag="last_round"):
    player: int


AnyEvent = (
    Deal
    | FaceUp
    | Offer
    | Keep
    | Take
    | Draw
    | Refill
    | Flush
    | Shuffle
    | Claim
    | Tunnel
    | Withdraw
    | Station
    | PassTurn
    | LastRound
)
