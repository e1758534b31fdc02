"""HTTP and WebSocket on one connection: uvicorn's, with times and limits for what strangers send.

uvicorn has a time for idle connections and pings its sockets. What it does not have is here: a time
for the header and the body of a request and for the reader of an answer, and limits that count
every frame, not only whole messages.
"""

import asyncio
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import State

from ferrovia.server.http.connections import EXTENSION, MORE, Connection, Connections
from ferrovia.server.rates import RateLimiter, RateLimiters
from ferrovia.server.refusals import Close
from ferrovia.server.settings import Limits

_SLICE = 2048  # bytes that are read at once: at most 341 frames
_AHEAD = 1  # messages that wait for the app before no more are read


class Guard:
    """What the connections of a server share: their registry and their limits."""

    def __init__(self, connections: Connections, limits: Limits) -> None:
        self.connections = connections
        self.limits = limits
        self.frames_of_address = RateLimiters(limits.frames_of_address)


class _Guarded(asyncio.Protocol):
    """A protocol of uvicorn whose connection is in the registry of its server."""

    loop: asyncio.AbstractEventLoop

    def __init__(self, *, guard: Guard, **of_uvicorn: Any) -> None:
        super().__init__(**of_uvicorn)
        self._guard = guard
        self._limits = guard.limits
        self._connection: Connection | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self._connection is not None:
            self._guard.connections.close(self._connection)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._connection is not None:
            self._connection.stalled = self.loop.time() + self._limits.send_seconds

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._connection is not None:
            self._connection.stalled = None


class HttpConnection(_Guarded, H11Protocol):
    """A connection over which requests come, each of them within its time."""

    def __init__(self, *, guard: Guard, **of_uvicorn: Any) -> None:
        super().__init__(guard=guard, **of_uvicorn)
        self._upgraded = False
        self._phase = "header"

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        deadline = self.loop.time() + self._limits.header_seconds
        host = self.client[0] if self.client else None
        self._connection = self._guard.connections.open(transport, host, deadline)
        if self._connection is None:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._upgraded:
            self._follow_phase()

    def handle_events(self) -> None:
        try:
            super().handle_events()
        except h11.LocalProtocolError:
            # Nonsense after an answer has begun: it is too late to say so.
            self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        # Nonsense behind a request that is still answered: its answer goes nowhere any more.
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        super().send_400_response(msg)

    def _should_upgrade(self) -> bool:
        # Called for every request, when its scope is complete.
        extensions = cast(dict[str, Any], self.scope).setdefault("extensions", {})
        extensions[EXTENSION] = self._connection
        return super()._should_upgrade()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._upgraded = True
        if self._connection is not None:
            # The app closes it with a reason when no hello comes; this is for clients that ignore
            # that.
            seconds = self._limits.hello_seconds + self._limits.close_seconds
            self._connection.deadline = self.loop.time() + seconds
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._follow_phase()

    def _follow_phase(self) -> None:
        """Set until when what is missing of a request has to come."""
        connection, phase = self._connection, self._read_phase()
        if connection is None or phase == self._phase:
            return
        self._phase = phase
        seconds = {
            "header": self._limits.header_seconds,
            "body": self._limits.body_seconds,
            "rest": self._limits.body_seconds,
        }.get(phase)
        connection.deadline = None if seconds is None else self.loop.time() + seconds
        connection.kind = "served" if phase == "answer" else "waiting"

    def _read_phase(self) -> str:
        """Return what is awaited: a header, a body, our answer, the rest of a body that nobody
        reads any more, or (idle) another request, for which uvicorn has a time.
        """
        cycle = self.cycle
        if cycle is not None and not cycle.response_complete:
            return "body" if cycle.more_body else "answer"
        if self.conn.their_state is h11.SEND_BODY:
            return "rest"
        return "header" if cycle is None or self.conn.trailing_data[0] else "idle"


class SocketConnection(_Guarded, WebSocketsSansIOProtocol):
    """A socket whose frames and bytes are counted, whatever they are, and that is closed early."""

    def __init__(self, *, guard: Guard, **of_uvicorn: Any) -> None:
        super().__init__(guard=guard, **of_uvicorn)
        self._frame_limiter = RateLimiter(guard.limits.frames)
        self._byte_limiter = RateLimiter(guard.limits.received_bytes)
        self.close_timeout = guard.limits.close_seconds  # for the other side's answer to our close

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._connection = self._guard.connections.of(transport)

    def data_received(self, data: bytes) -> None:
        # In slices: a read of 256 KiB can hold 40,000 frames, which would be parsed in one go.
        for start in range(0, len(data), _SLICE):
            piece = data[start : start + _SLICE]
            if self.handshake_complete and not self._byte_limiter.take(
                self.loop.time(), len(piece)
            ):
                self._end("bytes")
            if self.transport.is_closing():
                return
            super().data_received(piece)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
        elif self.transport.get_write_buffer_size() > self._limits.unread_bytes:
            self.transport.abort()  # it sends, and does not read the answers

    def handle_events(self) -> None:
        frames = sum(isinstance(event, Frame) for event in self.conn.events)
        if frames:
            now, address = self.loop.time(), self._connection.address if self._connection else "?"
            allowed = self._frame_limiter.take(now, frames)
            if not (allowed and self._guard.frames_of_address.take(address, now, frames)):
                self._end("frames")
                return
        super().handle_events()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:
            extensions = cast(dict[str, Any], self.scope["extensions"])
            extensions[EXTENSION] = self._connection

    async def send(self, message: Any) -> None:
        # uvicorn hears of a lost connection later, and asyncio logs what is written meanwhile.
        if self.transport.is_closing():
            raise ClientDisconnected
        if message.get(MORE):  # each write wakes the other side
            try:
                self.conn.send_text(message["text"].encode())
            except InvalidState:
                raise ClientDisconnected from None
            return
        await super().send(message)

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= self._limits.fragments:
            self._end("fragments")
            return
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        if self.close_sent:
            return
        if self.curr_msg_data_type != "text":
            self.queue.put_nowait({"type": "websocket.receive", "bytes": data})
        else:
            try:
                text = data.decode()
            except UnicodeDecodeError:
                self._end("not UTF-8", CloseCode.INVALID_DATA)
                return
            self.queue.put_nowait({"type": "websocket.receive", "text": text})
        # uvicorn stops and begins again to read for every message, which takes two system calls.
        if self.queue.qsize() > _AHEAD and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def _end(self, reason: str, code: int = Close.TOO_FAST) -> None:
        """Close the socket at once; the app hears of it when the connection is lost."""
        if self.transport.is_closing():
            return
        if self.conn.state is not State.OPEN:
            self.transport.abort()
            return
        self.conn.fail(code, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()
