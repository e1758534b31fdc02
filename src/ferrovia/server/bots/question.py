"""What a bot's process is asked, and how questions and answers travel: msgpack behind a length."""

import hashlib
import hmac
import struct

import msgspec

from ferrovia.game.record import Header
from ferrovia.server.protocol import view
from ferrovia.server.protocol.refusals import Refusal
from ferrovia.server.table.table import Actor, Table
from ferrovia.server.table.verbs.decide import required_seat

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


def question_for(table: Table, seat: int) -> Question:
    """What the bot at a seat is asked now. Its chances follow from the game's seed, one way."""
    bot, game = table.bot_of(seat), table.game
    assert bot is not None
    assert game is not None
    seed = hmac.digest(game.seed, b"bot %d %d" % (seat, table.number), hashlib.sha256)
    return Question(bot, seed, seat, _view(table, seat), _edition(table))


def hint_question(table: Table, actor: Actor, bot: str) -> Question:
    """What a bot is asked for somebody who asks for a hint; Refusal when nothing is awaited.

    Its chances too follow from the view: a hint can tell nothing that the seat may not know.
    """
    seat = required_seat(table, actor)
    if seat not in table.awaited:
        raise Refusal("not_awaited", "no decision of this seat is awaited")
    view = _view(table, seat)
    seed = hashlib.sha256(b"ferrovia hint" + view).digest()
    return Question(bot, seed, seat, view, _edition(table))


def _view(table: Table, seat: int) -> bytes:
    assert table.game is not None
    return table.game.view(seat).buffer.tobytes()


def _edition(table: Table) -> Header:
    header = view.edition_header(table)
    assert header is not None
    return header
