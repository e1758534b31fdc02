"""The layout of a board from its picture: at once for the printed boards, whose picture is stored.

To lay a board out takes seconds, to read its picture milliseconds. Its numbers are to a tenth, so a
drawing of it differs from one of the layout by less than can be seen.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from math import cos, pi, radians, sin
from typing import Any

from ferrovia.drawing.picture import picture_json
from ferrovia.drawing.sheet.labels import Label
from ferrovia.drawing.sheet.layout import Layout
from ferrovia.drawing.sheet.shapes import Box, Point
from ferrovia.drawing.sheet.tracks import Space
from ferrovia.drawing.subject import DrawnBoard
from ferrovia.drawing.svg import ferry_spaces

_POINT = re.compile(r"([Ml])(-?[0-9.]+),(-?[0-9.]+)")


def layout_from_picture(board: DrawnBoard) -> Layout:
    """Return the layout of a board with at least one city, as its picture has it; equal boards
    share one result.
    """
    return _layout(picture_json(board), tuple(map(ferry_spaces, board.routes)))


@lru_cache(maxsize=16)
def _layout(text: str, ferries: tuple[range, ...]) -> Layout:
    data = json.loads(text)
    cities = {city["id"]: (float(city["x"]), float(city["y"])) for city in data["cities"]}
    spaces = {}
    for drawn, ferry in zip(data["routes"], ferries, strict=True):
        row = _row(drawn["spaces"], cities[drawn["a"]], cities[drawn["b"]])
        # The picture runs from a to b; the drawing counts the locomotives of a ferry its own way.
        forward = drawn["ferry"] == list(ferry)
        spaces[drawn["id"]] = row if forward else _reversed(row)
    return Layout(
        sheet=Box(0.0, 0.0, float(data["width"]), float(data["height"])),
        map=_box(data["map"]),
        cities=cities,
        labels={city["id"]: Label(city["name"], _box(city["label"])) for city in data["cities"]},
        spaces=spaces,
        lines={drawn["id"]: tuple(_lines(drawn["line"])[0]) for drawn in data["routes"]},
        land=_lines(data["land"]),
        lakes=_lines(data["lakes"]),
        graticule=_lines(data["graticule"]),
        ranges=_lines(data["ranges"]),
        peaks=[(x, y, size) for x, y, size in data["peaks"]],
        waters=[(one["name"], (one["x"], one["y"])) for one in data["waters"]],
    )


def _box(data: dict[str, Any]) -> Box:
    return Box(data["x"], data["y"], data["x"] + data["w"], data["y"] + data["h"])


def _row(spaces: list[dict[str, Any]], start: Point, end: Point) -> tuple[Space, ...]:
    """Return a row whose spaces all look from its first city to its second."""
    ahead = (end[0] - start[0], end[1] - start[1])
    row = []
    for space in spaces:
        angle = radians(space["angle"])
        if cos(angle) * ahead[0] + sin(angle) * ahead[1] < 0:
            angle += pi
        row.append(Space(space["x"], space["y"], angle, space["width"]))
    return tuple(row)


def _reversed(row: tuple[Space, ...]) -> tuple[Space, ...]:
    return tuple(Space(one.x, one.y, one.angle + pi, one.length) for one in reversed(row))


def _lines(data: str) -> list[list[Point]]:
    """Return the lines of path data as `ferrovia.drawing.svg.path_data` writes it."""
    lines: list[list[Point]] = []
    x = y = 0.0
    for kind, right, down in _POINT.findall(data):
        if kind == "M":
            lines.append([])
            x = y = 0.0
        x, y = x + float(right), y + float(down)
        lines[-1].append((x, y))
    return lines
