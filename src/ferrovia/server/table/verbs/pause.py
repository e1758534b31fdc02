"""Pause and resume: nobody decides and no clock runs in between."""

from ferrovia.server.protocol import Pause, Resume
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.entries import Paused, Resumed
from ferrovia.server.table.table import Actor, Table
from ferrovia.server.table.verbs.decide import require_running


class Pauser:
    """Pauses a running game and resumes it, for anybody who plays in it."""

    def pause(self, table: Table, actor: Actor, command: Pause, now: float) -> Paused:
        """Return the entry for a pause; it keeps the seconds left on the clock."""
        _require_player(table, actor)
        if table.paused:
            raise Refusal("paused", "the game is paused already")
        left = None if table.deadline is None else max(0.0, table.deadline - now)
        return Paused(at=now, by=actor.number, command=command.id, left=left)

    def resume(self, table: Table, actor: Actor, command: Resume, now: float) -> Resumed:
        """Return the entry for the end of a pause; the clock goes on where it stopped."""
        _require_player(table, actor)
        if not table.paused:
            raise Refusal("not_paused", "the game is not paused")
        deadline = None if table.paused_left is None else now + table.paused_left
        return Resumed(at=now, by=actor.number, command=command.id, deadline=deadline)


def _require_player(table: Table, actor: Actor) -> None:
    if actor.seat is None:
        raise Refusal("not_seated", "only players can pause a game")
    require_running(table)
