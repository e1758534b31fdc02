"""The audience of a table: its viewers in this process, one socket each."""

import asyncio
from collections.abc import Iterable

import msgspec

from ferrovia.server import protocol
from ferrovia.server.protocol.refusals import Close, Code, answer_to
from ferrovia.server.protocol.view import NumberedEntry, Snapshot
from ferrovia.server.table.presence import Present
from ferrovia.server.table.table import SPECTATOR, Table

_ENCODE = msgspec.json.Encoder().encode


class Viewer:
    """Somebody who is connected by a socket, at a seat or as a spectator.

    Frames wait in a queue until the socket has sent them. A viewer whose queue is full is `lost`:
    nothing more is sent, and they see everything again by connecting anew. `closing` is why the
    socket is closed at the end of the queue.
    """

    def __init__(self, token: str | None, waiting_frames: int) -> None:
        self.token = token
        self.seat: int | None = None
        self.frames: asyncio.Queue[bytes | None] = asyncio.Queue(waiting_frames)
        self.lost = False
        self.closing: tuple[int, str] = (Close.TOO_SLOW, "too slow")

    def dismiss(self, code: Code) -> None:
        """Send nothing after a refusal with this code, and close the socket."""
        self.send(protocol.Refused(id=None, code=code))
        self.closing = (answer_to(code).close, code)
        if not self.lost:
            self.lost = True
            if self.frames.full():
                self.frames.get_nowait()
            self.frames.put_nowait(None)

    def send_frame(self, frame: bytes) -> None:
        """Queue a message that is encoded already; None in the queue is its end."""
        if self.lost:
            return
        if self.frames.full():
            self.lost = True
            self.frames.get_nowait()
            self.frames.put_nowait(None)
        else:
            self.frames.put_nowait(frame)

    def send(self, message: protocol.FromServer) -> None:
        """Queue a message."""
        self.send_frame(_ENCODE(message))


class Audience:
    """All viewers of one table in this process."""

    def __init__(self) -> None:
        self.viewers: set[Viewer] = set()

    def __len__(self) -> int:
        return len(self.viewers)

    def update_seats(self, table: Table) -> None:
        """Look up again who sits where: seats change hands before a game. Who has none any more is
        a spectator now, or has to go where there are none.
        """
        for viewer in list(self.viewers):
            actor = table.actor(viewer.token) or SPECTATOR
            viewer.seat = actor.seat
            if actor == SPECTATOR and not table.setup.spectators:
                self.viewers.discard(viewer)
                viewer.dismiss("no_spectators")

    def send_state(self, table: Table, written: list[NumberedEntry], since: int) -> None:
        """Send to every viewer the entries after `since` and the state, as they may see them."""
        snapshot = Snapshot(table)
        frames: dict[int | None, bytes] = {}
        for viewer in self.viewers:
            if viewer.seat not in frames:
                frames[viewer.seat] = snapshot.state(viewer.seat, written, since)
            viewer.send_frame(frames[viewer.seat])

    @property
    def present(self) -> Present:
        """Who is present through this process."""
        seats = {viewer.seat for viewer in self.viewers if viewer.seat is not None}
        spectators = sum(viewer.seat is None for viewer in self.viewers)
        return Present(tuple(sorted(seats)), spectators)

    def send_presence(self, seats: int, elsewhere: Iterable[Present]) -> None:
        """Send to every viewer who is present, here and through other processes."""
        everywhere = [self.present, *elsewhere]
        present = {seat for there in everywhere for seat in there.seats}
        message = protocol.Presence(
            seats=tuple(seat in present for seat in range(seats)),
            spectators=sum(there.spectators for there in everywhere),
        )
        frame = _ENCODE(message)
        for viewer in self.viewers:
            viewer.send_frame(frame)
