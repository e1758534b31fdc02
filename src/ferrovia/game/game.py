"""A game that is played: its actions, events, views and result."""

import hashlib
import secrets
import sys
from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from ferrovia.boards import Edition, load_edition
from ferrovia.game import actions, events
from ferrovia.game.chance.seeds import seed_bytes
from ferrovia.game.chance.shuffle import ShuffleMethod
from ferrovia.game.codec import actions as codec
from ferrovia.game.codec.events import events_of
from ferrovia.game.codec.fields import OFFERED_AT, PHASE_AT, SEAT_AT, TURNS_AT
from ferrovia.game.codec.lexicon import Lexicon, lexicon_of
from ferrovia.game.errors import IllegalAction, illegal
from ferrovia.game.legal import legal_actions
from ferrovia.game.records.tape import Tape
from ferrovia.game.records.turns import setup_length
from ferrovia.game.scores import Result, longest_routes, result_of
from ferrovia.game.summary import summary_line, summary_text
from ferrovia.game.views import Phase, PublicView, View, view_of
from ferrovia.kernel import Buffer
from ferrovia.rules import calls
from ferrovia.rules.chapters import breaches
from ferrovia.rules.state.layout import NONE, OVER, START, STATE
from ferrovia.rules.state.log import LOST_COUNT, TAPE_AT, TAPE_HEAD, TAPE_IMPOSSIBLE, Rows, new_rows

if TYPE_CHECKING:
    from ferrovia.game.records.record import Record

_ROWS = 64
_NO_ROWS: Rows = bytearray()

_PHASES = {phase.value: phase for phase in Phase}


class _Moment(NamedTuple):
    """A game as it stood before a decision, and the number of its events after it."""

    state: bytes
    events: int
    start_events: int
    tape: Tape
    tape_at: int
    events_after: int


