"""What a bot's process is asked, and how questions and answers travel: msgpack behind a length."""

import struct

import msgspec

from ferrovia.game.record import Header

_LENGTH = struct.Struct("!I")


class Question(msgspec.Struct, frozen=True):
    """A decision that a bot is to make. All it gets to know is in `view`: the bytes of its seat's
    view. `edition` is the header of a record without its seed. A bot that is a program of its own
    has its command line here, and the seconds it may take.
    """

    bot: str
    seed: bytes
    seat: int
    view: bytes
    edition: Header
    program: str = ""
    seconds: float = 0.0


class Answer(msgspec.Struct, frozen=True):
    """The action as text; or what went wrong."""

    action: str = ""
    problem: str = ""


HEAD = _LENGTH.size


def packed(message: Question | Answer) -> bytes:
    """A message with its length before it."""
    body = msgspec.msgpack.encode(message)
    return _LENGTH.pack(len(body)) + body


def length_of(head: bytes) -> int:
    """The length of the message that follows its head."""
    length: int = _LENGTH.unpack(head)[0]
    return length
