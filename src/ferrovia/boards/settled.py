"""What somebody has settled on the sheet of a board; the rest is laid out where there is room."""

from dataclasses import dataclass
from typing import Final

from ferrovia.boards.model import City, Route

SIDES: Final = ("e", "se", "s", "sw", "w", "nw", "n", "ne")
"""The sides of a city on which its name can stand, clockwise."""


@dataclass(frozen=True, slots=True)
class SettledCity(City):
    """A city that does not step aside for routes (`fixed`), or whose name stands on one `side` of
    it (empty: where there is room).
    """

    side: str = ""
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class SettledRoute(Route):
    """A route whose line bows to the left on the way from `a` to `b`, by `bend` hundredths of its
    length.
    """

    bend: int = 0
