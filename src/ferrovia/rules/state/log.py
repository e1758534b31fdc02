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

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ferrovia.rules.compiler import kernel
from ferrovia.rules.state.layout import NONE


class Log(NamedTuple):
    """Where events are written to, and where the outcomes of chance come from."""

    rows: npt.NDArray[np.int16]
    tape: npt.NDArray[np.int32]


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

LOST_COUNT = 32767  # more rows than the number of row 0 can count; no row has this number

NOBODY = Log(np.empty((0, COLUMNS), np.int16), np.empty(0, np.int32))
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
