"""The log: what a file can drive stays inside its rows and its tape."""

import numpy as np
import pytest

from ferrovia.rules.state.log import (
    COLUMNS,
    DRAW,
    LOST_COUNT,
    NO_LOG,
    TAPE_HEAD,
    Log,
    next_outcome,
    open_row,
)


@pytest.mark.uncompiled
@pytest.mark.parametrize("size", [4, 40_000])
def test_the_number_of_rows_stops_before_it_wraps(size: int) -> None:
    log = Log(np.zeros((size, COLUMNS), np.int16), NO_LOG.tape)
    log.rows[0, 0] = LOST_COUNT - 2
    rows = [open_row(log, DRAW, 0, 0, 0) for _ in range(5)]
    assert rows == [LOST_COUNT - 1 if size > LOST_COUNT else 0, 0, 0, 0, 0]
    assert log.rows[0, 0] == LOST_COUNT


@pytest.mark.uncompiled
def test_a_tape_may_be_longer_than_16_bits_can_count() -> None:
    outcomes = [number % 9 for number in range(70_000)]
    log = Log(NO_LOG.rows, np.array([TAPE_HEAD, 0, *outcomes], np.int32))
    assert [next_outcome(log) for _ in outcomes] == outcomes
    assert next_outcome(log) == -1
