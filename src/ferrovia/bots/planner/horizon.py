"""How long the game will last, by what everybody can see."""

from ferrovia.rules.chapters.turn import LAST_ROUND_TRAINS
from ferrovia.rules.compiler import kernel
from ferrovia.rules.state.layout import NONE, State

_TYPICAL = 4  # spaces of a route


@kernel
def turns_to_end(s: State, seat: int) -> int:
    """The turns a seat needs to place its trains, at its quickest: cards first, then routes."""
    trains = max(0, int(s.trains[seat]) - LAST_ROUND_TRAINS)
    cards = max(0, trains - int(s.hand_size[seat]))
    return (cards + 1) // 2 + (trains + _TYPICAL - 1) // _TYPICAL


@kernel
def turns_left(s: State, seat: int, pace: int) -> int:
    """The turns this seat likely still has, this one included, if it is left to the others.

    `pace` says how much slower than their quickest they are, in sixteenths.
    """
    if s.turns_left != NONE:
        return 1
    least = 1 << 10
    for other in range(s.players):
        if other != seat:
            least = min(least, turns_to_end(s, other))
    return 1 + least * pace // 16
