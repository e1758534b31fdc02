"""Attendance: the viewers of a table learn who is present, and which film somebody leads, here and
at the other servers of the store.
"""

import asyncio

import msgspec

from ferrovia.server.table.viewers.audience import Audience
from ferrovia.server.table.viewers.presence import Presences
from ferrovia.server.table.viewers.together import Together

_ANNOUNCE_SECONDS = 0.1  # between two messages about who is present


class Attendance:
    """Who is present at one table; `seats` is how many seats it has, once that is known."""

    def __init__(self, table: str, audience: Audience, presences: Presences) -> None:
        self.seats = 0
        self.together = Together(audience, self._publish)
        self._table = table
        self._audience = audience
        self._presences = presences
        self._announcing = self._announce_again = self._asks = False

    def announce(self, *, asks: bool = False) -> None:
        """Send to the viewers, here and at other servers, who is present; at once if that was not
        done a moment ago, else after that moment: when many come and go, once for them all.
        """
        self._asks |= asks
        if self._announcing:
            self._announce_again = True
            return
        self._announcing, self._announce_again = True, False
        asyncio.get_running_loop().call_later(_ANNOUNCE_SECONDS, self._announce_rest)
        self._audience.send_presence(self.seats, self._presences.elsewhere(self._table))
        asks, self._asks = self._asks, False
        self._publish(asks=asks)

    def hear(self) -> None:
        """Send to the viewers here what other servers have published."""
        elsewhere = self._presences.elsewhere(self._table)
        self._audience.send_presence(self.seats, elsewhere)
        self.together.follow(elsewhere)

    def _announce_rest(self) -> None:
        self._announcing = False
        if self._announce_again:
            self.announce()

    def _publish(self, *, asks: bool = False) -> None:
        here = msgspec.structs.replace(self._audience.present, asks=asks, film=self.together.lead)
        self._presences.publish(self._table, here)
