"""Sets as flags."""

import numpy as np
import pytest

from ferrovia.env.flags import write_flags


@pytest.mark.inside
@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 47, 63, 64])
def test_each_member_has_a_byte_and_nothing_else_is_written(count):
    rng = np.random.default_rng(count)
    for word in (0, (1 << 64) - 1, *map(int, rng.integers(0, 1 << 63, 20, dtype=np.uint64))):
        row = np.full(80, 9, np.uint8)
        write_flags(row, 5, np.uint64(word), count)
        assert row[5 : 5 + count].tolist() == [(word >> i) & 1 for i in range(count)]
        assert (row[:5] == 9).all()
        assert (row[5 + count :] == 9).all()
