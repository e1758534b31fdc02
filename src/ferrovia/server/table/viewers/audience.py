"""The audience of a table: its viewers in this process, one socket each."""

import asyncio
import itertools
from collections.abc import Iterable

import msgspec

from ferrovia.server.protocol import from_server
from ferrovia.server.refusals import Close, Code, Refusal, answer_to
from ferrovia.server.settings import Limits
from ferrovia.server.table.seat import SPECTATOR
from ferrovia.server.table.table import Table
from ferrovia.server.table.viewers.presence import Present
from ferrovia.server.table.viewers.view import NumberedEntry, Snapshot

_ENCODE = msgspec.json.Encoder().encode
_arrivals = itertools.count()


class Viewer:
    """Somebody who is connected by a socket, at a seat or as a spectator.

    Frames wait in a queue until the socket has sent them. A viewer whose queue is full is lost:
    nothing more is sent, and they see everything again by connecting anew. `closed` is the code
    with which the socket is to be closed, 0 while it is not.
    """

    def __init__(self, token: str | None, limits: Limits, address: str = "?") -> None:
        self.token = token
        self.address = address
        self.seat: int | None = None
        self.arrival = next(_arrivals)
        self.closed = 0
        self._limits = limits
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._bytes = 0

    def send_frame(self, frame: bytes) -> None:
        """Queue a message that is encoded already."""
        if self.closed:
            return
        self._bytes += len(frame)
        limits = self._limits
        full = self._frames.qsize() >= limits.waiting_frames or self._bytes > limits.waiting_bytes
        # One frame alone is never too much: a long history has to arrive somehow.
        if full and not self._frames.empty():
            self.close(Close.TOO_SLOW)
        else:
            self._frames.put_nowait(frame)

    @property
    def waiting(self) -> bool:
        """Whether there is a next message to send."""
        return not self._frames.empty()

    async def next_frame(self) -> bytes | None:
        """Return the next message to send, when there is one; None: the socket is to be closed."""
        frame = await self._frames.get()
        self._bytes -= 0 if frame is None else len(frame)
        return frame

    def close(self, code: int) -> None:
        """Let the socket be closed with this code; what waits is dropped."""
        if self.closed:
            return
        self.closed = code
        while not self._frames.empty():
            self._frames.get_nowait()
        self._frames.put_nowait(None)

    def dismiss(self, code: Code) -> None:
        """Send a refusal with this code and nothing else, and let the socket be closed."""
        if self.closed:
            return
        self.close(answer_to(code).close)
        self._frames.get_nowait()
        self._frames.put_nowait(_ENCODE(from_server.Refused(id=None, code=code)))
        self._frames.put_nowait(None)

    def send(self, message: from_server.FromServer) -> None:
        """Queue a message."""
        self.send_frame(_ENCODE(message))


class Audience:
    """All viewers of one table in this process."""

    def __init__(self) -> None:
        self.viewers: set[Viewer] = set()
        self._sent: tuple[bytes, frozenset[Viewer]] = b"", frozenset()

    def __len__(self) -> int:
        return len(self.viewers)

    def make_room(self, viewer: Viewer, limits: Limits) -> None:
        """Make room for a viewer; raises `Refusal` if there is none.

        Spectators are limited, in all and of one address; whoever holds a token always comes in,
        and if its sockets are too many, the oldest is closed.
        """
        same = [other for other in self.viewers if other.token == viewer.token]
        if viewer.token is not None:
            surplus = max(0, len(same) + 1 - limits.sockets_of_token)
            for other in sorted(same, key=lambda one: one.arrival)[:surplus]:
                other.close(Close.REPLACED)
                self.viewers.discard(other)
        elif len(same) >= limits.viewers_of_table:
            raise Refusal("too_fast", "too many spectators at this table")
        elif sum(one.address == viewer.address for one in same) >= limits.viewers_of_address:
            raise Refusal("too_fast", "too many spectators from one address at this table")

    def update_seats(self, table: Table) -> None:
        """Look up again who sits where: seats change hands before a game. Who has none any more is
        a spectator now, or has to go where there are none.
        """
        for viewer in list(self.viewers):
            actor = table.actor(viewer.token) or SPECTATOR
            viewer.seat = actor.seat
            if not table.admits(actor):
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

    @property
    def player_address(self) -> str | None:
        """The address of a player who is here; None if there is none."""
        players = (viewer for viewer in self.viewers if viewer.seat is not None)
        return min((player.address for player in players), default=None)

    def send_presence(self, seats: int, elsewhere: Iterable[Present]) -> None:
        """Send to every viewer who is present, here and through other processes; nothing where that
        and the viewers are as before.
        """
        everywhere = [self.present, *elsewhere]
        present = {seat for there in everywhere for seat in there.seats}
        message = from_server.Presence(
            seats=tuple(seat in present for seat in range(seats)),
            spectators=sum(there.spectators for there in everywhere),
        )
        frame = _ENCODE(message)
        sent = frame, frozenset(self.viewers)
        if sent == self._sent:
            return
        self._sent = sent
        for viewer in self.viewers:
            viewer.send_frame(frame)
