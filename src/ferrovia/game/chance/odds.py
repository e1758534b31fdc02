"""The odds of a tunnel before it is tried: how many more cards it may cost (R7.1 to R7.6).

Nothing is known of the deck but which cards are not in it. So every unseen card is as likely as any
other to be turned up, whether it lies in the deck or in another hand.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb

from ferrovia.boards import COLORS
from ferrovia.game.events import Tunnel
from ferrovia.rules.chapters.tunnels import TURNED_UP
from ferrovia.rules.state.layout import LOCOMOTIVE

Ways = tuple[int, ...]
"""In how many ways the cards that are turned up cost nothing, one, two or three more."""


def tunnel_odds(unseen: Sequence[int], deck: int, discards: Sequence[int]) -> dict[str, Ways]:
    """Return the ways by the colour of the cards that are laid, `locomotive` for these alone.

    `unseen` counts the cards that the seat has not seen, by kind; `deck` is the size of the deck.
    What the deck lacks comes from the discards (R4.8).
    """
    from_deck = min(TURNED_UP, deck)
    from_discards = min(TURNED_UP - from_deck, sum(discards)) if deck < TURNED_UP else 0
    rest = bytes(discards) if from_discards else _NONE
    return _ways_by_color(bytes(unseen), from_deck, rest, from_discards).copy()


# What others draw blindly changes nothing of what a seat has not seen.
@lru_cache(maxsize=1024)
def _ways_by_color(
    unseen: bytes, from_deck: int, discards: bytes, from_discards: int
) -> dict[str, Ways]:
    draws = (sum(unseen), from_deck, sum(discards), from_discards)
    found = {}
    for color, counting in zip(COLORS, _COUNTING, strict=True):
        hidden, discarded = 0, 0
        for card in counting:
            hidden += unseen[card]
            discarded += discards[card]
        found[color] = _ways(hidden, discarded, *draws)
    return found


def counting_places(tunnel: Tunnel) -> tuple[int, ...]:
    """Return which of the cards that were turned up cost one more, by their places from 0 on."""
    colored = (COLORS.index(card) for card in tunnel.cards if card != COLORS[LOCOMOTIVE])
    counting = {COLORS[card] for card in _counting(next(colored, LOCOMOTIVE))}
    return tuple(at for at, card in enumerate(tunnel.revealed) if card in counting)


def _counting(laid: int) -> set[int]:
    """Return the cards that cost one more when cards of a colour are laid (R7.2, R7.3)."""
    return {laid, LOCOMOTIVE}


_COUNTING = [tuple(_counting(color)) for color in range(len(COLORS))]
_NONE = bytes(len(COLORS))


@lru_cache(maxsize=4096)
def _ways(
    hidden: int, discarded: int, unseen: int, from_deck: int, discards: int, from_discards: int
) -> Ways:
    """Return the ways of two draws together; `hidden` of the unseen cards count, and `discarded` of
    the discards.
    """
    if not from_discards and from_deck == TURNED_UP:
        return tuple(_draws(hidden, unseen - hidden, from_deck))
    ways = [0] * (TURNED_UP + 1)
    for one, first in enumerate(_draws(hidden, unseen - hidden, from_deck)):
        for other, second in enumerate(_draws(discarded, discards - discarded, from_discards)):
            ways[one + other] += first * second
    return tuple(ways)


def _draws(counting: int, others: int, drawn: int) -> list[int]:
    """Return in how many ways none, one, two, … of the drawn cards count."""
    return [comb(counting, hits) * comb(others, drawn - hits) for hits in range(drawn + 1)]
