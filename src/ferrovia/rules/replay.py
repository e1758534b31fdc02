"""Replaying a recorded game, row by row: what happens is compared with what is recorded."""

from typing import Any

from ferrovia.kernel import kernel
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
from ferrovia.rules.state.layout import LOCOMOTIVE, NONE, PAY, START, TUNNEL, Book, State
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
    LOST_COUNT,
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

# What else a replay can find, besides the breaches of a rule by an action.
OUTCOME_DIFFERS = 100  # the event is not the one that follows
NO_SUCH_CARD = 101  # a card that cannot be in the deck
NOT_A_DECISION = 102  # an event that nobody's decision leads to


@kernel
def _kept_action(book: Book, s: State, seat: int, recorded: Any) -> int:
    """Return the keep that a row records, or NONE when it names tickets that were not offered."""
    offered, kept, returned = int(s.offered[seat]), int(recorded[COUNT]), int(recorded[COUNT_2])
    if kept + returned != offered:
        return NONE
    subset, left = 0, 0
    for i in range(offered):
        place = 0
        while place < offered and s.offer[seat, place] != recorded[ITEMS + i]:
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
            while s.offer[seat, place] != recorded[ITEMS + kept + i]:
                smaller += (left >> place) & 1
                place += 1
            left &= ~(1 << place)
            order += smaller * orders(returned - 1 - i)
    return keep_action(book, subset, order)


@kernel
def _is_offer(s: State, seat: int, recorded: Any) -> bool:
    """Return whether a row records the seat's open offer, in any order."""
    if recorded[COUNT] != s.offered[seat]:
        return False
    for i in range(s.offered[seat]):
        found = False
        for j in range(s.offered[seat]):
            found |= recorded[ITEMS + j] == s.offer[seat, i]
        if not found:
            return False
    return True


@kernel
def recorded_payment(s: State, recorded: Any) -> int:
    """Return the payment of a row; in a tunnel what it pays beyond the cards laid."""
    color, colored, locomotives = (
        recorded[ITEMS],
        int(recorded[ITEMS + 1]),
        int(recorded[ITEMS + 2]),
    )
    if s.phase == TUNNEL:
        colored -= int(s.laid)
        locomotives -= int(s.laid_locomotives)
    return payment_action(LOCOMOTIVE if colored <= 0 else color, locomotives)


@kernel
def recorded_action(book: Book, s: State, seat: int, recorded: Any) -> int:
    """Return the decision that leads to an event, or NONE; how it was paid: `recorded_payment`."""
    event, subject = recorded[EVENT], int(recorded[SUBJECT])
    if event == KEPT:
        return _kept_action(book, s, seat, recorded)
    if event == TAKEN:
        return TAKE + int(recorded[VALUE])
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
        return recorded_payment(s, recorded)
    if event in (CLAIM, REVEAL):
        return ROUTE + subject
    return NONE


@kernel
def _same(recorded: Any, happened: Any) -> bool:
    """Return whether two rows are the same event.

    The tickets of a keep are not compared: it was carried out as it is recorded, and the tickets
    that are kept may be named in any order, at the start those given back as well.
    """
    columns = ITEMS if recorded[EVENT] == KEPT else COLUMNS
    for column in range(columns):
        if recorded[column] != happened[column]:
            return False
    return True


@kernel
def compare(recorded: Any, at: int, rows: Any) -> int:
    """Return how many of the recorded rows from `at` on are those that happened just now.

    Where they differ, return -1 - the number before the first difference. `last_round` may stand
    anywhere in its turn.
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
        if position >= recorded.shape[0]:
            return -1 - (position - at)
        if announced > 0 and recorded[position, EVENT] == LAST_ROUND:
            if not _same(recorded[position], rows[announced]):
                return -1 - (position - at)
            announced = 0
            position += 1
        elif row > happened:
            return -1 - (position - at)
        elif _same(recorded[position], rows[row]):
            row += 1
            position += 1
        else:
            return -1 - (position - at)
    return position - at


@kernel
def _move(s: State, shown: int, place: int, log: Log) -> None:
    """Let the card that was taken, and the one that came for it, be those of another place.

    The places showed equal cards. They have changed roles until the display is flushed.
    """
    for row in range(1, log.rows[0, 0] + 1):
        event = log.rows[row, EVENT]
        if event in (TAKEN, REFILL):
            log.rows[row, SUBJECT] = place
        elif event == FLUSH:  # of five cards: who takes one leaves no place empty (R4.10)
            a, b = ITEMS + shown, ITEMS + place
            log.rows[row, a], log.rows[row, b] = log.rows[row, b], log.rows[row, a]
            return
    s.display[shown], s.display[place] = s.display[place], s.display[shown]


@kernel
def _decide(book: Book, s: State, seat: int, action: int, log: Log) -> int:
    """Carry out an action and return FINE; or return the reason and change nothing."""
    breach = why_not(book, s, seat, action)
    if breach == FINE:
        play(book, s, seat, action, log)
    return breach


@kernel
def _step(book: Book, s: State, recorded: Any, at: int, log: Log) -> tuple[int, int]:
    """Replay the decision at a row; return its rows and FINE, or where and why it fails."""
    decisive = at
    if recorded[at, EVENT] == SHUFFLE and at + 1 < recorded.shape[0]:
        decisive = at + 1  # the deck ran out under this decision
    row = recorded[decisive]
    seat = int(row[PLAYER])
    if seat < 0 or seat >= s.players:
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
    action = recorded_action(book, s, seat, row)
    if action == NONE:
        return 0, NOT_A_DECISION
    breach = _decide(book, s, seat, action, log)
    if breach == FINE and s.phase == PAY:
        breach = _decide(book, s, seat, recorded_payment(s, row), log)
    if breach != FINE:
        return 0, breach
    if log.rows[0, 0] >= log.rows.shape[0] or log.rows[0, 0] == LOST_COUNT:
        return 0, OUTCOME_DIFFERS
    if starting:
        log.rows[0, 0] = 1  # a further offer is compared when its row is reached
    if shown != place:
        _move(s, shown, place, log)
    count = compare(recorded, at, log.rows)
    if count < 0:
        return -1 - count, OUTCOME_DIFFERS
    return count, FINE


@kernel
def follow(book: Book, s: State, recorded: Any, at: int, log: Log) -> tuple[int, int]:
    """Replay all rows from `at` on; return the row reached, and FINE or what is wrong there."""
    while at < recorded.shape[0]:
        count, breach = _step(book, s, recorded, at, log)
        if log.tape.shape[0] > 0 and log.tape[TAPE_IMPOSSIBLE] != 0:
            return at + count, NO_SUCH_CARD
        at += count
        if breach != FINE:
            return at, breach
    return at, FINE
