"""Messages to and from processes that work for the server, over their pipes."""

import struct

import msgspec

_LENGTH = struct.Struct("!I")
HEAD = _LENGTH.size
"""The bytes before a message."""


def packed(message: msgspec.Struct) -> bytes:
    """Return a message for a pipe: msgpack after its length."""
    body = msgspec.msgpack.encode(message)
    return _LENGTH.pack(len(body)) + body


def length_of(head: bytes) -> int:
    """Return the length of the message after these HEAD bytes."""
    length: int = _LENGTH.unpack(head)[0]
    return length
