"""What the game layer asks of the kernel besides ferrovia.rules.calls, over the same buffers."""

from typing import Any

from ferrovia.rules.chapters.breaches import why_not
from ferrovia.rules.chapters.menu import price_of
from ferrovia.rules.compiler import kernel
from ferrovia.rules.state.layout import BOOK, STATE


@kernel
def explain_all(book: Any, state: Any, seat: int, decisions: Any, out: Any) -> None:
    """`explain` for many decisions at once."""
    rules, s = book.view(BOOK)[0], state.view(STATE)[0]
    for i in range(decisions.shape[0]):
        out[i] = why_not(rules, s, seat, decisions[i])


@kernel
def price(book: Any, state: Any, seat: int, target: int) -> int:
    """How many cards a route, or a station in ROUTES + a city, costs the seat."""
    return price_of(book.view(BOOK)[0], state.view(STATE)[0], seat, target)[1]
