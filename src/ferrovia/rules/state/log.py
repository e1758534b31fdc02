"""What happened, as rows of numbers, and what must happen, as a tape.

Every function that acts takes a `Log`. Each event is one of its `rows`; row 0 holds their number,
which goes on counting when the rows are full, so that a caller can see how many were needed. It
stops at LOST_COUNT: a log with that number cannot be read. With no rows, nothing is written.

Its `tape` holds outcomes of chance in the order in which they are needed (cards, and the orders of
shuffled tickets): that is how a record is replayed without its seed. Item 0 of the tape is the
place of the next outcome, item 1 is set when an outcome was impossible. With no tape, or at its
end, chance decides.

Most games are played without rows and without a tape. So what is asked each time is only whether
there are any, and the rest is a function of its own: folded into one, random play is a tenth
slower.
"""

from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

from ferrovia.kernel import constant, kernel
from ferrovia.rules.state.layout import NONE


class Log(NamedTuple):
    """Where events are written to, and where the outcomes of chance come from."""

    rows: Any
    tape: Any


(
    DEAL,
    FACE_UP,
    OFFERED,
    KEPT,
    TAKE,
    DRAW,
    REFILL,
    FLUSH,
    SHUFFLE,
    CLAIM,
    REVEAL,
    WITHDRAW,
    STATION,
    PASS,
    LAST_ROUND,
) = range(15)

# Columns of a row. `ITEMS` are cards, tickets or (colour, cards of it, locomotives).
EVENT, PLAYER, SUBJECT, VALUE, COUNT, COUNT_2, ITEMS = range(7)
COLUMNS = 14

Rows = Any
"""Rows in memory, as a memoryview of two dimensions (see `new_rows`) or as an array of NumPy."""


def new_rows(count: int) -> Rows:
    """Return memory for some rows, of which the first holds their number: 0."""
    if not count:
        return bytearray()
    return memoryview(bytearray(2 * COLUMNS * count)).cast("h", (count, COLUMNS))


def rows_of(numbers: Sequence[Sequence[int]]) -> Rows:
    """Return rows of these numbers."""
    flat = array("h", (number for row in numbers for number in row))
    return memoryview(flat).cast("B").cast("h", (len(numbers), COLUMNS)) if numbers else flat


LOST_COUNT = 32767  # more rows than the number of row 0 can count; no row has this number

NO_LOG = Log(constant("i2", (0, COLUMNS)), constant("i4", (0,)))
"""The log that nobody reads, with chance left to chance: a constant of compiled functions."""

TAPE_AT, TAPE_IMPOSSIBLE, TAPE_HEAD = 0, 1, 2


@kernel
def open_row(log: Log, event: int, player: int, subject: int, value: int) -> int:
    """Begin an event, and return the row to write its items into, or 0 when there is none."""
    if log.rows.shape[0] == 0:
        return 0
    return _write_row(log, event, player, subject, value)


@kernel
def _write_row(log: Log, event: int, player: int, subject: int, value: int) -> int:
    """Write the first columns of the next row and return its number, or 0 when there is none."""
    row = min(int(log.rows[0, 0]) + 1, LOST_COUNT)
    log.rows[0, 0] = row
    if row >= log.rows.shape[0] or row == LOST_COUNT:
        return 0
    for column in range(COLUMNS):
        log.rows[row, column] = 0
    log.rows[row, EVENT] = event
    log.rows[row, PLAYER] = player
    log.rows[row, SUBJECT] = subject
    log.rows[row, VALUE] = value
    return row


@kernel
def next_outcome(log: Log) -> int:
    """Return the next outcome on the tape, or NONE."""
    if log.tape.shape[0] == 0:
        return NONE
    return _read_tape(log)


@kernel
def _read_tape(log: Log) -> int:
    """Return the next outcome on a tape and step over it, or return NONE at its end."""
    place = int(log.tape[TAPE_AT])
    if place >= log.tape.shape[0]:
        return NONE
    log.tape[TAPE_AT] = place + 1
    return int(log.tape[place])


@kernel
def mark_impossible(log: Log) -> None:
    """Note on the tape that its last outcome is impossible."""
    log.tape[TAPE_IMPOSSIBLE] = 1
