"""A table as its log describes it: seats, clock and game. It knows no sockets and no store."""

from collections.abc import Iterable, Sequence
from hmac import compare_digest
from typing import Literal, NamedTuple

import msgspec

from ferrovia.errors import FerroviaError
from ferrovia.game import Game, RecordError
from ferrovia.game import events as game_events
from ferrovia.game.chance.shuffle import commitment_to, read_shuffle
from ferrovia.game.records.fork import forked
from ferrovia.game.records.record import Header
from ferrovia.game.records.replay import edition_of, follow, rewound
from ferrovia.game.scores import Result
from ferrovia.server.table import entries
from ferrovia.server.table.entries import HOST, AnyEntry, Clock, Setup
from ferrovia.server.table.tokens import token_hash

Status = Literal["waiting", "running", "over"]

_NONE: frozenset[int] = frozenset()


class Seat(msgspec.Struct):
    """A seat as it is now. `away`: a bot stands in for the person, and `left` says why.

    `commitment` and `part` are the person's part in the shuffle, as far as it is known;
    `commitments` counts how often they have committed. `timeouts`: how many times in a row their
    time was up. `since`: the number of the entry by which the person sat down.
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


class Decision(NamedTuple):
    """A decision that stands: the number of its entry, who decided, how many events the game had
    before, whether it uncovered something (`Event.uncovers`), whether it was at the start, and the
    seconds that were left on the clock, None without one.
    """

    number: int
    seat: int
    events: int
    uncovers: bool
    start: bool
    left: float | None


class UndoRequest(NamedTuple):
    """A person asks to take back what was decided from entry `first` on; `agreed` so far."""

    seat: int
    first: int
    until: float
    agreed: tuple[int, ...] = ()


class EntryRequest(NamedTuple):
    """Somebody asks for a seat, or for the screen, with a new secret; `token` is its hash."""

    token: str
    word: str


class Diverged(FerroviaError):
    """The rules do not lead to what the log of a table says happened in its game."""


class Table:
    """The state of a table after the first `number` entries of its log.

    `apply` is the only method that changes it: live play, resume, rematch and what another server
    wrote all go through it, so a table in memory is always the one that its log leads to.
    """

    # A game that waits should cost little: an instance with so many fields and no slots has a
    # dictionary of its own.
    __slots__ = (
        "_events",
        "_forked",
        "arranged",
        "asking",
        "awaiting_since",
        "changed",
        "commands",
        "commitment",
        "deadline",
        "decisions",
        "entries_asked",
        "game",
        "header",
        "hooks",
        "hooks_set",
        "host",
        "id",
        "last_arranged",
        "last_decided",
        "last_of_seat",
        "last_sealed",
        "lines",
        "locked",
        "muted",
        "number",
        "part",
        "pause_asked",
        "paused",
        "paused_at",
        "paused_left",
        "pauses",
        "rematch",
        "reports",
        "result",
        "reveal_by",
        "seats",
        "setup",
        "status",
        "undo_asked",
        "withheld",
    )

    def __init__(self, id: str) -> None:
        self.id = id
        self.number = 0
        self.changed = 0.0
        self.status: Status = "waiting"
        self.setup = Setup("")
        self.host = ""
        self.seats: list[Seat] = []
        self.header: Header | None = None
        self.game: Game | None = None
        self.result: Result | None = None
        self.paused = False
        self.paused_left: float | None = None
        self.pause_asked: tuple[int, ...] = ()
        self.pauses: dict[int, int] = {}
        self.part = ""  # of the server in the shuffle
        self.commitment: str | None = None  # to that part
        self.reveal_by: float | None = None
        self.awaiting_since = 0.0  # when the decision that is awaited was asked for
        self.paused_at = 0.0
        self.deadline: float | None = None
        self.rematch: str | None = None
        self.commands: dict[tuple[int, str], int] = {}
        self.last_decided = 0
        self.last_arranged = 0
        self.last_sealed = 0
        self.arranged: dict[int, int] = {}
        self.last_of_seat: list[int] = []
        self.decisions: list[Decision] = []
        self.undo_asked: UndoRequest | None = None
        self.hooks: dict[int, str] = {}  # where seats are told of their turns
        self.hooks_set = 0
        self.locked = False
        self.asking: dict[int, EntryRequest] = {}
        self.entries_asked = 0
        self.lines: dict[int, int | None] = {}  # who said what: the seat by the entry's number
        self.reports: dict[tuple[int | None, int | None], list[int]] = {}  # who reported what
        self.muted = _NONE
        self.withheld = _NONE
        self._events = 0  # those of the game so far
        self._forked: Game | None = None  # a game with new cards to come, as it was forked

    @classmethod
    def standing_at(cls, id: str, log: Iterable[AnyEntry], game: Game | None) -> "Table":
        """Return the table of a log whose game was rebuilt in another way, or not at all (None)."""
        table = cls(id)
        for entry in log:
            table._arrange(entry)
        table.game = game
        return table

    @property
    def clock(self) -> Clock:
        """The clock that was agreed on."""
        return self.setup.clock

    def actor(self, token: str | None) -> Actor | None:
        """Return who holds a token: a spectator without one, None if it holds nothing here."""
        if token is None:
            return SPECTATOR
        found, hashed = None, token_hash(token)
        for number, seat in enumerate(self.seats):  # always all of them: no early end
            if seat.token and compare_digest(hashed, seat.token):
                found = number
        host = bool(self.host) and compare_digest(hashed, self.host)
        return None if found is None and not host else Actor(found, host)

    def admits(self, actor: Actor) -> bool:
        """Return whether somebody may look on: players always; where there are no spectators,
        besides them only the host, before the game, at a table of bots alone, or as the screen of
        a room.
        """
        if self.setup.spectators or actor.seat is not None:
            return True
        bots_alone = all(seat.kind == "bot" for seat in self.seats)
        return actor.host and (self.status == "waiting" or bots_alone or self.setup.room)

    @property
    def host_seat(self) -> int | None:
        """The seat of the host, if the host has one."""
        for number, seat in enumerate(self.seats):
            if seat.token and seat.token == self.host:
                return number
        return None

    @property
    def longest_here(self) -> int | None:
        """The seat of the person who sat down first, of those who are still there."""
        people = [n for n, seat in enumerate(self.seats) if seat.kind == "person"]
        return min(people, key=lambda number: (self.seats[number].since, number), default=None)

    @property
    def full(self) -> bool:
        """Whether every seat is filled."""
        return all(seat.filled for seat in self.seats)

    @property
    def sealed(self) -> bool:
        """Whether the commitments to the shuffle are fixed; no seat changes hands any more."""
        return self.last_sealed > 0

    @property
    def unrevealed(self) -> tuple[int, ...]:
        """The seats that have committed to a part in the shuffle and not revealed it."""
        seats = enumerate(self.seats)
        return tuple(number for number, seat in seats if seat.commitment and not seat.part)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people who play themselves."""
        seats = enumerate(self.seats)
        return tuple(n for n, seat in seats if seat.kind == "person" and not seat.away)

    @property
    def moved(self) -> int:
        """The number of the last entry that is more than talk."""
        return max(self.last_decided, self.last_arranged)

    def said_by(self, seat: int | None) -> int:
        """Return how much a seat, or all spectators together (None), have said so far."""
        return sum(speaker == seat for speaker in self.lines.values())

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose decision is awaited."""
        if self.game is None or self.status != "running":
            return ()
        return self.game.awaited

    def has_person(self, seat: int) -> bool:
        """Return whether there is such a seat, and it is a person's."""
        return seat < len(self.seats) and self.seats[seat].kind == "person"

    def bot_of(self, seat: int) -> str | None:
        """Return the bot that decides for a seat now, or None if a person does."""
        sitting = self.seats[seat]
        if sitting.kind == "bot":
            return sitting.bot
        return self.setup.stand_in if sitting.away else None

    @property
    def awaited_bot(self) -> int | None:
        """A seat whose decision is awaited from a bot; bots wait while people talk of undoing."""
        if self.paused or self.undo_asked is not None:
            return None
        return next((seat for seat in self.awaited if self.bot_of(seat) is not None), None)

    @property
    def awaited_people(self) -> tuple[int, ...]:
        """The seats whose decision is awaited from people."""
        if self.paused:
            return ()
        return tuple(seat for seat in self.awaited if self.bot_of(seat) is None)

    @property
    def due(self) -> float | None:
        """When the server has to act itself: at once for a bot, at the deadline for people, and
        when nobody has answered whether to undo.
        """
        if self.status == "waiting":
            return self.reveal_by
        if self.awaited_bot is not None:
            return self.changed
        deadline = self.deadline if self.awaited_people else None
        if self.undo_asked is None:
            return deadline
        return min(self.undo_asked.until, deadline or self.undo_asked.until)

    @property
    def consenting(self) -> tuple[int, ...]:
        """The seats of people who are there: all of them must agree before something is undone."""
        return self.people

    def decisions_to_undo(self, seat: int) -> list[Decision]:
        """Return the last decision of a seat and all after it; empty if it has made none."""
        for at in range(len(self.decisions) - 1, -1, -1):
            if self.decisions[at].seat == seat:
                return self.decisions[at:]
        return []

    def why_not_undo(self, seat: int) -> Literal["nothing_to_undo", "uncovered"] | None:
        """Return why the last decision of a seat cannot be taken back; None if it can.

        At a table of people nobody may have learned anything since; and at the start, where all
        choose at the same time, nobody has to choose again because of another.
        """
        decisions = self.decisions_to_undo(seat)
        if not decisions:
            return "nothing_to_undo"
        if not self.setup.practice:
            others = any(decision.seat != seat for decision in decisions)
            if others and decisions[0].start:
                return "uncovered"
            if any(decision.uncovers for decision in decisions):
                return "uncovered"
        return None

    @property
    def undoable(self) -> tuple[int, ...]:
        """The seats of people who may ask now to take back their last decision."""
        if self.undo_asked is not None or self.rematch is not None or self.paused:
            return ()
        if self.status != "running" and (self.result is None or not self.setup.practice):
            return ()
        if not self.setup.practice and self.decisions and self.decisions[-1].uncovers:
            return ()  # as most decisions do: whatever is taken back, the last one is
        return tuple(seat for seat in self.consenting if self.why_not_undo(seat) is None)

    def basis(self, seat: int) -> int:
        """Return the last entry that a decision of this seat depends on; the client must know it.

        At the start, all choose at the same time (R2.3).
        """
        if self.game is not None and self.game.phase.name == "START":
            return self.last_of_seat[seat]
        return self.last_decided

    def apply(self, *log: AnyEntry) -> None:
        """Follow the next entries of the log: seats, clock and game.

        Raises `Diverged` if the game does not lead to what an entry says; the table is useless
        then. Many entries in one call cost much less than in many calls.
        """
        decided: list[entries.Decided] = []
        for entry in log:
            if isinstance(entry, entries.Decided):  # as most are
                if self.game is None:
                    raise Diverged("a decision before the game has begun")
                decided.append(entry)
            elif isinstance(entry, entries.Started):
                self.game = _started_game(entry)
                if entry.fork is not None and entry.fork.seed:
                    self._forked = self.game.copy()
            elif isinstance(entry, entries.Undone):
                self._undo(entry, decided)
            self._arrange(entry)
        if decided and self.game is not None:
            _follow(self.game, decided)

    def _undo(self, entry: entries.Undone, decided: list[entries.Decided]) -> None:
        """Take decisions back: those that the game has not followed yet, then those it has."""
        undone = [decision for decision in self.decisions if decision.number >= entry.first]
        if not undone or self.game is None:
            raise Diverged("nothing was decided that could be undone")
        unfollowed = min(len(undone), len(decided))
        del decided[len(decided) - unfollowed :]
        if len(undone) > unfollowed:
            try:
                self.game = self._rewound(self.game, undone[0].events)
            except RecordError as problem:
                raise Diverged(str(problem)) from None

    def _rewound(self, game: Game, count: int) -> Game:
        """Return the game as it stood after `count` events, chance included."""
        if self._forked is None:
            return rewound(game, count)
        before = self._forked.copy()
        follow(before, game.events[len(before.events) : count])
        return before

    def _arrange(self, entry: AnyEntry) -> None:
        """Follow the next entry in everything but the game."""
        self.number += 1
        if isinstance(entry, entries.Talk):
            self._hear(entry)
            return
        self.changed = entry.at
        if entry.command is not None:
            self.commands[entry.by, entry.command] = self.number
        match entry:
            case entries.Decided():  # as most are: the cases are tried in their order
                self._decide(entry)
            case entries.Created():
                self._create(entry)
            case entries.Seated(seat=seat, name=name, token=token, commitment=commitment):
                if self.seats[seat].token != token:
                    self._forget_commands(seat)
                self.seats[seat] = Seat(
                    "person", name=name, token=token, commitment=commitment, since=self.number
                )
            case entries.Committed(seat=seat, commitment=commitment):
                self.seats[seat].commitment = commitment
                self.seats[seat].commitments += 1
            case entries.Sealed(deadline=deadline):
                self.last_sealed, self.reveal_by = self.number, deadline
            case entries.Revealed(seat=seat, part=part):
                self.seats[seat].part = part
            case entries.Unseated(seat=seat):
                self.seats[seat] = Seat("open")
                self.asking.pop(seat, None)
            case entries.Locked(locked=locked):
                self.locked = locked
            case entries.Trimmed(seats=seats):
                self._trim(seats)
            case entries.EntryAsked(seat=seat, token=token, word=word):
                self.asking[seat] = EntryRequest(token, word)
                self.entries_asked += 1
            case entries.LetIn(seat=seat):
                self._let_in(seat)
            case entries.EntryRefused(seat=seat):
                self.asking.pop(seat, None)
            case entries.Filled(seat=seat, bot=bot):
                self.seats[seat] = Seat("bot", bot=bot)
            case entries.Started(header=header, deadline=deadline):
                self.status, self.header, self.deadline = "running", header, deadline
                self.reveal_by, self.awaiting_since = None, entry.at
                self.locked = True
                self.last_decided = self.number
                self.last_of_seat = [self.number] * len(self.seats)
                self._events = len(entry.events)
            case entries.Left(seat=seat, why=why):
                self.seats[seat].away, self.seats[seat].left = True, why
            case entries.Returned(seat=seat, deadline=deadline):
                self.seats[seat].away, self.seats[seat].left = False, ""
                self.seats[seat].timeouts = 0
                self.deadline = deadline
            case entries.PauseAsked(seat=seat):
                self.pause_asked = (*self.pause_asked, seat)
            case entries.PauseDeclined():
                self.pause_asked = ()
            case entries.Paused(left=left):
                self.paused, self.paused_left, self.deadline = True, left, None
                self.pause_asked = ()
                self.pauses[entry.by] = self.pauses.get(entry.by, 0) + 1
                self.paused_at = entry.at
            case entries.Resumed(deadline=deadline):
                self.paused, self.paused_left, self.deadline = False, None, deadline
                self.awaiting_since += entry.at - self.paused_at
            case entries.Rematched(table=table):
                self.rematch = table
            case entries.Closed():
                self.status, self.deadline, self.reveal_by = "over", None, None
                self.paused, self.paused_left, self.pause_asked = False, None, ()
            case entries.UndoAsked(seat=seat, first=first, until=until):
                self.undo_asked = UndoRequest(seat, first, until)
            case entries.UndoAgreed(seat=seat):
                if self.undo_asked is not None:
                    agreed = (*self.undo_asked.agreed, seat)
                    self.undo_asked = self.undo_asked._replace(agreed=agreed)
            case entries.UndoRefused():
                self.undo_asked = None
            case entries.Undone():
                self._restore(entry)
        if not isinstance(entry, entries.Decided):
            self.last_arranged = self.number
            self.arranged[entry.by] = self.arranged.get(entry.by, 0) + 1

    def _hear(self, entry: entries.Talk) -> None:
        """Follow what was said, and what others made of it."""
        if entry.command is not None:
            self.commands[entry.by, entry.command] = self.number
        match entry:
            case entries.Said(seat=seat):
                self.lines[self.number] = seat
            case entries.Reported(line=line, seat=seat):
                self.reports.setdefault((line, seat), []).append(entry.by)
            case entries.Muted(seat=number):
                self.muted |= {number}
            case entries.HookSet(seat=number, url=url):
                self.hooks[number] = url
                self.hooks_set += 1
            case entries.Withheld(line=line):
                self.withheld |= {line}

    def _create(self, entry: entries.Created) -> None:
        self.setup, self.host, self.part = entry.setup, entry.host, entry.part
        self.commitment = commitment_to(entry.part) if entry.part else None
        self.seats = [
            Seat(
                place.kind,
                place.name,
                place.bot,
                place.token,
                place.ready,
                commitment=place.commitment,
            )
            for place in entry.places
        ]

    def _trim(self, kept: Sequence[int]) -> None:
        """Keep these seats, numbered anew; what was counted by seat goes with them."""
        new = {old: number for number, old in enumerate(kept)} | {HOST: HOST}
        self.seats = [self.seats[old] for old in kept]
        self.commands = {
            (new[by], id): number for (by, id), number in self.commands.items() if by in new
        }
        self.arranged = {new[by]: count for by, count in self.arranged.items() if by in new}
        self.asking = {new[seat]: asked for seat, asked in self.asking.items() if seat in new}
        if self.setup.first is not None:
            self.setup = msgspec.structs.replace(self.setup, first=new.get(self.setup.first))

    def _let_in(self, seat: int) -> None:
        asked = self.asking.pop(seat, None)
        if asked is None:
            return
        if seat == HOST:
            self.host = asked.token
            return
        self._forget_commands(seat)
        self.hooks.pop(seat, None)
        if self.seats[seat].token == self.host:
            self.host = asked.token
        self.seats[seat].token = asked.token

    def _forget_commands(self, seat: int) -> None:
        """Forget the commands of a seat: their ids belong to whoever held it."""
        self.commands = {key: number for key, number in self.commands.items() if key[0] != seat}

    def _restore(self, entry: entries.Undone) -> None:
        """Follow what is true again after an undo; whoever decides now must know of it."""
        while self.decisions and self.decisions[-1].number >= entry.first:
            self._events = self.decisions.pop().events
        self.status, self.result, self.deadline = "running", None, entry.deadline
        self.awaiting_since = entry.at
        self.last_decided = self.number
        self.last_of_seat = [self.number] * len(self.seats)
        self.undo_asked = None

    def _decide(self, entry: entries.Decided) -> None:
        uncovers = any(event.uncovers for event in entry.events)
        left = None if self.deadline is None else max(0.0, self.deadline - entry.at)
        decision = Decision(self.number, entry.seat, self._events, uncovers, entry.start, left)
        self.decisions.append(decision)
        self._events += len(entry.events)
        self.undo_asked = None
        self.last_decided = self.last_of_seat[entry.seat] = self.number
        self.deadline, self.awaiting_since = entry.deadline, entry.at
        if entry.clock:
            self.seats[entry.seat].timeouts = entry.clock
        elif entry.by == entry.seat:
            self.seats[entry.seat].timeouts = 0
            self.pause_asked = tuple(seat for seat in self.pause_asked if seat != entry.seat)
        if entry.result is not None:
            self.status, self.result, self.deadline = "over", entry.result, None


