"""What bots are asked: with the view of a seat, and nothing else of the game."""

import hashlib
import hmac

from ferrovia.game.record import Header
from ferrovia.server import showing
from ferrovia.server.questions import Question
from ferrovia.server.refusals import Refusal
from ferrovia.server.table import Actor, Table
from ferrovia.server.verbs.deciding import required_seat


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
    header = showing.edition_header(table)
    assert header is not None
    return header
