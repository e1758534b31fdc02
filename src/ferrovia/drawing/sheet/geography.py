"""The coasts and lakes of the earth, read once, and the part of them that a frame shows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate

from ferrovia.drawing.sheet.shapes import Box, Point, clipped

_LONGEST = 2.0  # degrees that an edge may run straight on the sheet


@dataclass(frozen=True)
class Ring:
    """One closed line in degrees (lon, lat), and the box around it (top is the smaller lat)."""

    points: tuple[Point, ...]
    extent: Box


@dataclass(frozen=True)
class World:
    """Rings of land (filled even-odd: inland seas are rings too) and of lakes."""

    land: tuple[Ring, ...]
    lakes: tuple[Ring, ...]


@cache
def world() -> World:
    """Return Natural Earth's land and lakes, as `tools/geography.py` packed them."""
    text = (files(__package__) / "geography.json").read_text(encoding="ascii")
    data = json.loads(text)
    units = data["units"]

    def rings(name: str) -> Iterator[Ring]:
        for flat in data[name]:
            xs = [x / units for x in accumulate(flat[::2])]
            ys = [y / units for y in accumulate(flat[1::2])]
            extent = Box(min(xs), min(ys), max(xs), max(ys))
            yield Ring(tuple(zip(xs, ys, strict=True)), extent)

    return World(tuple(rings("land")), tuple(rings("lakes")))


def visible(
    rings: tuple[Ring, ...],
    window: Box,
    place: Callable[[float, float], Point],
    frame: Box,
    detail: float,
) -> list[list[Point]]:
    """Return the rings inside `window` (degrees), placed on the sheet and cut to `frame`.

    Points closer than `detail` to the one before, and rings smaller than it, are left out.
    """
    shown = []
    for ring in rings:
        for turn in (-360.0, 0.0, 360.0):
            extent = ring.extent
            if (
                extent.left + turn > window.right
                or extent.right + turn < window.left
                or extent.top > window.bottom
                or extent.bottom < window.top
            ):
                continue
            points = [(lon + turn, lat) for lon, lat in ring.points]
            placed = [place(lon, lat) for lon, lat in _rounded(clipped(points, window))]
            thin = _thinned(clipped(placed, frame), detail)
            if len(thin) > 2:
                shown.append(thin)
    return shown


def _rounded(points: list[Point]) -> list[Point]:
    """Return the ring with long edges divided, so that they follow their parallels on the sheet."""
    result: list[Point] = []
    for (ax, ay), (bx, by) in zip(points[-1:] + points[:-1], points, strict=True):
        pieces = int(max(abs(bx - ax), abs(by - ay)) / _LONGEST) + 1
        for piece in range(1, pieces):
            t = piece / pieces
            result.append((ax + (bx - ax) * t, ay + (by - ay) * t))
        result.append((bx, by))
    return result


def _thinned(points: list[Point], detail: float) -> list[Point]:
    kept: list[Point] = []
    for point in points:
        if not kept or abs(point[0] - kept[-1][0]) + abs(point[1] - kept[-1][1]) >= detail:
            kept.append(point)
    return kept
