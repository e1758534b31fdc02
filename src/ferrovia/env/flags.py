"""A set as flags: one byte for each member, eight of them written at once."""

from typing import Any

from ferrovia.kernel import intrinsic, kernel, uint64
from ferrovia.rules.state.bits import ONE
from ferrovia.rules.state.layout import Word

Numbers = Any

_EVERY = uint64(0x0101010101010101)  # a byte in all eight
_OWN = uint64(0x8040201008040201)  # in each byte the bit of its place
_BELOW = uint64(0x7F7F7F7F7F7F7F7F)  # it carries into the highest bit what is not zero


@intrinsic("store_eight")
def _store(row: Numbers, at: int, eight: Word) -> None:
    for i in range(8):
        row[at + i] = (int(eight) >> (8 * i)) & 255


@kernel
def write_flags(row: Numbers, at: int, word: Word, count: int) -> None:
    """Write whether each of 0 to count - 1 is in a set, to consecutive bytes."""
    done = 0
    while done + 8 <= count:
        eight = (word >> uint64(done)) & uint64(255)
        eight = ((((eight * _EVERY) & _OWN) + _BELOW) >> uint64(7)) & _EVERY
        _store(row, at + done, eight)
        done += 8
    while done < count:
        row[at + done] = (word >> uint64(done)) & ONE
        done += 1
