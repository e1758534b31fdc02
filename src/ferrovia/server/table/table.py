"""A table as its log describes it: seats, clock and game. It knows no sockets and no store."""

from collections.abc import Callable, Iterable, Sequence
from hmac import compare_digest
from typing import Any, Literal, get_args

import msgspec

from ferrovia.game import Game
from ferrovia.game.records.record import Header
from ferrovia.game.scores import Result
from ferrovia.server.protocol.clock import Clock
from ferrovia.server.table import entries
from ferrovia.server.table.entries import HOST, AnyEntry, Setup
from ferrovia.server.table.parts.door import Door
from ferrovia.server.table.parts.pause import Pausing
from ferrovia.server.table.parts.shuffle import Shuffling
from ferrovia.server.table.parts.talk import Talking
from ferrovia.server.table.parts.turn_clock import TurnClock
from ferrovia.server.table.parts.undo import Undoing
from ferrovia.server.table.played import (
    MOST_MOMENTS,
    Diverged,
    Moment,
    follow_decisions,
    moment_of,
    started_game,
    taken_back,
)
from ferrovia.server.table.seat import SPECTATOR, Actor, Seat
from ferrovia.server.table.tokens import token_hash

Status = Literal["waiting", "running", "over"]


class Table(msgspec.Struct, eq=False):
    """The state of a table after the first `number` entries of its log.

    `apply` is the only method that changes it: live play, resume, rematch and what another server
    wrote all go through it, so a table in memory is always the one that its log leads to. An entry
    changes first what is here, then the parts that follow it, in their order.
    """

    id: str
    number: int = 0
    changed: float = 0.0
    status: Status = "waiting"
    setup: Setup = Setup("")
    host: str = ""
    seats: list[Seat] = []
    header: Header | None = None
    game: Game | None = None
    result: Result | None = None
    rematch: str | None = None
    commands: dict[tuple[int, str], int] = {}
    last_decided: int = 0
    last_arranged: int = 0
    last_of_seat: list[int] = []
    arranged: dict[int, int] = {}
    undo: Undoing = msgspec.field(default_factory=Undoing)
    turn: TurnClock = msgspec.field(default_factory=TurnClock)
    pause: Pausing = msgspec.field(default_factory=Pausing)
    shuffle: Shuffling = msgspec.field(default_factory=Shuffling)
    door: Door = msgspec.field(default_factory=Door)
    talk: Talking = msgspec.field(default_factory=Talking)
    begun: bool = False  # the host has said so
    forked: Game | None = None  # a game with new cards to come, as it was forked
    moments: list[Moment] = []  # of the game before its last decisions, as far as they are known

    @classmethod
    def standing_at(cls, id: str, log: Iterable[AnyEntry], game: Game | None) -> "Table":
        """Return the table of a log whose game was rebuilt in another way, or not at all (None)."""
        table = cls(id)
        for entry in log:
            table._follow(entry)
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
        return actor.host and (self.status == "waiting" or self.bots_alone or self.setup.room)

    @property
    def bots_alone(self) -> bool:
        """Whether bots have all the seats."""
        return all(seat.kind == "bot" for seat in self.seats)

    @property
    def bots_play_alone(self) -> bool:
        """Whether bots decide for all seats: nobody plays, or everybody has left."""
        return all(self.bot_of(number) is not None for number in range(len(self.seats)))

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
    def complete(self) -> bool:
        """Whether every seat is filled, and nobody is to say first how they sit."""
        return self.full and (self.setup.begin == "full" or self.begun)

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
        if self.pause.on or self.undo.request is not None:
            return None
        return next((seat for seat in self.awaited if self.bot_of(seat) is not None), None)

    @property
    def awaited_people(self) -> tuple[int, ...]:
        """The seats whose decision is awaited from people."""
        if self.pause.on:
            return ()
        return tuple(seat for seat in self.awaited if self.bot_of(seat) is None)

    @property
    def due(self) -> float | None:
        """When the server has to act itself: at once for a bot, at the deadline for people, when
        nobody has answered whether to undo, and when somebody is let in again.
        """
        dues = (self._game_due, self.door.due if self.status != "over" else None)
        return min((due for due in dues if due is not None), default=None)

    @property
    def _game_due(self) -> float | None:
        if self.status == "waiting":
            return self.shuffle.reveal_by
        if self.awaited_bot is not None:
            return self.changed
        deadline = self.turn.deadline if self.awaited_people else None
        if self.undo.request is None:
            return deadline
        return min(self.undo.request.until, deadline or self.undo.request.until)

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
                self.game = started_game(entry)
                if entry.fork is not None and entry.fork.seed:
                    self.forked = self.game.copy()
            elif isinstance(entry, entries.Undone):
                self._take_back(entry, decided)
            self._follow(entry)
        if decided and self.game is not None:
            self.moments = [*self.moments[1 - MOST_MOMENTS :], moment_of(self.game)]
            follow_decisions(self.game, decided)

    def _take_back(self, entry: entries.Undone, decided: list[entries.Decided]) -> None:
        """Take decisions back: those that the game has not followed yet, then those it has."""
        undone = [one for one in self.undo.decisions if one.number >= entry.first]
        if not undone or self.game is None:
            raise Diverged("nothing was decided that could be undone")
        unfollowed = min(len(undone), len(decided))
        del decided[len(decided) - unfollowed :]
        if len(undone) > unfollowed:
            standing = self.undo.decisions[: -len(undone)][1 - MOST_MOMENTS :]
            counts = [*(one.events for one in standing), undone[0].events]
            self.game, self.moments = taken_back(self.game, self.forked, self.moments, counts)

    def _follow(self, entry: AnyEntry) -> None:
        """Follow the next entry in everything but the game."""
        self.number += 1
        if entry.command is not None:
            self.commands[entry.by, entry.command] = self.number
        kind = type(entry)
        if kind not in _TALK:
            self.changed = entry.at
            self._arrange(entry)
            if kind is not entries.Decided:
                self.last_arranged = self.number
                self.arranged[entry.by] = self.arranged.get(entry.by, 0) + 1
        for part, follow in _FOLLOWED_BY[kind]:
            follow(getattr(self, part), entry, self)

    def _arrange(self, entry: AnyEntry) -> None:
        """Follow who sits where, whether the game goes on, and what decisions depend on."""
        match entry:
            case entries.Decided(seat=seat):  # as most are: the cases are tried in their order
                self.last_decided = self.last_of_seat[seat] = self.number
                if entry.clock:
                    self.seats[seat].timeouts = entry.clock
                elif entry.by == seat:
                    self.seats[seat].timeouts = 0
                if entry.result is not None:
                    self.status, self.result = "over", entry.result
            case entries.Created():
                self.setup, self.host = entry.setup, entry.host
                self.seats = [Seat(**msgspec.structs.asdict(place)) for place in entry.places]
            case entries.Seated(seat=seat, name=name, token=token, commitment=commitment):
                before = self.seats[seat]
                if before.token != token:
                    self._forget_commands(seat)
                self.seats[seat] = Seat(
                    "person", name=name, token=token, commitment=commitment, since=self.number
                )
                self.seats[seat].color, self.seats[seat].portrait = before.color, entry.portrait
            case entries.Chosen(seat=seat):
                self._choose(entry)
            case entries.Committed(seat=seat, commitment=commitment):
                self.seats[seat].commitment = commitment
                self.seats[seat].commitments += 1
            case entries.Revealed(seat=seat, part=part):
                self.seats[seat].part = part
            case entries.Unseated(seat=seat):
                self.seats[seat] = Seat("open", color=self.seats[seat].color)
            case entries.Filled(seat=seat, bot=bot):
                self.seats[seat] = Seat("bot", bot=bot, color=self.seats[seat].color)
            case entries.Trimmed(seats=kept, first=first):
                self._trim(kept)
                self.begun = True
                if first is not None:
                    self.setup = msgspec.structs.replace(self.setup, first=first)
            case entries.EntryGranted(seat=seat) if seat in self.door.asking:
                self._hand_over(seat, self.door.asking[seat].token)
            case entries.EntryGranted():
                pass
            case entries.Renewed(seat=seat, token=token):
                self._hand_over(seat, token)
            case entries.Started(header=header):
                self.status, self.header = "running", header
                for number, color in enumerate(header.colors or ()):
                    self.seats[number].color = color
                self._depend_on_this()
            case entries.Left(seat=seat, why=why):
                self.seats[seat].away, self.seats[seat].left = True, why
            case entries.Returned(seat=seat):
                self.seats[seat].away, self.seats[seat].left = False, ""
                self.seats[seat].timeouts = 0
            case entries.Rematched(table=table):
                self.rematch = table
            case entries.Closed():
                self.status = "over"
            case entries.Undone():
                self.status, self.result = "running", None
                self._depend_on_this()
            case _ if not _FOLLOWED_BY[type(entry)]:
                raise TypeError(
                    f"no table follows the entry {type(entry).__name__}: give it a case here, or "
                    "name it in the `Followed` of a part in server/table/parts/"
                )

    def _depend_on_this(self) -> None:
        """Let all that is decided from now on depend on this entry."""
        self.last_decided = self.number
        self.last_of_seat = [self.number] * len(self.seats)

    def _trim(self, kept: tuple[int, ...]) -> None:
        """Keep these seats, numbered anew; what was counted by seat goes with them."""
        new = {old: number for number, old in enumerate(kept)} | {HOST: HOST}
        self.seats = [self.seats[old] for old in kept]
        self.commands = {
            (new[by], id): number for (by, id), number in self.commands.items() if by in new
        }
        self.arranged = {new[by]: count for by, count in self.arranged.items() if by in new}
        if self.setup.first is not None:
            self.setup = msgspec.structs.replace(self.setup, first=new.get(self.setup.first))

    def _choose(self, entry: entries.Chosen) -> None:
        """Give a seat its portrait, and its colour in exchange for that of whoever had it."""
        own = self.seats[entry.seat]
        own.portrait = entry.portrait
        if entry.color:
            for other in self.seats:
                if other.color == entry.color:
                    other.color = own.color
            own.color, own.chose = entry.color, True

    def _hand_over(self, seat: int, token: str) -> None:
        """Give a seat, or the screen (HOST), to whoever has a secret with this hash."""
        if seat == HOST:
            self.host = token
            return
        self._forget_commands(seat)
        if self.seats[seat].token == self.host:
            self.host = token
        self.seats[seat].token = token

    def _forget_commands(self, seat: int) -> None:
        """Forget the commands of a seat: their ids belong to whoever held it."""
        self.commands = {key: number for key, number in self.commands.items() if key[0] != seat}


