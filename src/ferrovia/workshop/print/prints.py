"""Everything that can be printed, by one word for what and one for how."""

from typing import Final, Literal, get_args

from ferrovia.boards.edition import Edition
from ferrovia.workshop.print.board import Layout, board_print
from ferrovia.workshop.print.cards import CardLayout, card_print, ticket_print
from ferrovia.workshop.print.paper import Paper, Print

What = Literal["board", "tickets", "cards"]

LAYOUTS: Final[dict[What, tuple[str, ...]]] = {
    "board": get_args(Layout),
    "tickets": get_args(CardLayout),
    "cards": get_args(CardLayout),
}
"""How each of them can lie on paper; the first is the usual one."""

LONG_SIDE: Final = (100, 3000)
"""The shortest and the longest that the longer side of a board can be, in millimetres."""


def print_of(
    edition: Edition, what: What, layout: str, paper: Paper, long_side: float | None = None
) -> Print:
    """Return what is printed; `long_side` is that of the board at full size, in millimetres.

    Raises `ValueError` for a layout that there is not.
    """
    if layout not in LAYOUTS[what]:
        raise ValueError(f"'{layout}' is no layout of {what}; there is {', '.join(LAYOUTS[what])}")
    if what == "board":
        return board_print(edition, layout, paper, long_side)  # type: ignore[arg-type]
    make = ticket_print if what == "tickets" else card_print
    return make(edition, layout, paper)  # type: ignore[arg-type]
