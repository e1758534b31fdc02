"""Sets as 64-bit words: of routes, cities, tickets, payments."""

from ferrovia.kernel import intrinsic, kernel, uint64
from ferrovia.rules.state.layout import Word, Words

ONE = uint64(1)
EMPTY = uint64(0)


@intrinsic("popcount")
def popcount(word: Word) -> int:
    """Return the number of members of a set."""
    return int(word).bit_count()


@intrinsic("lowest")
def lowest(word: Word) -> int:
    """Return the smallest member of a set that is not empty."""
    return (int(word) & -int(word)).bit_length() - 1


@kernel
def single(member: int) -> Word:
    """Return the set with one member."""
    return ONE << uint64(member)


@kernel
def below(count: int) -> Word:
    """Return the set of 0 to count - 1, for a count of at most 64."""
    if count >= 64:
        return ~EMPTY
    return (ONE << uint64(count)) - ONE


@kernel
def has(word: Word, member: int) -> bool:
    """Return whether a number is a member of a set."""
    return (word >> uint64(member)) & ONE != EMPTY


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
