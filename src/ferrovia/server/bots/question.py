"""Questions to a worker process, and its answers."""

import hashlib
import hmac

import msgspec

from ferrovia.bots.why import Why
from ferrovia.game.records.record import Header
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.seat import Actor
from ferrovia.server.table.table import Table
from ferrovia.server.table.verbs.decide import required_seat
from ferrovia.server.table.viewers import view


class BotQuestion(msgspec.Struct, frozen=True):
    """A decision that a bot is to make. All it learns of the game is in `view`, the bytes of its
    seat's view. `edition` is the header of a record without its seed. For a bot that is a program,
    `program` is its command line and `seconds` the time it may take. A bot of the server's own
    people is `brought`: its name may run code. `why`: the answer is to say what speaks for it.
    """

    bot: str
    seed: bytes
    seat: int
    view: bytes
    edition: Header
    program: str = ""
    seconds: float = 0.0
    brought: bool = False
    why: bool = False


class BotAnswer(msgspec.Struct, frozen=True):
    """The action as text, and what speaks for it, or the problem."""

    action: str = ""
    problem: str = ""
    why: Why | None = None


def question_for(table: Table, seat: int) -> BotQuestion:
    """Return the question to the bot at a seat; its randomness is a hash of the game's seed."""
    bot, game = table.bot_of(seat), table.game
    assert bot is not None
    assert game is not None
    seed = hmac.digest(game.seed, b"bot %d %d" % (seat, table.number), hashlib.sha256)
    return BotQuestion(bot, seed, seat, _view(table, seat), _edition(table))


def hint_question(table: Table, actor: Actor, bot: str) -> BotQuestion:
    """Return the question to a bot for a hint; raises `Refusal` if no decision is awaited.

    Its randomness is a hash of the view too: a hint can reveal nothing that the seat may not know.
    """
    if not table.setup.hints:
        raise Refusal("hints_off", "this table has agreed on no hints")
    seat = required_seat(table, actor)
    if seat not in table.awaited:
        raise Refusal("not_awaited", "no decision of this seat is awaited")
    view = _view(table, seat)
    seed = hashlib.sha256(b"ferrovia hint" + view).digest()
    return BotQuestion(bot, seed, seat, view, _edition(table), why=True)


def _view(table: Table, seat: int) -> bytes:
    assert table.game is not None
    return bytes(table.game.view(seat).buffer)


def _edition(table: Table) -> Header:
    header = view.edition_header(table)
    assert header is not None
    return header
