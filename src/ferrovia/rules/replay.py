"""Playing a recorded game again, row by row, and comparing what happens with what is told."""

from typing import Any

from ferrovia.rules.chapters.actions import (
    DRAW_BLIND,
    DRAW_TICKETS,
    PASS_TURN,
    ROUTE,
    TAKE,
    WITHDRAW_CARDS,
    keep_action,
    payment_action,
)
from ferrovia.rules.chapters.breaches import FINE, why_not
from ferrovia.rules.chapters.cards import place_of
from ferrovia.rules.chapters.tickets import orders
from ferrovia.rules.chapters.turn import play
from ferrovia.rules.compiler import kernel
from ferrovia.rules.state.layout import LOCOMOTIVE, NONE, PAY, SEATS, START, TUNNEL, Book, State
from ferrovia.rules.state.log import (
    CLAIM,
    COLUMNS,
    COUNT,
    COUNT_2,
    DRAW,
    EVENT,
    FLUSH,
    ITEMS,
    KEPT,
    LAST_ROUND,
    OFFERED,
    PASS,
    PLAYER,
    REFILL,
    REVEAL,
    SHUFFLE,
    STATION,
    SUBJECT,
    TAPE_IMPOSSIBLE,
    VALUE,
    WITHDRAW,
    Log,
)
from ferrovia.rules.state.log import (
    TAKE as TAKEN,
)

# Beyond the breaches of a rule by an action: what else a replay can find.
OUTCOME_DIFFERS = 100  # the event is not the one that follows
NO_SUCH_CARD = 101  # a card that cannot be in the deck
NOT_A_DECISION = 102  # an event that nobody's decision leads to


@kernel
def _kept_action(book: Book, s: State, seat: int, told: Any) -> int:
    """The keep that an event tells of, or NONE when it names tickets that were not offered."""
    offered, kept, returned = int(s.offered[seat]), int(told[COUNT]), int(told[COUNT_2])
    if kept + returned != offered:
        return NONE
    subset, left = 0, 0
    for i in range(offered):
        place = 0
        while place < offered and s.offer[seat, place] != told[ITEMS + i]:
            place += 1
        if place == offered or ((subset | left) >> place) & 1:
            return NONE
        if i < kept:
            subset |= 1 << place
        else:
            left |= 1 << place
    order = 0
    if s.phase != START:
        for i in range(returned):
            smaller, place = 0, 0
            while s.offer[seat, place] != told[ITEMS + kept + i]:
                smaller += (left >> place) & 1
                place += 1
            left &= ~(1 << place)
            order += smaller * orders(returned - 1 - i)
    return keep_action(book, subset, order)


@kernel
def _is_offer(s: State, seat: int, told: Any) -> bool:
    """Whether an event tells of the seat's open offer, in any order."""
    if told[COUNT] != s.offered[seat]:
        return False
    for i in range(s.offered[seat]):
        found = False
        for j in range(s.offered[seat]):
            found |= told[ITEMS + j] == s.offer[seat, i]
        if not found:
            return False
    return True


@kernel
def _payment_told(s: State, told: Any) -> int:
    """The payment of an event; in a tunnel what it pays beyond the cards laid."""
    color, colored, locomotives = told[ITEMS], int(told[ITEMS + 1]), int(told[ITEMS + 2])
    if s.phase == TUNNEL:
        colored -= int(s.laid)
        locomotives -= int(s.laid_locomotives)
    return payment_action(LOCOMOTIVE if colored <= 0 else color, locomotives)


@kernel
def _action_told(book: Book, s: State, seat: int, told: Any) -> int:
    """The decision that leads to an event, or NONE."""
    event, subject = told[EVENT], int(told[SUBJECT])
    if event == KEPT:
        return _kept_action(book, s, seat, told)
    if event == TAKEN:
        return TAKE + int(told[VALUE])
    if event == DRAW:
        return DRAW_BLIND
    if event == OFFERED:
        return DRAW_TICKETS
    if event == PASS:
        return PASS_TURN
    if event == WITHDRAW:
        return WITHDRAW_CARDS
    if event == STATION:
        return int(book.first_city) + subject
    if event == CLAIM and s.phase == TUNNEL:
        return _payment_told(s, told)
    if event in (CLAIM, REVEAL):
        return ROUTE + subject
    return NONE


