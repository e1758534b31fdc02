"""Chat: what is said at a table, and reports of it.

It is plain text, kept with the table and never in the record of its game. What spectators say is
shown to those who play only after the end (see viewers/view.py).
"""

import re
import unicodedata

from ferrovia.server.protocol.from_client import Report, Say
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.context import Context
from ferrovia.server.table.entries import AnyEntry, Reported, Said
from ferrovia.server.table.names import INVISIBLE, checked_name, has_pile, name_among
from ferrovia.server.table.seat import Actor

LONGEST = 300
LINES_OF_SEAT = 500
LINES_OF_SPECTATORS = 500
REPORTS_OF_SEAT = 20
REPORTS_OF_SPECTATORS = 50


def say(context: Context, command: Say) -> list[AnyEntry]:
    """Return the entry for a line of a seat, or of a spectator, who gives a name."""
    table, actor, now = context.table, context.actor, context.now
    if not table.setup.chat:
        raise Refusal("no_chat", "this table has no chat")
    if table.setup.room and table.status == "waiting":
        raise Refusal("not_started", "seats are numbered anew when the game begins")
    if actor.number in table.talk.muted:
        raise Refusal("muted", "the people who run this server have ended your talk here")
    most = LINES_OF_SPECTATORS if actor.seat is None else LINES_OF_SEAT
    if table.talk.said_by(actor.seat) >= most:
        raise Refusal("too_many_events", "enough has been said at this table")
    if (command.text is None) == (command.reaction is None):
        raise Refusal("bad_message", "say a text or a reaction")
    text = "" if command.text is None else checked_line(command.text)
    name = ""
    if actor.seat is None:
        if command.name is None:
            raise Refusal("invalid_name", "a spectator who speaks gives a name")
        seated = [seat.name for seat in table.seats if seat.kind == "person"]
        name = name_among(checked_name(command.name), seated)
    said = Said(
        at=now,
        by=actor.number,
        command=_id(actor, command),
        seat=actor.seat,
        name=name,
        text=text,
        reaction=command.reaction,
    )
    return [said]


def report(context: Context, command: Report) -> list[AnyEntry]:
    """Return the entry for a report of a line, or of the name of a seat."""
    table, actor, now = context.table, context.actor, context.now
    if (command.line is None) == (command.seat is None):
        raise Refusal("bad_message", "report a line or a seat")
    if command.line is not None and command.line not in table.talk.lines:
        raise Refusal("no_such_line", f"event {command.line} is nothing that was said")
    if command.seat is not None and not table.has_person(command.seat):
        raise Refusal("no_such_seat", f"no person has seat {command.seat}")
    before = table.talk.reports.get((command.line, command.seat), [])
    if actor.number in before:
        raise Refusal("already_reported", "it is reported, and will be looked at")
    most = REPORTS_OF_SPECTATORS if actor.seat is None else REPORTS_OF_SEAT
    if sum(actor.number in by for by in table.talk.reports.values()) >= most:
        raise Refusal("too_many_events", "enough has been reported at this table")
    reported = Reported(
        at=now,
        by=actor.number,
        command=_id(actor, command),
        line=command.line,
        seat=command.seat,
    )
    return [reported]


def checked_line(text: str) -> str:
    """Return a line as it is kept: one line in the normal form NFC, without what cannot be seen."""
    text = " ".join(unicodedata.normalize("NFC", text).split())
    text = INVISIBLE.sub("", "".join(sign for sign in text if sign == " " or sign.isprintable()))
    text = re.sub(" +", " ", text).strip()
    if not 1 <= len(text) <= LONGEST:
        raise Refusal("invalid_text", f"a line has 1 to {LONGEST} letters")
    if has_pile(text) or not any(unicodedata.category(sign)[0] in "LNPS" for sign in text):
        raise Refusal("invalid_text", "a line has no more marks than letters need")
    return text


def _id(actor: Actor, command: Say | Report) -> str | None:
    """Return the id that marks a repetition; spectators are not told apart, and have none."""
    return command.id if actor.seat is not None or actor.host else None
