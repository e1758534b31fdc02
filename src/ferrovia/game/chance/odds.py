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


@lru_cache(maxsize=512)
def tunnel_odds(unseen: tuple[int, ...], deck: int, discards: tuple[int, ...]) -> dict[str, Ways]:
    """Return the ways by the colour of the cards that are laid, `locomotive` for these alone.

    `unseen` counts the cards that the seat has not seen, by kind; `deck` is the size of the deck.
    What the deck lacks comes from the discards (R4.8).
    """
    from_deck = min(TURNED_UP, deck)
    from_discards = min(TURNED_UP - from_deck, sum(discards))
    odds = {}
    for color, name in enumerate(COLORS):
        counting = _counting(color)
        ways = [0] * (TURNED_UP + 1)
        for one, first in enumerate(_draws(unseen, counting, from_deck)):
            for other, second in enumerate(_draws(discards, counting, from_discards)):
                ways[one + other] += first * second
        odds[name] = tuple(ways)
    return odds


def counting_places(tunnel: Tunnel) -> tuple[int, ...]:
    """Return which of the cards that were turned up cost one more, by their places from 0 on."""
    colored = (COLORS.index(card) for card in tunnel.cards if card != COLORS[LOCOMOTIVE])
    counting = {COLORS[card] for card in _counting(next(colored, LOCOMOTIVE))}
    return tuple(at for at, card in enumerate(tunnel.revealed) if card in counting)


def _counting(laid: int) -> set[int]:
    """Return the cards that cost one more when cards of a colour are laid (R7.2, R7.3)."""
    return {laid, LOCOMOTIVE}


def _draws(cards: Sequence[int], counting: set[int], drawn: int) -> list[int]:
    """Return in how many ways none, one, two, … of the drawn cards count."""
    count = sum(cards[card] for card in counting)
    others = sum(cards) - count
    return [comb(count, hits) * comb(others, drawn - hits) for hits in range(drawn + 1)]