@kernel
def _same(told: Any, happened: Any, any_order: bool) -> bool:
    """Whether two rows tell of the same event; at the start the order given back is free."""
    for column in range(COLUMNS):
        if told[column] != happened[column] and not (any_order and column >= ITEMS):
            return False
    return True


@kernel
def compare(told: Any, at: int, rows: Any, any_order: bool) -> int:
    """How many of the told rows from `at` on happened just now, or the negative of 1 + the
    number that did before the first difference. `last_round` may stand anywhere in its turn.
    """
    happened = int(rows[0, 0])
    announced = 0
    for row in range(1, happened + 1):
        if rows[row, EVENT] == LAST_ROUND:
            announced = row
    position = at
    row = 1
    while row <= happened or announced > 0:
        if row <= happened and rows[row, EVENT] == LAST_ROUND:
            row += 1
            continue
        if position >= told.shape[0]:
            return -1 - (position - at)
        if announced > 0 and told[position, EVENT] == LAST_ROUND:
            if not _same(told[position], rows[announced], False):
                return -1 - (position - at)
            announced = 0
            position += 1
        elif row > happened:
            return -1 - (position - at)
        elif _same(told[position], rows[row], any_order):
            row += 1
            position += 1
        else:
            return -1 - (position - at)
    return position - at


@kernel
def _decide(book: Book, s: State, seat: int, action: int, log: Log) -> int:
    breach = why_not(book, s, seat, action)
    if breach == FINE:
        play(book, s, seat, action, log)
    return breach


@kernel
def _step(book: Book, s: State, told: Any, at: int, log: Log) -> tuple[int, int]:
    """Replay the decision at a row. Gives the rows it took and FINE, or where and why not."""
    decisive = at
    if told[at, EVENT] == SHUFFLE and at + 1 < told.shape[0]:
        decisive = at + 1  # the deck ran out under this decision
    row = told[decisive]
    seat = int(row[PLAYER])
    if seat < 0 or seat >= SEATS:
        return 0, NOT_A_DECISION
    event = row[EVENT]
    starting = s.phase == START
    if starting and event == OFFERED:
        return (1, FINE) if _is_offer(s, seat, row) else (0, OUTCOME_DIFFERS)
    log.rows[0, 0] = 0
    shown, place = NONE, NONE
    if event == TAKEN:
        # The kernel takes the first of equal cards; the record may name another of them.
        place, shown = int(row[SUBJECT]), place_of(s, row[VALUE])
        if place < 0 or place >= s.display.shape[0] or s.display[place] != row[VALUE]:
            shown, place = NONE, NONE
    action = _action_told(book, s, seat, row)
    if action == NONE:
        return 0, NOT_A_DECISION
    breach = _decide(book, s, seat, action, log)
    if breach == FINE and s.phase == PAY:
        breach = _decide(book, s, seat, _payment_told(s, row), log)
    if breach != FINE:
        return 0, breach
    if log.rows[0, 0] >= log.rows.shape[0]:
        return 0, OUTCOME_DIFFERS
    if starting:
        log.rows[0, 0] = 1  # a further offer is compared when the record tells of it
    if shown != place:
        flushed = False
        for i in range(1, log.rows[0, 0] + 1):
            flushed |= log.rows[i, EVENT] == FLUSH
            if log.rows[i, EVENT] == TAKEN or (log.rows[i, EVENT] == REFILL and not flushed):
                log.rows[i, SUBJECT] = place
        if not flushed:
            s.display[shown], s.display[place] = s.display[place], s.display[shown]
    count = compare(told, at, log.rows, starting)
    if count < 0:
        return -1 - count, OUTCOME_DIFFERS
    return count, FINE


@kernel
def follow(book: Book, s: State, told: Any, at: int, log: Log) -> tuple[int, int]:
    """Replay all told rows from `at` on. Gives the row reached, and FINE or what is wrong there."""
    while at < told.shape[0]:
        count, breach = _step(book, s, told, at, log)
        if log.tape.shape[0] > 0 and log.tape[TAPE_IMPOSSIBLE] != 0:
            return at + count, NO_SUCH_CARD
        at += count
        if breach != FINE:
            return at, breach
    return at, FINE
