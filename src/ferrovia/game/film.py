"""A recorded game as a film: the state after every step, for one viewer, as changes.

The first frame is whole; every further one has only the fields that have changed. Each frame is a
view of the rules (`ferrovia.game.views`), so a film from a seat's eyes holds nothing that the seat
did not know at that moment.
"""

from collections.abc import Sequence
from typing import Any, Literal, cast

import msgspec

from ferrovia.game.codec.fields import ScoreReading
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.game.events import AnyEvent, Event
from ferrovia.game.finale import Finale, finale_of
from ferrovia.game.game import Game
from ferrovia.game.records.steps import Step
from ferrovia.game.records.turns import setup_length
from ferrovia.game.scores import Result, members, score_of
from ferrovia.game.views import (
    OwnTicket,
    Phase,
    PublicState,
    PublicView,
    SeatState,
    View,
    public_state,
    view_of,
)
from ferrovia.kernel import Buffer

Eyes = int | Literal["all", "public"]
"""From whose eyes a film is seen: a seat's, the public's, or with everything shown."""


class ScoreSoFar(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat would score if the game ended now. `tickets` is the balance of completed and
    failed ones, `bonus` that of the longest route.
    """

    routes: int
    tickets: int
    stations: int
    longest: int
    bonus: int
    total: int


class OpenHand(msgspec.Struct, frozen=True, kw_only=True):
    """The cards and tickets of a seat into which the viewer looks."""

    hand: dict[str, int]
    tickets: tuple[OwnTicket, ...]
    offer: tuple[str, ...]
    score: ScoreSoFar


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """A moment of a game. `hands` has null for every seat into which the viewer does not look."""

    public: PublicState
    hands: tuple[OpenHand | None, ...]


class FilmStep(msgspec.Struct, frozen=True, kw_only=True):
    """A decision of a seat in a turn (0: the set-up), its events as the viewer saw them, and the
    fields of the frame that have changed: of `public` without its seats, of its seats by number,
    and of the hands by number (null: the viewer does not look into it any more).
    """

    seat: int | None
    turn: int
    events: tuple[AnyEvent, ...]
    public: dict[str, Any]
    seats: dict[str, dict[str, Any]]
    hands: dict[str, dict[str, Any] | None]


class Film(msgspec.Struct, frozen=True, kw_only=True):
    """A game from its deal on. `deal` are the events of the deal, `first` the frame after it.

    `whole`: the last step is the last of the game so far; `over`: and the game is over. `result`
    and `finale` are there if it is. `seed` is null until then.
    """

    edition: str
    extras: tuple[str, ...]
    players: tuple[str, ...]
    practice: bool
    eyes: Eyes
    deal: tuple[AnyEvent, ...]
    first: Frame
    steps: tuple[FilmStep, ...]
    whole: bool
    over: bool
    result: Result | None
    finale: Finale | None
    seed: str | None


def film_of(
    game: Game,
    steps: Sequence[Step],
    eyes: Eyes,
    *,
    until: int | None = None,
    practice: bool = False,
) -> Film:
    """Return the film of a game from somebody's eyes. With `until`, nothing after that step is in
    it: not the result, and not how many steps there are.
    """
    shown = steps if until is None else steps[: until + 1]
    whole = until is None or until >= len(steps) - 1
    over = whole and game.over
    setup = setup_length(game.events, game.players, len(game.edition.deals))
    camera = _Camera(game.lexicon, eyes)
    first, *later = shown
    before = camera.frame(first.state)
    deal = _seen(game.events, first, eyes, setup)
    filmed = []
    start = before
    for step in later:
        frame = camera.frame(step.state)
        filmed.append(_changes(step, _seen(game.events, step, eyes, setup), before, frame))
        before = frame
    return Film(
        edition=game.edition.id,
        extras=game.edition.extras,
        players=game.names,
        practice=practice,
        eyes=eyes,
        deal=deal,
        first=start,
        steps=tuple(filmed),
        whole=whole,
        over=over,
        result=game.result() if over else None,
        finale=finale_of(game.lexicon, game.state) if over else None,
        seed=game.seed.hex() if over and game.seed_known else None,
    )


def _seen(happened: Sequence[Event], step: Step, eyes: Eyes, setup: int) -> tuple[AnyEvent, ...]:
    """Return the events of a step as the viewer saw them when they happened."""
    events = happened[step.first : step.end]
    if eyes != "all":
        viewer = None if eyes == "public" else eyes
        events = [
            event.seen_by(viewer, at_start=number < setup)
            for number, event in enumerate(events, start=step.first)
        ]
    return cast(tuple[AnyEvent, ...], tuple(events))


class _Camera:
    """Makes frames for one viewer. What has not changed since the last frame is not made again."""

    def __init__(self, lexicon: Lexicon, eyes: Eyes) -> None:
        self._lexicon = lexicon
        self._eyes = eyes
        self._known: dict[int, tuple[Any, SeatState]] = {}
        self._open: dict[int, tuple[Any, OpenHand]] = {}

    def frame(self, state: Buffer) -> Frame:
        """Return the frame of a state."""
        lexicon, eyes = self._lexicon, self._eyes
        if eyes == "all":
            view = PublicView(lexicon, state)
        else:
            view = view_of(lexicon, state, None if eyes == "public" else eyes)
        seats = tuple(self._seat(view, seat) for seat in range(view.players))
        return Frame(public=public_state(view, seats), hands=self._hands(view))

    def _seat(self, view: PublicView, seat: int) -> SeatState:
        s = view._s
        facts = (
            s.trains[seat],
            s.points[seat],
            s.hand_size[seat],
            s.known[seat],
            view.phase is Phase.START or s.ticket_count[seat],
            s.stations[seat],
            s.routes,
            s.open[seat],
        )
        before = self._known.get(seat)
        if before is not None and before[0] == facts and view.phase is not Phase.START:
            return before[1]
        made = view.of(seat)
        self._known[seat] = (facts, made)
        return made

    def _hands(self, view: PublicView) -> tuple[OpenHand | None, ...]:
        open_to_all = self._eyes == "all" or view.phase is Phase.OVER  # R11.3
        seats = [seat for seat in range(view.players) if open_to_all or seat == self._eyes]
        if not seats:
            return (None,) * view.players
        score = score_of(view.lexicon, view.buffer)
        return tuple(
            self._open_hand(view, seat, score) if seat in seats else None
            for seat in range(view.players)
        )

    def _open_hand(self, view: PublicView, seat: int, score: ScoreReading) -> OpenHand:
        s, points = view._s, tuple(getattr(score, name)[seat] for name in _SCORES)
        completed = score.completed[seat]
        offer = s.offer[seat][: s.offered[seat]]
        facts = (s.hand[seat], s.tickets[seat], offer, completed, points)
        before = self._open.get(seat)
        if before is not None and before[0] == facts:
            return before[1]
        own = View(view.lexicon, view.buffer, seat)
        done = {view.lexicon.tickets[number] for number in members(completed)}
        made = OpenHand(
            hand=own.hand,
            tickets=tuple(OwnTicket(id=ticket, done=ticket in done) for ticket in own.tickets),
            offer=own.offer,
            score=ScoreSoFar(**dict(zip(_SCORES, points, strict=True))),
        )
        self._open[seat] = facts, made
        return made


_SCORES = ScoreSoFar.__struct_fields__


def _changes(step: Step, events: tuple[AnyEvent, ...], before: Frame, after: Frame) -> FilmStep:
    pairs = zip(before.hands, after.hands, strict=True)
    hands: dict[str, dict[str, Any] | None] = {}
    for seat, (old, new) in enumerate(pairs):
        if old is not new and old != new:
            hands[str(seat)] = None if new is None else _changed(old, new)
    public = _changed(before.public, after.public)
    public.pop("seats", None)
    seats = {
        str(seat): _changed(old, new)
        for seat, (old, new) in enumerate(zip(before.public.seats, after.public.seats, strict=True))
        if old is not new and old != new
    }
    return FilmStep(
        seat=step.seat, turn=step.turn, events=events, public=public, seats=seats, hands=hands
    )


def _changed(old: msgspec.Struct | None, new: msgspec.Struct) -> dict[str, Any]:
    """Return the fields of a struct that have changed; all, where there was none before."""
    return {
        name: getattr(new, name)
        for name in new.__struct_fields__
        if old is None or getattr(old, name) != getattr(new, name)
    }
