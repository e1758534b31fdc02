"""The colours of the drawing, all of them, and the symbol that goes with each route colour."""

from __future__ import annotations

from dataclasses import dataclass

SEA = "#d3e2e7"
WATERLINE = "#a9c4cf"
LAND = "#f5efe0"
COAST = "#7f9aa3"
GRATICULE = "#8fa9b1"
INK = "#1d2b3a"
PLATE = "#fffdf7"
FRAME = "#f9f5ea"
TRACK = "#8b8472"
CROSSING = "#4f87a6"
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
    "purple": RouteStyle("#d3aee0", "#74358f", "#5f2678", "diamond"),
    "blue": RouteStyle("#9cc6ee", "#1a66a8", "#12508a", "disc"),
    "orange": RouteStyle("#f8b675", "#b85a06", "#8f4300", "triangle"),
    "white": RouteStyle("#ffffff", "#5d6469", "#5d6469", "ring"),
    "green": RouteStyle("#a5d295", "#357a2a", "#24601b", "square"),
    "yellow": RouteStyle("#f8e05c", "#9a7a00", "#745b00", "star"),
    "black": RouteStyle("#66676d", "#17181b", "#ffffff", "cross"),
    "red": RouteStyle("#f09a92", "#ad211a", "#8a150f", "plus"),
    "gray": RouteStyle("#e4e0d4", "#7f7a6d", "#7f7a6d", ""),
}

FERRY_FILL = "#e6f1f6"


@dataclass(frozen=True)
class PlayerStyle:
    """How carriages and stations look: their colour, the marks on them and the line around them."""

    fill: str
    ink: str = "#ffffff"
    edge: str = PLATE


PLAYERS = {
    "blue": PlayerStyle("#1f5fb4"),
    "red": PlayerStyle("#c4251d"),
    "green": PlayerStyle("#23763a"),
    "yellow": PlayerStyle("#f0c000", ink=INK),
    "black": PlayerStyle("#222329"),
    "white": PlayerStyle("#ffffff", ink=INK, edge=INK),
    "brown": PlayerStyle("#7a4722"),
    "purple": PlayerStyle("#7d3aa6"),
    "gray": PlayerStyle("#747d85"),
    "orange": PlayerStyle("#f47820", ink=INK),
}
