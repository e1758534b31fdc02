"""Raw connections: clients that do what no well-meaning client does."""

import socket
import struct
from urllib.parse import urlsplit

from tests.server.support.frames import CLOSE, TEXT, frame, take_frame

PATIENCE = 60.0  # a limit for hanging tests; nothing depends on it being short


class Raw:
    """A TCP connection to a server, from an address of this machine."""

    def __init__(self, address: str, source: str = "127.0.0.1", receive_buffer: int = 0) -> None:
        at = urlsplit(address)
        self.host = at.netloc
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.bind((source, 0))
        self.socket.connect((at.hostname, at.port))
        self._rest = bytearray()

    def __enter__(self) -> "Raw":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def reset(self) -> None:
        """Be gone without a word, as by a power cut that the other side hears of."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def send(self, data: bytes) -> "Raw":
        self.socket.sendall(data)
        return self

    def request(self, path: str = "/healthz", method: str = "GET", *headers: str) -> "Raw":
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}", *headers, "", ""]
        return self.send("\r\n".join(lines).encode())

    def read(self) -> bytes:
        """Return what came; empty when the server has closed the connection."""
        try:
            return self.socket.recv(65536)
        except ConnectionError:
            return b""

    def read_to_the_end(self) -> bytes:
        """Return all that comes until the server closes the connection."""
        parts = []
        while part := self.read():
            parts.append(part)
        return b"".join(parts)

    @property
    def closed(self) -> bool:
        """Whether the server has closed the connection by now."""
        self.socket.setblocking(False)
        try:
            return not self.socket.recv(1)
        except BlockingIOError:
            return False
        except ConnectionError:
            return True
        finally:
            self.socket.settimeout(PATIENCE)

    # As a WebSocket

    def upgrade(self, *headers: str) -> "Raw":
        """Open a WebSocket."""
        self.request(
            "/socket",
            "GET",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            *headers,
        )
        head = b""
        while b"\r\n\r\n" not in head:
            part = self.read()
            assert part, head
            head += part
        assert head.startswith(b"HTTP/1.1 101"), head
        self._rest = bytearray(head.partition(b"\r\n\r\n")[2])
        return self

    def say(self, payload: bytes, kind: int = TEXT, *, last: bool = True) -> "Raw":
        return self.send(frame(payload, kind, last=last))

    def hear(self) -> tuple[int, bytes]:
        """Return the next frame; a close without a code when the connection is closed."""
        while True:
            found = take_frame(self._rest)
            if found is not None:
                return found
            part = self.read()
            if not part:
                return CLOSE, b""
            self._rest += part

    def hear_close(self) -> int:
        """Read until the server closes the socket; return its code, 0 if there is none."""
        while True:
            kind, payload = self.hear()
            if kind == CLOSE:
                return int.from_bytes(payload[:2], "big")
