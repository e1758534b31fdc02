"""Draws a board, empty or in the middle of a game, as one self-contained SVG.

from ferrovia.drawing import draw, png

svg = draw(board, owners={"paris-zurich": 0}, stations={"roma": 1})
png(svg, "board.png", width=1600)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from ferrovia.boards import PLAYER_COLORS
from ferrovia.drawing.clip import Appearance, Caption, Clip, Strip
from ferrovia.drawing.raster import png
from ferrovia.drawing.stored import layout_from_picture
from ferrovia.drawing.subject import DrawnBoard
from ferrovia.drawing.svg import Players, Tint, write

__all__ = ["Appearance", "Caption", "Clip", "Strip", "Tint", "draw", "png"]

_NONE: Mapping[str, int] = MappingProxyType({})
_PLAIN: Mapping[str, Tint] = MappingProxyType({})


def draw(
    board: DrawnBoard,
    *,
    owners: Mapping[str, int] = _NONE,
    stations: Mapping[str, int] = _NONE,
    player_colors: Sequence[str] = PLAYER_COLORS,
    highlight: Collection[str] = (),
    tints: Mapping[str, Tint] = _PLAIN,
    width: int = 1200,
    title: str | None = None,
    clip: Clip | None = None,
    strip: Strip | None = None,
) -> str:
    """Return the board as an SVG document `width` pixels wide; the same input gives the same text.

    `owners` maps claimed routes, and `stations` cities with a station, to the number of the owner,
    whose colour is `player_colors[owner]`, one of `ferrovia.boards.PLAYER_COLORS`. Routes and
    cities in `highlight` stand out. Free routes in `tints` are filled with that colour in place of
    their own, and their descriptions say why. A `title` is shown on a plate and names the picture
    for screen readers. In a `clip` routes and stations appear one after the other, on top of those
    in `owners` and `stations`; a `strip` under the map says who plays and what happens. Ids
    that the board does not have are ignored. Raises ValueError for a board without cities, an owner
    without a colour and a colour that does not exist.
    """
    if not board.cities:
        raise ValueError("a board without cities cannot be drawn")
    appearing = () if clip is None else (*clip.routes.values(), *clip.stations.values())
    for owner in {*owners.values(), *stations.values(), *(one.owner for one in appearing)}:
        if not 0 <= owner < len(player_colors):
            raise ValueError(f"player {owner} has no colour among {list(player_colors)}")
    for color in player_colors:
        if color not in PLAYER_COLORS:
            raise ValueError(f"{color!r} is not a player's colour: {', '.join(PLAYER_COLORS)}")
    players = Players(owners, stations, player_colors)
    return write(
        board,
        layout_from_picture(board),
        players,
        highlight=highlight,
        tints=tints,
        width=width,
        title=title,
        clip=clip,
        strip=strip,
    )
