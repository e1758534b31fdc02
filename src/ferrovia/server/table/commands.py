"""Commands: which verb handles each of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from ferrovia.server import protocol
from ferrovia.server.lobby.catalog import Catalog
from ferrovia.server.protocol import AnyCommand
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.entries import AnyEntry, Created
from ferrovia.server.table.table import Actor, Table
from ferrovia.server.table.verbs import (
    REVEAL_SECONDS,
    Decider,
    GameStarter,
    Pauser,
    Rematcher,
    RoomKeeper,
    SeatAssigner,
    StandIn,
    TableCreator,
    Talker,
    Undoer,
    set_hook,
)

# Commands that need not know what was arranged: decisions say themselves what they have to know.
_ANY_TIME = protocol.Decide | protocol.Say | protocol.Report | protocol.Notify


@dataclass(frozen=True, slots=True)
class Outcome:
    """New entries for the log of a table; `created`: id and first entry of another new table."""

    entries: list[AnyEntry]
    created: tuple[str, Created] | None = None


class Verbs:
    """All verbs of the server. See verbs/ for the contract that they share."""

    def __init__(
        self,
        catalog: Catalog,
        patience: float,
        shortest_turn: int = 10,
        reveal_seconds: float = REVEAL_SECONDS,
        *,
        webhooks: bool = False,
    ) -> None:
        self.create = TableCreator(catalog, shortest_turn, webhooks=webhooks)
        self.start = GameStarter(catalog, reveal_seconds)
        self.seats = SeatAssigner(catalog)
        self.decide = Decider()
        self.stand_in = StandIn(patience, self.decide)
        self.pause = Pauser()
        self.rematch = Rematcher()
        self.undo = Undoer()
        self.chat = Talker()
        self.room = RoomKeeper(catalog)

    def advance(self, table: Table, written: Sequence[AnyEntry], now: float) -> list[AnyEntry]:
        """Apply entries to a table, go on to its game if every seat is taken, and return all
        entries for the log.
        """
        log = list(written)
        table.apply(*log)
        if table.status == "waiting" and table.full:
            begun = self.start.begin(table, now)
            table.apply(*begun)
            log += begun
        return log

    def time_out(self, table: Table, now: float) -> list[AnyEntry]:
        """Return what follows because somebody's time is up, if it is."""
        if table.status == "waiting":
            return self.start.time_out(table, now)
        return [*self.undo.time_out(table, now)] or self.stand_in.time_out(table, now)

    def handle(self, table: Table, actor: Actor, command: AnyCommand, now: float) -> Outcome:
        """Return what a new command leads to; raises `Refusal`. The table does not change."""
        if command.known > table.number:
            raise Refusal("ahead", f"the last event here is {table.number}")
        if not isinstance(command, _ANY_TIME):
            _require_known(table, command)
        match command:
            case protocol.Decide():
                return Outcome(list(self.decide.decide(table, actor, command, now)))
            case protocol.Reveal():
                return Outcome([self.start.reveal(table, actor, command, now)])
            case protocol.Leave():
                return Outcome([self._leave(table, actor, command, now)])
            case protocol.Return():
                return Outcome([self.stand_in.take_back(table, actor, command, now)])
            case protocol.Replace():
                return Outcome([self.stand_in.replace(table, actor, command, now)])
            case protocol.Pause():
                return Outcome([self.pause.pause(table, actor, command, now)])
            case protocol.Resume():
                return Outcome([self.pause.resume(table, actor, command, now)])
            case protocol.Fill():
                return Outcome([self.seats.fill(table, actor, command, now)])
            case protocol.Rematch():
                entry, other, created = self.rematch.rematch(table, actor, command, now)
                return Outcome([entry], (other, created))
            case protocol.Undo():
                return Outcome([self.undo.ask(table, actor, command, now)])
            case protocol.AnswerUndo():
                return Outcome([*self.undo.answer(table, actor, command, now)])
            case protocol.Begin():
                return Outcome([self.room.begin(table, actor, command, now)])
            case protocol.Lock():
                return Outcome([self.room.lock(table, actor, command, now)])
            case protocol.Remove():
                return Outcome([self.room.remove(table, actor, command, now)])
            case protocol.LetIn():
                return Outcome([self.room.answer(table, actor, command, now)])
            case protocol.Notify():
                return Outcome([set_hook(table, actor, command, now)])
            case protocol.Say():
                return Outcome([self.chat.say(table, actor, command, now)])
            case protocol.Report():
                return Outcome([self.chat.report(table, actor, command, now)])

    def _leave(self, table: Table, actor: Actor, command: protocol.Leave, now: float) -> AnyEntry:
        if actor.seat is None:
            raise Refusal("not_seated", "spectators have no seat to leave")
        if table.status == "waiting":
            return self.seats.leave(table, actor, command, now)
        return self.stand_in.leave(table, actor, command, now)


def _require_known(table: Table, command: AnyCommand) -> None:
    basis = table.last_arranged
    if isinstance(command, protocol.Replace):
        basis = max(basis, table.last_decided)
    elif isinstance(command, protocol.Reveal):
        basis = table.last_sealed  # all reveal at the same time
    elif isinstance(command, protocol.LetIn):
        return  # it names what it answers
    if command.known < basis:
        raise Refusal("stale", "something has happened that this command did not know of")
