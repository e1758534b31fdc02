"""Commands: one table says what is done with each of them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from ferrovia.server.protocol import from_client
from ferrovia.server.protocol.from_client import AnyCommand
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.context import Context, Terms
from ferrovia.server.table.entries import AnyEntry
from ferrovia.server.table.table import Table
from ferrovia.server.table.verbs import (
    chat,
    decide,
    notify,
    pause,
    rematch,
    room,
    seats,
    stand_in,
    start,
    undo,
)


def _arranged(table: Table) -> int:
    return table.last_arranged


def _moved(table: Table) -> int:
    return table.moved


def _sealed(table: Table) -> int:
    return table.shuffle.sealed_at  # all reveal at the same time


def _nothing(_: Table) -> int:
    return 0  # it names itself what it depends on, or depends on nothing


class Handling(NamedTuple):
    """What is done with a command: its verb, the last entry that whoever gives it must know, and
    which limit it counts for (see seat_limits.py).
    """

    verb: Callable[[Context, Any], list[AnyEntry]]
    knows: Callable[[Table], int] = _arranged
    limit: Literal["arrangement", "talk"] | None = "arrangement"


COMMANDS: Mapping[type[from_client.Command], Handling] = {
    from_client.Decide: Handling(decide.decide, _nothing, None),
    from_client.Reveal: Handling(start.reveal, _sealed),
    from_client.Leave: Handling(seats.leave),
    from_client.Return: Handling(stand_in.take_back),
    from_client.Replace: Handling(stand_in.replace, _moved),
    from_client.Pause: Handling(pause.pause),
    from_client.Resume: Handling(pause.resume),
    from_client.Fill: Handling(seats.fill),
    from_client.Rematch: Handling(rematch.rematch),
    from_client.Undo: Handling(undo.undo),
    from_client.AnswerUndo: Handling(undo.answer_undo),
    from_client.Choose: Handling(seats.choose, _nothing),
    from_client.Begin: Handling(seats.begin),
    from_client.Lock: Handling(room.lock),
    from_client.Remove: Handling(room.remove),
    from_client.LetIn: Handling(room.let_in, _nothing),
    from_client.Say: Handling(chat.say, _nothing, "talk"),
    from_client.Report: Handling(chat.report, _nothing, "talk"),
    from_client.Notify: Handling(notify.notify, _nothing, "talk"),
    from_client.Subscribe: Handling(notify.subscribe, _nothing, "talk"),
}

for _command in get_args(AnyCommand):
    if _command not in COMMANDS:
        raise TypeError(
            f"nothing is done with the command {_command.__name__}: write its verb in "
            "server/table/verbs/, and give it a line in COMMANDS in server/table/commands.py"
        )


def handle(context: Context, command: AnyCommand) -> list[AnyEntry]:
    """Return what a new command leads to; raises `Refusal`. The table does not change."""
    table, handling = context.table, COMMANDS[type(command)]
    if command.known > table.number:
        raise Refusal("ahead", f"the last event here is {table.number}")
    if command.known < handling.knows(table):
        raise Refusal("stale", "something has happened that this command did not know of")
    return handling.verb(context, command)


def advance(table: Table, written: Sequence[AnyEntry], now: float, terms: Terms) -> list[AnyEntry]:
    """Apply entries to a table, go on to its game if every seat is taken, and return all entries
    for the log.
    """
    log = list(written)
    table.apply(*log)
    if table.status == "waiting" and table.complete:
        begun = start.begin(table, now, terms)
        table.apply(*begun)
        log += begun
    return log


def time_out(table: Table, now: float, terms: Terms) -> list[AnyEntry]:
    """Return what follows because somebody's time is up, if it is."""
    let_in = room.time_out(table, now)
    if let_in:
        return let_in
    if table.status == "waiting":
        return start.time_out(table, now, terms)
    return undo.time_out(table, now) or stand_in.time_out(table, now)
