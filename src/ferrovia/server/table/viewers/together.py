"""Watching together: one viewer of a finished table leads the film, and the others may follow.

It goes over the table's own socket, and none of it is stored. Servers that share a store pass
it on with who is present: a lead ends with the presence of the server through which it came.
"""

import secrets
from collections.abc import Callable, Iterable

import msgspec

from ferrovia.server.protocol import from_client, from_server
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.table import Table
from ferrovia.server.table.viewers.audience import Audience, Viewer
from ferrovia.server.table.viewers.presence import Lead, Present

_NOBODY = from_server.FilmShown(leader=None)


class Together:
    """Who leads the film of one table, and what they show. `changed` is called when somebody here
    leads, moves or gives the lead back, so that other servers hear of it.
    """

    def __init__(self, audience: Audience, changed: Callable[[], None] = lambda: None) -> None:
        self._audience = audience
        self._changed = changed
        self._leader: Viewer | None = None
        self._lead: Lead | None = None
        self._number = 0  # of the latest lead anywhere
        self._shown = _NOBODY

    @property
    def lead(self) -> Lead | None:
        """The lead of a viewer of this process."""
        return self._lead

    def show(self, viewer: Viewer, message: from_client.ShowFilm, table: Table) -> None:
        """Lead the film, or give the lead back, and send it to all; raises `Refusal`."""
        if table.result is None:
            raise Refusal("not_over", "a film is watched together after the end")
        people = any(seat.kind == "person" for seat in table.seats)
        if people and viewer.seat is None:
            raise Refusal("not_seated", "players lead the film of their game")
        if not message.lead:
            self.left(viewer)
            return
        shown = from_server.FilmShown(
            leader=-1 if viewer.seat is None else viewer.seat,
            name="" if viewer.seat is None else table.seats[viewer.seat].name,
            at=message.at,
            eyes=message.eyes,
            pointer=message.pointer,
        )
        if self._lead is None or self._leader is not viewer:
            self._number += 1
            self._lead = Lead(self._number, secrets.token_hex(4), shown)
        self._leader = viewer
        self._lead = msgspec.structs.replace(self._lead, shown=shown)
        self._send(shown)
        self._changed()

    def greet(self, viewer: Viewer) -> None:
        """Send to somebody who has come what is shown, if anybody leads."""
        if self._shown.leader is not None:
            viewer.send(self._shown)

    def left(self, viewer: Viewer) -> None:
        """Send to all that nobody leads any more, if it was this viewer."""
        if self._leader is viewer:
            self._leader = self._lead = None
            self._send(_NOBODY)
            self._changed()

    def follow(self, elsewhere: Iterable[Present]) -> None:
        """Show what is led through other servers: of two leads the later one."""
        leads = [there.film for there in elsewhere if there.film is not None]
        newest = max(leads, key=Lead.order, default=None)
        if newest is not None:
            self._number = max(self._number, newest.number)
        if self._lead is not None:
            if newest is None or newest.order() < self._lead.order():
                return
            self._leader = self._lead = None  # somebody else has taken the lead
            self._changed()
        shown = _NOBODY if newest is None else newest.shown
        if shown != self._shown:
            self._send(shown)

    def _send(self, shown: from_server.FilmShown) -> None:
        self._shown = shown
        for viewer in self._audience.viewers:
            if viewer is not self._leader:
                viewer.send(shown)
