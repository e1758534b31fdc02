"""How a route, a tunnel's extra cards or a station can be paid: R5.1, R5.2, R6.1, R7.2, R9.2.

A payment is one colour and a number of locomotives. A set of payments is one word: bit `colour *
LENGTH + locomotives` for a payment with at least one card of that colour. Paying with locomotives
alone is not in it, since it has no colour.
"""

from ferrovia.kernel import kernel, uint64
from ferrovia.rules.chapters.cards import discard, spend
from ferrovia.rules.state.bits import EMPTY, below
from ferrovia.rules.state.layout import COLORS, GRAY, LENGTH, LOCOMOTIVE, State, Word


@kernel
def with_color(s: State, seat: int, color: int, cards: int, at_least: int) -> Word:
    """Return the payments of `cards` with some of a colour and at least a number of locomotives."""
    if s.hand[seat, color] == 0:
        return EMPTY
    fewest = max(at_least, cards - s.hand[seat, color])
    most = min(s.hand[seat, LOCOMOTIVE], cards - 1)
    if fewest > most:
        return EMPTY
    return (below(most + 1) & ~below(fewest)) << uint64(color * LENGTH)


@kernel
def ways_to_pay(s: State, seat: int, color: int, cards: int, at_least: int) -> Word:
    """Return all payments that use a colour: `color` alone, or any when it is GRAY."""
    if color != GRAY:
        return with_color(s, seat, color, cards, at_least)
    ways = EMPTY
    for each in range(COLORS):
        ways |= with_color(s, seat, each, cards, at_least)
    return ways


@kernel
def richest(s: State, seat: int) -> int:
    """Return the most cards of one colour in a hand, not counting locomotives."""
    most = 0
    for color in range(COLORS):
        most = max(most, int(s.hand[seat, color]))
    return most


@kernel
def pay(s: State, seat: int, color: int, colored: int, locomotives: int) -> None:
    """Move cards from the hand to the discards (R5.4)."""
    if colored > 0:
        spend(s, seat, color, colored)
        discard(s, color, colored)
    if locomotives > 0:
        spend(s, seat, LOCOMOTIVE, locomotives)
        discard(s, LOCOMOTIVE, locomotives)
