"""The frames of a WebSocket, as a client writes and reads them (RFC 6455, 5.2)."""

import struct

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


def frame(payload: bytes, kind: int = TEXT, *, last: bool = True) -> bytes:
    """Return a frame of a client; its mask is of zeros, which leaves the payload as it is."""
    first = (0x80 if last else 0) | kind
    size = len(payload)
    if size < 126:
        head = bytes((first, 0x80 | size))
    elif size < 1 << 16:
        head = struct.pack("!BBH", first, 0xFE, size)
    else:
        head = struct.pack("!BBQ", first, 0xFF, size)
    return head + b"\0\0\0\0" + payload


def take_frame(have: bytearray) -> tuple[int, bytes] | None:
    """Take the first frame of a server out of what has come; return its kind and its payload, or
    None if it is not whole yet.
    """
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
