"""Pausing: nobody decides, no clock runs, until somebody goes on."""

from ferrovia.server.protocol import Pause, Resume
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.entries import Paused, Resumed
from ferrovia.server.table.table import Actor, Table


class Pauser:
    """Stops and starts a running game, for anybody who plays in it."""

    def pause(self, table: Table, actor: Actor, command: Pause, now: float) -> Paused:
        _require_player(table, actor)
        if table.paused:
            raise Refusal("paused", "the game is paused already")
        left = None if table.deadline is None else max(0.0, table.deadline - now)
        return Paused(at=now, by=actor.number, command=command.id, left=left)

    def resume(self, table: Table, actor: Actor, command: Resume, now: float) -> Resumed:
        _require_player(table, actor)
        if not table.paused:
            raise Refusal("not_paused", "the game is not paused")
        deadline = None if table.paused_left is None else now + table.paused_left
        return Resumed(at=now, by=actor.number, command=command.id, deadline=deadline)


def _require_player(table: Table, actor: Actor) -> None:
    if actor.seat is None:
        raise Refusal("not_seated", "only players can pause a game")
    if table.status == "waiting":
        raise Refusal("not_started", "the game has not begun")
    if table.status == "over":
        raise Refusal("game_over", "the game is over")
