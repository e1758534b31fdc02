"""Limits of what a seat may add to the log of its table besides decisions."""

import time

from ferrovia.server.protocol.from_client import AnyCommand
from ferrovia.server.rates import RateLimiter
from ferrovia.server.refusals import Refusal
from ferrovia.server.settings import Limits
from ferrovia.server.table.commands import COMMANDS
from ferrovia.server.table.entries import HOST
from ferrovia.server.table.seat import Actor
from ferrovia.server.table.table import Table


class SeatLimits:
    """The limits of one table: each seat has its own, and everybody without a seat shares one."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._arranging: dict[int, RateLimiter] = {}
        self._talking: dict[int, RateLimiter] = {}

    def take(self, table: Table, actor: Actor, command: AnyCommand) -> None:
        """Count a command; raises `Refusal` if there are too many of its kind."""
        match COMMANDS[type(command)].limit:
            case "talk":
                self._take_talk(actor.number)
            case "arrangement":
                self.take_arrangement(table, actor.number)

    def take_arrangement(self, table: Table, number: int) -> None:
        """Count what a seat or the host arranges; raises `Refusal` if that fills the log."""
        limits = self._limits
        most = limits.arrangements_of_seat * (len(table.seats) if number == HOST else 1)
        if table.arranged.get(number, 0) >= most:
            raise Refusal("too_many_events", "this seat has arranged too much at this table")
        limiter = self._arranging.setdefault(number, RateLimiter(limits.arrangements))
        if not limiter.take(time.monotonic()):
            raise Refusal("too_fast", "wait before the next command that is no decision")

    def _take_talk(self, number: int) -> None:
        rate = self._limits.lines_of_spectators if number == HOST else self._limits.lines
        limiter = self._talking.setdefault(number, RateLimiter(rate))
        if not limiter.take(time.monotonic()):
            raise Refusal("too_fast", "wait before the next line")
