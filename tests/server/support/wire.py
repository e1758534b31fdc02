"""A WebSocket client that costs next to nothing, so that a load measures the server.

It knows what our server sends: whole text frames, pings and closes, never compressed.
"""

import asyncio
from collections.abc import Callable
from urllib.parse import urlsplit

from tests.server.support.frames import PING, PONG, TEXT, frame, take_frame


class Wire(asyncio.Protocol):
    """One connection; `hear` is called with the bytes of every text frame, `lost` when an open
    connection has ended.
    """

    def __init__(
        self, host: str, hear: Callable[[bytes], None], lost: Callable[[], None] = lambda: None
    ) -> None:
        self._host = host
        self._hear = hear
        self._lost = lost
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(
        cls, address: str, hear: Callable[[bytes], None], lost: Callable[[], None] = lambda: None
    ) -> "Wire":
        """Connect to the socket of a server at an address such as `http://127.0.0.1:8765/`."""
        at = urlsplit(address)
        _, wire = await asyncio.get_running_loop().create_connection(
            lambda: cls(at.netloc, hear, lost), at.hostname, at.port
        )
        await wire.opened
        return wire

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(
            f"GET /socket HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )

    def connection_lost(self, problem: Exception | None) -> None:
        self._transport = None
        if self.opened.done():
            self._lost()
        else:
            self.opened.set_exception(problem or EOFError("the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.opened.done():
            end = self._buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            assert self._buffer.startswith(b"HTTP/1.1 101"), bytes(self._buffer[:end])
            del self._buffer[: end + 4]
            self.opened.set_result(None)
        while (found := take_frame(self._buffer)) is not None:
            kind, payload = found
            if kind == TEXT:
                self._hear(payload)
            elif kind == PING:
                self._send(PONG, payload)

    def say(self, text: bytes) -> None:
        self._send(TEXT, text)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _send(self, kind: int, payload: bytes) -> None:
        if self._transport is not None:
            self._transport.write(frame(payload, kind))
