"""A WebSocket client that costs next to nothing, so that a load measures the server.

It knows what our server sends: whole text frames, pings and closes, never compressed.
"""

import asyncio
from collections.abc import Callable
from urllib.parse import urlsplit

_TEXT, _CLOSE, _PING, _PONG = 0x1, 0x8, 0x9, 0xA


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
        while (frame := self._frame()) is not None:
            kind, payload = frame
            if kind == _TEXT:
                self._hear(payload)
            elif kind == _PING:
                self._send(_PONG, payload)

    def say(self, text: bytes) -> None:
        self._send(_TEXT, text)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def _frame(self) -> tuple[int, bytes] | None:
        """The next whole frame, if it has come."""
        have = self._buffer
        if len(have) < 2:
            return None
        size, begin = have[1], 2
        if size >= 126:
            begin = 4 if size == 126 else 10
            size = int.from_bytes(have[2:begin], "big")
        if len(have) < begin + size:
            return None
        kind, payload = have[0] & 0xF, bytes(have[begin : begin + size])
        del have[: begin + size]
        return kind, payload

    def _send(self, kind: int, payload: bytes) -> None:
        """Clients mask what they send; with a mask of zeros it stays as it is."""
        assert len(payload) < 1 << 16
        size = len(payload)
        long = size >= 126
        head = bytes((0x80 | kind, 0x80 | (126 if long else size)))
        if long:
            head += size.to_bytes(2, "big")
        if self._transport is not None:
            self._transport.write(head + b"\0\0\0\0" + payload)