def table_header(header: Header, setup: Setup) -> Header:
    """Return the header of a record with what it says of its table."""
    return msgspec.structs.replace(header, practice=True) if setup.practice else header


def _started_game(entry: entries.Started) -> Game:
    header = entry.header
    try:
        if entry.fork is not None:
            return forked(header, entry.events, bytes.fromhex(entry.fork.seed) or None)
        seed = bytes.fromhex(header.seed or "")
        game = Game(edition_of(header), header.players, seed=seed, first=header.first)
        game.shuffle = read_shuffle(header.shuffle, header.seed, len(header.players))
    except ValueError as problem:  # every error of a game is one
        raise Diverged(str(problem)) from None
    if tuple(game.events) != entry.events:
        raise Diverged("the cards and tickets are not those that the seed gives")
    return game


def _follow(game: Game, decided: Sequence[entries.Decided]) -> None:
    """Advance a game by decisions and their outcomes."""
    events = [event for entry in decided for event in entry.events]
    try:
        follow(game, events, decided[-1].result)
    except RecordError as problem:
        try:
            _decide_again(game, decided)
        except ValueError:
            raise Diverged(str(problem)) from None


def _decide_again(game: Game, decided: Sequence[entries.Decided]) -> None:
    """Make the decisions again whose events could not be followed; the events must be the same."""
    for entry in decided:
        if tuple(game.play(entry.seat, entry.action)) != entry.events:
            raise RecordError("the decisions lead to other events")
    if decided[-1].result != (game.result() if game.over else None):
        raise RecordError("the game is scored differently now")


def events_of(log: Iterable[AnyEntry]) -> tuple[game_events.Event, ...]:
    """Return the events of the game that a whole log holds, without what was taken back."""
    held: list[tuple[int, entries.Events]] = []
    for number, entry in enumerate(log, start=1):
        if isinstance(entry, entries.Started | entries.Decided):
            held.append((number, entry.events))
        elif isinstance(entry, entries.Undone):
            held = [one for one in held if one[0] < entry.first]
    return tuple(event for _, events in held for event in events)