class Game:
    """A game of an edition, from the first deal to the final score.

    `edition` is the name of a built-in one, the path of a board file, or an `Edition`; `players` a
    number or names; `first` the seat that begins (None: chance decides, R2.4); `seed` 32 bytes, or
    a whole number for tests and examples, or None for a secret one.
    """

    def __init__(
        self,
        edition: str | Edition = "europe",
        players: int | Sequence[str] = 2,
        *,
        seed: bytes | int | None = None,
        first: int | None = None,
        extras: Sequence[str] = (),
    ) -> None:
        if not isinstance(edition, Edition):
            edition = load_edition(edition, extras)
        elif extras:
            raise ValueError("extras go with the name or path of an edition; use with_packs here")
        names = _names(players)
        edition.check_seats(len(names))
        if first is not None and not 0 <= first < len(names):
            raise ValueError(f"there is no seat {first} at a table of {len(names)}")
        chosen = secrets.token_bytes(32) if seed is None else seed_bytes(seed)
        self._prepare(lexicon_of(edition), names, chosen, array("i"))
        self._start(first)

    def _prepare(
        self,
        lexicon: Lexicon,
        names: tuple[str, ...],
        seed: bytes,
        tape: Tape,
    ) -> None:
        self.lexicon = lexicon
        self.names = names
        self.seed = seed
        self.shuffle: ShuffleMethod | None = None
        self._published: str | None = None  # the commitment, where the seed is not known
        self.state = STATE.new()
        self.events: list[events.Event] = []
        self._rows = _NO_ROWS  # those of the decision that is being carried out
        self._tape = tape
        self._start_events = 0  # events up to the first turn
        self._past: list[_Moment] = []

    @classmethod
    def standing_at(
        cls,
        lexicon: Lexicon,
        names: Sequence[str],
        seed: bytes,
        state: Buffer,
        happened: list[events.Event],
    ) -> "Game":
        """Return the game that stands at a state of the kernel after these events."""
        game = cls.__new__(cls)
        game._prepare(lexicon, tuple(names), seed, array("i"))
        game.state[:] = state
        game.events = happened
        game._start_events = setup_length(happened, game.players, len(game.edition.deals))
        return game

    def foretell(self, tape: Tape) -> None:
        """Take the next outcomes of chance from a tape: for tests and examples."""
        self._tape = tape

    def _start(self, first: int | None) -> None:
        begins = NONE if first is None else first
        self._perform(
            lambda: calls.start(
                self.lexicon.book,
                self.state,
                self.seed,
                self.players,
                begins,
                self._rows,
                self._tape,
            )
        )

    @property
    def edition(self) -> Edition:
        """The edition that is played."""
        return self.lexicon.edition

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.names)

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed: published at the start, it proves the seed at the end."""
        if self._published is not None:
            return self._published
        return hashlib.sha256(self.seed).hexdigest()

    @property
    def seed_known(self) -> bool:
        """Whether the cards come from `seed`; false for a game from a record without one."""
        return self._published is None

    def commit_to(self, commitment: str | None) -> None:
        """Set the commitment to a seed that is not known; None: the seed is `seed`."""
        self._published = commitment

    @property
    def phase(self) -> Phase:
        """What the next decision is about."""
        return _PHASES[self.state[PHASE_AT]]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state[PHASE_AT] == OVER

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is; None during the start and after the end."""
        phase = self.state[PHASE_AT]
        return None if phase in (START, OVER) else self.state[SEAT_AT]

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose decision is awaited: all with an open offer at the start (R2.3)."""
        if self.state[PHASE_AT] == START:
            offered = self.state[OFFERED_AT : OFFERED_AT + self.players]
            return tuple(seat for seat, tickets in enumerate(offered) if tickets)
        turn = self.turn
        return () if turn is None else (turn,)

    @property
    def turns(self) -> int:
        """Turns begun so far."""
        return int.from_bytes(self.state[TURNS_AT : TURNS_AT + 2], sys.byteorder)

    def legal_actions(self, seat: int) -> list[actions.Action]:
        """Return all that a seat may do now, every payment on its own; empty if it is not awaited.

        Tickets are given back in the order drawn here; other orders are legal as well.
        """
        return legal_actions(self.lexicon, self.state, self._seat(seat))

    def why_not(self, seat: int, action: actions.Action | str) -> IllegalAction | None:
        """Return None if the seat may do this now, else the reason. Nothing changes either way.

        Raises `InvalidAction` for an action that cannot be read.
        """
        trial = self.copy()
        try:
            trial.play(seat, action)
        except IllegalAction as reason:
            return reason
        return None

    def play(self, seat: int, action: actions.Action | str) -> list[events.Event]:
        """Carry out an action of a seat and return the events that it led to.

        Raises `InvalidAction` or `IllegalAction`; then nothing has changed.
        """
        if isinstance(action, str):
            action = actions.read_action(action)
        seat = self._seat(seat)
        starting = self.state[PHASE_AT] == START
        tape, tape_at = self._tape, self._tape[TAPE_AT] if self._tape else 0
        before = bytes(self.state)
        happened = self._perform(lambda: self._decide(seat, action))
        begun = len(self.events) - len(happened)
        self._past.append(
            _Moment(before, begun, self._start_events, tape, tape_at, len(self.events))
        )
        if starting and self.state[PHASE_AT] != START:
            self._start_events = len(self.events)
        return happened

    def undo(self) -> list[events.Event]:
        """Take back the last decision and return its events; as often as there are decisions.

        Everything is as it was before, chance included: the same decision leads to the same events
        again. At the start, where seats choose their tickets in any order, it is the choice that
        was made last. The decisions of a game from a record can be taken back as well.
        ValueError where there is none. For analysis: at a table of people nothing is taken back.
        """
        if not self._past or self._past[-1].events_after != len(self.events):
            return self._undo_recorded()
        moment = self._past.pop()
        self.state[:] = moment.state
        self._start_events = moment.start_events
        self._tape = moment.tape
        if self._tape:
            self._tape[TAPE_AT] = moment.tape_at
            self._tape[TAPE_IMPOSSIBLE] = 0
        taken = self.events[moment.events :]
        del self.events[moment.events :]
        return taken

    def _undo_recorded(self) -> list[events.Event]:
        """Take back a decision that was not played here, but followed from its events."""
        from ferrovia.game.records.replay import before_last_decision

        before = before_last_decision(self)
        if before is None:
            raise ValueError("there is no decision to take back")
        taken = self.events[len(before.events) :]
        del self.events[len(before.events) :]
        self.state[:] = before.state
        self._start_events = before._start_events
        self._past.clear()
        return taken

    @overload
    def view(self, seat: int) -> View: ...
    @overload
    def view(self, seat: int | None) -> PublicView: ...
    def view(self, seat: int | None) -> PublicView:
        """Return what a seat may know, or the public (None); everything when the game is over."""
        return view_of(self.lexicon, self.state, None if seat is None else self._seat(seat))

    def events_for(self, seat: int | None) -> list[events.Event]:
        """Return the events so far as a seat, or the public (None), may know them (R11.3)."""
        if self.over:
            return list(self.events)
        start = len(self.events) if self.phase is Phase.START else self._start_events
        return [
            event.seen_by(seat, at_start=number < start) for number, event in enumerate(self.events)
        ]

    def result(self) -> Result:
        """Return the score of every seat and the winners; before the end, as if it ended now.

        It reveals the tickets of all seats: show it to nobody before the end.
        """
        return result_of(self.lexicon, self.state)

    def longest_routes(self) -> tuple[tuple[str, ...], ...]:
        """Return for each seat the routes of one longest continuous route."""
        return longest_routes(self.lexicon, self.state)

    def record(self) -> "Record":
        """Return the full record of the game so far, with all secrets."""
        from ferrovia.game.records.record import record_of

        return record_of(self)

    @staticmethod
    def from_record(text: str | bytes) -> "Game":
        """Return the game of a record, replayed and checked; RecordError names line and rule."""
        from ferrovia.game.records.record import read_record
        from ferrovia.game.records.replay import replay

        return replay(read_record(text))

    def svg(self, *, width: int = 1200) -> str:
        """Return the board with what has been claimed and built, as SVG."""
        public = self.view(None)
        stations = {city: seat for seat in range(self.players) for city in public.of(seat).stations}
        from ferrovia.drawing import draw  # it takes longer to load than all the rest

        return draw(
            self.edition.board,
            owners=public.owners,
            stations=stations,
            player_colors=self.edition.player_colors,
            width=width,
        )

    def __repr__(self) -> str:
        result = self.result() if self.over else None
        return f"<Game {summary_line(self.view(None), self.names, result)}>"

    def __str__(self) -> str:
        """The table as everybody may see it: scores, cards and routes."""
        return summary_text(self.view(None), self.names, self.result() if self.over else None)

    def _repr_svg_(self) -> str:
        return self.svg()

    def copy(self) -> "Game":
        """Return an independent game that stands where this one does."""
        twin = Game.standing_at(self.lexicon, self.names, self.seed, self.state, list(self.events))
        twin._start_events = self._start_events
        twin.shuffle, twin._published = self.shuffle, self._published
        twin._past = list(self._past)
        twin.foretell(self._tape[:])
        return twin

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.players:
            raise ValueError(f"there is no seat {seat} at a table of {self.players}")
        return seat

    def _perform(self, decide: Callable[[], None]) -> list[events.Event]:
        """Run kernel calls, all or nothing, and return the events, which join `self.events`."""
        before = self.state.copy()
        tape_head = self._tape[:TAPE_HEAD]
        size = _ROWS
        while True:
            rows = self._rows = new_rows(size)
            complete = False
            try:
                decide()
                if self._tape and self._tape[TAPE_IMPOSSIBLE]:
                    raise ValueError("the tape names a card that is not in the deck")
                count = rows[0, 0]
                if count == LOST_COUNT:
                    raise ValueError(f"{count} events and more at once cannot be kept")
                complete = count < size
            finally:
                self._rows = _NO_ROWS
                if not complete:
                    self.state[:] = before
                    self._tape[:TAPE_HEAD] = tape_head
            if complete:
                happened = events_of(self.lexicon, rows[1 : count + 1])
                self.events += happened
                return happened
            size = 2 * count

    def _apply(self, seat: int, code: int) -> None:
        breach = calls.apply(self.lexicon.book, self.state, seat, code, self._rows, self._tape)
        if breach != breaches.FINE:
            raise illegal(breach)

    def _decide(self, seat: int, action: actions.Action) -> None:
        for code in codec.codes_of(self.lexicon, self.state, seat, action):
            self._apply(seat, code)


def _names(players: int | Sequence[str]) -> tuple[str, ...]:
    if isinstance(players, int):
        return tuple(f"Player {number + 1}" for number in range(players))
    return tuple(players)
