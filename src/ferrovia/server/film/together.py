"""Watching together: one viewer of a finished table leads the film, and the others may follow.

It is said over the table's own socket, and nothing of it is stored. Several servers on one store
do not pass it on to each other.
"""

from ferrovia.server import protocol
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.audience import Audience, Viewer
from ferrovia.server.table.table import Table


class Together:
    """Who leads the film of one table, and what they show."""

    def __init__(self, audience: Audience) -> None:
        self._audience = audience
        self._leader: Viewer | None = None
        self._shown = protocol.FilmShown(leader=None)

    def show(self, viewer: Viewer, message: protocol.ShowFilm, table: Table) -> None:
        """Lead the film, or give the lead back, and send it to all; raises `Refusal`."""
        if table.result is None:
            raise Refusal("not_over", "a film is watched together after the end")
        people = any(seat.kind == "person" for seat in table.seats)
        if people and viewer.seat is None:
            raise Refusal("not_seated", "players lead the film of their game")
        if not message.lead:
            self.left(viewer)
            return
        self._leader = viewer
        name = "" if viewer.seat is None else table.seats[viewer.seat].name
        self._shown = protocol.FilmShown(
            leader=-1 if viewer.seat is None else viewer.seat,
            name=name,
            at=message.at,
            eyes=message.eyes,
            pointer=message.pointer,
        )
        self._send()

    def greet(self, viewer: Viewer) -> None:
        """Send to somebody who has come what is shown, if anybody leads."""
        if self._leader is not None:
            viewer.send(self._shown)

    def left(self, viewer: Viewer) -> None:
        """Send to all that nobody leads any more, if it was this viewer."""
        if self._leader is viewer:
            self._leader, self._shown = None, protocol.FilmShown(leader=None)
            self._send()

    def _send(self) -> None:
        for viewer in self._audience.viewers:
            if viewer is not self._leader:
                viewer.send(self._shown)