# In this order: what can be undone notes the time that was left before the clock goes on.
_PARTS: dict[str, type[Any]] = {
    "undo": Undoing,
    "turn": TurnClock,
    "pause": Pausing,
    "shuffle": Shuffling,
    "door": Door,
    "talk": Talking,
}


def _followed_by(kind: type) -> tuple[tuple[str, Callable[[Any, AnyEntry, Table], None]], ...]:
    """Return the parts, with their `follow`, that follow entries of a kind."""
    return tuple(
        (name, part.follow)
        for name, part in _PARTS.items()
        if kind in get_args(part.follow.__annotations__["entry"])
    )


_FOLLOWED_BY = {kind: _followed_by(kind) for kind in get_args(AnyEntry)}
_TALK = frozenset(get_args(entries.Talk))


def table_header(header: Header, table: Table, palette: Sequence[str]) -> Header:
    """Return the header of a record with what it says of its table; the edition has a palette."""
    more: dict[str, Any] = {}
    if table.setup.practice:
        more["practice"] = True
    usual = palette[: len(table.seats)]
    colors = tuple(seat.color or own for seat, own in zip(table.seats, usual, strict=True))
    if colors != tuple(usual):
        more["colors"] = colors
    portraits = tuple(seat.portrait for seat in table.seats)
    if any(portraits):
        more["portraits"] = portraits
    return msgspec.structs.replace(header, **more)
