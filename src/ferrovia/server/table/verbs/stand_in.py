"""Stand-ins: a bot plays for a person who left, until they return.

Time that runs out costs one decision, not the seat: only the second time in a row a bot stands in.
"""

from ferrovia.server.protocol import Leave, Replace, Return
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.entries import AnyEntry, Left, Returned
from ferrovia.server.table.table import Actor, Table
from ferrovia.server.table.verbs.decide import Decider, require_running

_TIMEOUTS = 2  # in a row, and a bot stands in


class StandIn:
    """Lets bots stand in. `patience`: seconds before others may replace somebody who is awaited,
    at a table without a clock.
    """

    def __init__(self, patience: float, decider: Decider | None = None) -> None:
        self._patience = patience
        self._decider = decider or Decider()

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
        """Return the entry for a person who takes the seat back; their clock has run meanwhile."""
        if actor.seat is None:
            raise Refusal("not_seated", "spectators have no seat to take back")
        require_running(table)
        if not table.seats[actor.seat].away:
            raise Refusal("not_away", "nobody stands in for this seat")
        return Returned(
            at=now, by=actor.number, command=command.id, seat=actor.seat, deadline=table.deadline
        )

    def replace(self, table: Table, actor: Actor, command: Replace, now: float) -> Left:
        """Return the entry for a person who has kept the others waiting too long: longer than the
        clock that was agreed on allows, or than anybody's patience where there is none.
        """
        if actor.seat is None:
            raise Refusal("not_seated", "only players can let a bot stand in")
        require_running(table)
        if command.seat >= len(table.seats):
            raise Refusal("no_such_seat", f"there is no seat {command.seat} at this table")
        if table.setup.stand_in is None:
            raise Refusal("no_stand_in", "at this table no bot stands in")
        if table.paused:
            raise Refusal("paused", "the game is paused")
        if command.seat not in table.awaited_people:
            raise Refusal("not_waiting_long", "no decision of theirs is awaited")
        if table.deadline is not None and now < table.deadline:
            raise Refusal("not_waiting_long", "their time is not over")
        if now - table.awaiting_since < self._patience:
            raise Refusal("not_waiting_long", f"wait {self._patience:g} seconds for their turn")
        return Left(at=now, by=actor.number, command=command.id, seat=command.seat, why="replaced")

    def time_out(self, table: Table, now: float) -> list[AnyEntry]:
        """Return entries for all awaited people if the clock has run out: a harmless decision for
        each, or a bot that stands in for who did not decide the last time either.
        """
        if table.deadline is None or now < table.deadline:
            return []
        late = table.awaited_people
        gone = [
            seat
            for seat in late
            if table.setup.stand_in is not None and table.seats[seat].timeouts + 1 >= _TIMEOUTS
        ]
        entries: list[AnyEntry] = [Left(at=now, seat=seat, why="clock") for seat in gone]
        rest = [seat for seat in late if seat not in gone]
        return entries + list(self._decider.decide_for_absent(table, rest, now))
