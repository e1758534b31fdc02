"""The colours of the drawing, all of them, and the symbol that goes with each route colour.

They are those of the browser by day (`web/src/board/board.css`), where distances and contrasts are
measured; a test compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass

SEA = "#d3e3e8"
WATERLINE = "#a3c0cb"
LAND = "#f8f0dc"
COAST = "#75929b"
GRATICULE = "#69868f"
INK = "#192837"
PLATE = "#fefcf7"
FRAME = "#f7f3e9"
TRACK = "#877f70"
CROSSING = "#337396"
TUNNEL = "#fcfaf4"
PORTAL = "#4c5d6e"
HIGHLIGHT = "#ffe96b"

FONT = "Barlow,'DIN Alternate','Helvetica Neue',Arial,'Liberation Sans','DejaVu Sans',sans-serif"


@dataclass(frozen=True)
class RouteStyle:
    """How a free space looks; `symbol` is empty for gray, which any colour may pay."""

    fill: str
    edge: str
    mark: str
    symbol: str


ROUTES = {
    "purple": RouteStyle("#d4afee", "#723a91", "#321943", "diamond"),
    "blue": RouteStyle("#77a3ce", "#2a5a8d", "#00274b", "disc"),
    "orange": RouteStyle("#f5ab69", "#924f20", "#3e1c00", "triangle"),
    "white": RouteStyle("#fcfbf6", "#585f65", "#4f565d", "ring"),
    "green": RouteStyle("#8cd4a0", "#2b663e", "#003016", "square"),
    "yellow": RouteStyle("#fae279", "#876b1c", "#2f2600", "star"),
    "black": RouteStyle("#707070", "#56585c", "#fbfaf7", "cross"),
    "red": RouteStyle("#d67c76", "#a43b38", "#461214", "plus"),
    "gray": RouteStyle("#d2cfc7", "#797469", "#4c473c", ""),
}

# What a board calls by another name is drawn so: the purple of the USA board is pink.
_OF_BOARDS = {
    "usa": {"purple": RouteStyle("#fcade6", "#9a377b", "#3d1436", "diamond")},
}


def routes(board: str) -> dict[str, RouteStyle]:
    """Return how free spaces of every colour look on a board."""
    return {**ROUTES, **_OF_BOARDS.get(board, {})}


FERRY_FILL = "#e5f3f8"
TRAIN_LINE = "#11161f"  # the outline of every train and station
TRAIN_EDGE = "#fefdfa"  # around that, on any ground
TRAIN_SHADOW = "#3a4350"


@dataclass(frozen=True)
class PlayerStyle:
    """How trains and stations look: their colour, and that of the marks on them."""

    fill: str
    ink: str = "#ffffff"


PLAYERS = {
    "blue": PlayerStyle("#0b56a9"),
    "red": PlayerStyle("#bb3231"),
    "green": PlayerStyle("#26b972", "#071b0c"),
    "yellow": PlayerStyle("#f6d83a", "#292109"),
    "black": PlayerStyle("#14161b"),
    "white": PlayerStyle("#fbfaf7", "#1a222b"),
    "brown": PlayerStyle("#562c03"),
    "purple": PlayerStyle("#c76fda", "#1f0924"),
    "gray": PlayerStyle("#b3bfc9", "#101c28"),
    "orange": PlayerStyle("#ff7b13", "#270e01"),
}
