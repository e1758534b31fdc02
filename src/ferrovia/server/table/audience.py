"""The viewers of a table: one socket each."""

import asyncio
from collections.abc import Iterable

import msgspec

from ferrovia.server import protocol
from ferrovia.server.protocol.view import NumberedEntry, Showing
from ferrovia.server.table.presence import Present
from ferrovia.server.table.table import SPECTATOR, Table

_ENCODE = msgspec.json.Encoder().encode


class Viewer:
    """Somebody who looks on through a socket, from a seat or as a spectator.

    Frames wait here until the socket has room; a viewer who falls too far behind is `lost`, and
    learns all there is by coming again.
    """

    def __init__(self, token: str | None, room: int) -> None:
        self.token = token
        self.seat: int | None = None
        self.frames: asyncio.Queue[bytes | None] = asyncio.Queue(room)
        self.lost = False

    def tell(self, frame: bytes) -> None:
        if self.lost:
            return
        if self.frames.full():
            self.lost = True
            self.frames.get_nowait()
            self.frames.put_nowait(None)
        else:
            self.frames.put_nowait(frame)

    def say(self, message: protocol.FromServer) -> None:
        self.tell(_ENCODE(message))


class Audience:
    """All viewers of one table in this process."""

    def __init__(self) -> None:
        self.viewers: set[Viewer] = set()

    def __len__(self) -> int:
        return len(self.viewers)

    def seat_again(self, table: Table) -> None:
        """Ask anew who sits where: seats change hands before a game."""
        for viewer in self.viewers:
            viewer.seat = (table.actor(viewer.token) or SPECTATOR).seat

    def tell(self, table: Table, happened: list[NumberedEntry], since: int) -> None:
        """Tell every viewer what happened, and how things stand for them."""
        showing = Showing(table)
        frames: dict[int | None, bytes] = {}
        for viewer in self.viewers:
            if viewer.seat not in frames:
                frames[viewer.seat] = showing.state(viewer.seat, happened, since)
            viewer.tell(frames[viewer.seat])

    @property
    def present(self) -> Present:
        """Who is there through this process."""
        seats = {viewer.seat for viewer in self.viewers if viewer.seat is not None}
        spectators = sum(viewer.seat is None for viewer in self.viewers)
        return Present(tuple(sorted(seats)), spectators)

    def tell_presence(self, seats: int, elsewhere: Iterable[Present]) -> None:
        """Tell everybody who is there, here and through other processes."""
        everywhere = [self.present, *elsewhere]
        present = {seat for there in everywhere for seat in there.seats}
        message = protocol.Presence(
            seats=tuple(seat in present for seat in range(seats)),
            spectators=sum(there.spectators for there in everywhere),
        )
        frame = _ENCODE(message)
        for viewer in self.viewers:
            viewer.tell(frame)
