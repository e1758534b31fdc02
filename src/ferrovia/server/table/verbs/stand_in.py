"""Stand-ins: a bot plays for a person who left, until they return.

Time that runs out costs one decision, not the seat: only the second time in a row a bot stands in.
"""

from ferrovia.server.protocol.from_client import Leave, Replace, Return
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.context import Context
from ferrovia.server.table.entries import AnyEntry, Left, Returned
from ferrovia.server.table.table import Table
from ferrovia.server.table.verbs.decide import decide_for_absent, require_running

_TIMEOUTS = 2  # in a row, and a bot stands in


def leave_game(context: Context, command: Leave, seat: int) -> list[AnyEntry]:
    """Return the entry for the person of a seat who leaves a running game."""
    table, actor = context.table, context.actor
    require_running(table)
    if table.setup.stand_in is None:
        raise Refusal("no_stand_in", "at this table no bot stands in")
    if table.seats[seat].away:
        raise Refusal("away", "a bot plays for this seat already")
    at, by = context.now, actor.number
    return [Left(at=at, by=by, command=command.id, seat=seat, why="left")]


def take_back(context: Context, command: Return) -> list[AnyEntry]:
    """Return the entry for a person who takes the seat back; their clock has run meanwhile."""
    table, actor, now = context.table, context.actor, context.now
    if actor.seat is None:
        raise Refusal("not_seated", "spectators have no seat to take back")
    require_running(table)
    if not table.seats[actor.seat].away:
        raise Refusal("not_away", "nobody stands in for this seat")
    by, seat, deadline = actor.number, actor.seat, table.turn.deadline
    return [Returned(at=now, by=by, command=command.id, seat=seat, deadline=deadline)]


def replace(context: Context, command: Replace) -> list[AnyEntry]:
    """Return the entry for a person who has kept the others waiting too long: longer than the clock
    that was agreed on allows, or than the patience of this server where there is none.
    """
    table, actor, now = context.table, context.actor, context.now
    patience = context.terms.settings.patience
    if actor.seat is None:
        raise Refusal("not_seated", "only players can let a bot stand in")
    require_running(table)
    if command.seat >= len(table.seats):
        raise Refusal("no_such_seat", f"there is no seat {command.seat} at this table")
    if table.setup.stand_in is None:
        raise Refusal("no_stand_in", "at this table no bot stands in")
    if table.pause.on:
        raise Refusal("paused", "the game is paused")
    if command.seat not in table.awaited_people:
        raise Refusal("not_waiting_long", "no decision of theirs is awaited")
    if table.turn.deadline is not None and now < table.turn.deadline:
        raise Refusal("not_waiting_long", "their time is not over")
    if now - table.turn.since < patience:
        raise Refusal("not_waiting_long", f"wait {patience:g} seconds for their turn")
    by, seat = actor.number, command.seat
    return [Left(at=now, by=by, command=command.id, seat=seat, why="replaced")]


def time_out(table: Table, now: float) -> list[AnyEntry]:
    """Return entries for all awaited people if the clock has run out: a harmless decision for
    each, or a bot that stands in for who did not decide the last time either.
    """
    if table.turn.deadline is None or now < table.turn.deadline:
        return []
    late = table.awaited_people
    gone = [
        seat
        for seat in late
        if table.setup.stand_in is not None and table.seats[seat].timeouts + 1 >= _TIMEOUTS
    ]
    entries: list[AnyEntry] = [Left(at=now, seat=seat, why="clock") for seat in gone]
    rest = [seat for seat in late if seat not in gone]
    return entries + list(decide_for_absent(table, rest, now))
