"""Messages to and from processes that work for the server, over their pipes."""

import struct

import msgspec

_LENGTH = struct.Struct("!I")
HEAD = _LENGTH.size
"""The bytes before a message."""


def packed(message: msgspec.Struct) -> bytes:
    """Return a message for a pipe: msgpack after its length."""
    return framed(msgspec.msgpack.encode(message))


def framed(body: bytes) -> bytes:
    """Return the bytes of a message for a pipe, after their length."""
    return _LENGTH.pack(len(body)) + body


def length_of(head: bytes) -> int:
    """Return the length of the message after these HEAD bytes."""
    length: int = _LENGTH.unpack(head)[0]
    return length
