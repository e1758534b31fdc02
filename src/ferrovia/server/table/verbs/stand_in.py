"""Stand-ins: a bot plays for a person who left, until they return."""

from ferrovia.server.protocol import Leave, Replace, Return
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.entries import Left, Returned
from ferrovia.server.table.table import Actor, Table
from ferrovia.server.table.verbs.decide import require_running


class StandIn:
    """Lets bots stand in. `patience`: seconds before others may replace somebody who is awaited."""

    def __init__(self, patience: float) -> None:
        self._patience = patience

    def leave(self, table: Table, actor: Actor, command: Leave, now: float) -> Left:
        """Return the entry for a person who leaves a running game."""
        assert actor.seat is not None
        require_running(table)
        if table.setup.stand_in is None:
            raise Refusal("no_stand_in", "at this table no bot stands in")
        if table.seats[actor.seat].away:
            raise Refusal("away", "a bot plays for this seat already")
        by, seat = actor.number, actor.seat
        return Left(at=now, by=by, command=command.id, seat=seat, why="left")

    def take_back(self, table: Table, actor: Actor, command: Return, now: float) -> Returned:
        """Return the entry for a person who takes the seat back; their clock begins anew."""
        if actor.seat is None:
            raise Refusal("not_seated", "spectators have no seat to take back")
        require_running(table)
        if not table.seats[actor.seat].away:
            raise Refusal("not_away", "nobody stands in for this seat")
        deadline, seconds = table.deadline, table.clock.seconds
        if seconds is not None and actor.seat in table.awaited and not table.paused:
            deadline = now + seconds
        return Returned(
            at=now, by=actor.number, command=command.id, seat=actor.seat, deadline=deadline
        )

    def replace(self, table: Table, actor: Actor, command: Replace, now: float) -> Left:
        """Return the entry for a person who has kept the others waiting too long."""
        if actor.seat is None:
            raise Refusal("not_seated", "only players can let a bot stand in")
        require_running(table)
        if command.seat >= len(table.seats):
            raise Refusal("no_such_seat", f"there is no seat {command.seat} at this table")
        if table.setup.stand_in is None:
            raise Refusal("no_stand_in", "at this table no bot stands in")
        if table.paused:
            raise Refusal("paused", "the game is paused")
        waited = now - table.changed
        if command.seat not in table.awaited_people or waited < self._patience:
            raise Refusal("not_waiting_long", f"wait {self._patience:g} seconds for their turn")
        return Left(at=now, by=actor.number, command=command.id, seat=command.seat, why="replaced")

    def time_out(self, table: Table, now: float) -> list[Left]:
        """Return entries for all awaited people if the clock has run out."""
        if table.deadline is None or now < table.deadline or table.setup.stand_in is None:
            return []
        return [Left(at=now, seat=seat, why="clock") for seat in table.awaited_people]
