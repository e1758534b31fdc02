"""Sets as 64-bit words: of routes, cities, tickets, payments."""

from typing import Any

import numba
import numpy as np
from numba import extending

from ferrovia.rules.compiler import COMPILED, kernel
from ferrovia.rules.state.layout import Word, Words

ONE = np.uint64(1)
EMPTY = np.uint64(0)

_types: Any = numba.types
_intrinsic: Any = extending.intrinsic

if COMPILED:
    # One instruction each, on a CPU and on a GPU. (A GPU's compiler does not recognise the usual
    # sums of shifted bits.)

    @_intrinsic
    def _count(typing_context: Any, word: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return _types.int64(_types.uint64), emit

    @_intrinsic
    def _zeros_below(typing_context: Any, word: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(_types.boolean, False))

        return _types.int64(_types.uint64), emit

    @kernel
    def popcount(word: Word) -> int:
        """Return the number of members of a set."""
        return int(_count(word))

    @kernel
    def lowest(word: Word) -> int:
        """Return the smallest member of a set that is not empty."""
        return int(_zeros_below(word))

else:

    def popcount(word: Word) -> int:
        """Return the number of members of a set."""
        return int(word).bit_count()

    def lowest(word: Word) -> int:
        """Return the smallest member of a set that is not empty."""
        return (int(word) & -int(word)).bit_length() - 1


@kernel
def single(member: int) -> Word:
    """Return the set with one member."""
    return ONE << np.uint64(member)


@kernel
def below(count: int) -> Word:
    """Return the set of 0 to count - 1, for a count of at most 64."""
    if count >= 64:
        return ~EMPTY
    return (ONE << np.uint64(count)) - ONE


@kernel
def has(word: Word, member: int) -> bool:
    """Return whether a number is a member of a set."""
    return (word >> np.uint64(member)) & ONE != EMPTY


@kernel
def has_member(words: Words, member: int) -> bool:
    """Return whether a number is a member of a set of several words."""
    return has(words[member >> 6], member & 63)


@kernel
def insert(words: Words, member: int) -> None:
    """Add a member to a set of several words."""
    words[member >> 6] |= single(member & 63)


@kernel
def remove(words: Words, member: int) -> None:
    """Take a member out of a set of several words."""
    words[member >> 6] &= ~single(member & 63)


@kernel
def next_member(left: Word, base: int) -> tuple[int, Word]:
    """Return the smallest member of a set that is not empty, plus `base`, and the set without it.

    This is how a set is walked through:

        while left != EMPTY:
            member, left = next_member(left, 0)

    Of a set of several words, `base` is 64 times the number of the word.
    """
    return base + lowest(left), left & (left - ONE)


@kernel
def nth(word: Word, index: int) -> int:
    """Return the member that has `index` smaller ones in the set."""
    while index > 0:
        word &= word - ONE
        index -= 1
    return lowest(word)
