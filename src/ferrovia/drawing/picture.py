"""A board's picture as data, for a client that draws it itself.

It is the layout of `draw`, so that a browser and `ferrovia show` agree on where things lie. It
knows no rules and nothing of a game: owners, stations and marks are the client's to add.

The pictures of the printed boards are stored, so that they are there at once and the same on
every machine; `tools/pictures.py` writes them again after a change to the
boards or to the layout. Other boards are laid out when their picture is first requested.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from importlib.resources import files
from math import dist
from typing import Any

from ferrovia.boards import COLORS, PLAYER_COLORS
from ferrovia.boards.settled import SettledCity, SettledRoute
from ferrovia.drawing import sizes, style
from ferrovia.drawing.sheet.layout import Layout, lay_out
from ferrovia.drawing.sheet.shapes import Point
from ferrovia.drawing.sheet.tracks import Space
from ferrovia.drawing.subject import DrawnBoard
from ferrovia.drawing.svg import ferry_spaces, leader, path_data
from ferrovia.drawing.symbols import CARRIAGE, CARRIAGE_LENGTH, LOCOMOTIVE, ROOF, STATION, SYMBOLS

VERSION = 1
_BIG = 5  # lines that meet in a big city, at least

_Key = tuple[
    str,
    tuple[tuple[str, str, float, float], ...],
    tuple[tuple[str, str, str, int, str, int, bool], ...],
    tuple[tuple[str, object], ...],
]


def picture(board: DrawnBoard) -> dict[str, Any]:
    """Return the picture of a board with at least one city, ready for JSON.

    Lengths are in units of the sheet, x to the right and y down; angles are in degrees,
    clockwise from the x axis, within ±90, so that nothing stands on its head.

    - `version`: of this form; `id`: of the board
    - `width`, `height`: of the sheet; `map`: {x, y, w, h}, the part inside its border
    - `city`: the radius of a city's dot; `letter`: the size of its name
    - `land`, `lakes`, `graticule`: SVG path data; land is filled even-odd
    - `ranges`: path data of the ridges of mountains; `peaks`: mountains, each [x, y, size];
      `waters`: seas, each with `name`, `x`, `y`
    - `routes`: in the order of the board, each with `id`, `a`, `b` (cities), `length`, `color`,
      `tunnel`, `ferry` (the indexes of the spaces that show a locomotive), `line` (path data of
      the line from city to city that a route shares with its twin) and `spaces`, from a to b:
      {x, y, angle, width, height}, (x, y) being the middle
    - `cities`: in the order of the board, each with `id`, `name`, `x`, `y`, `big` (many lines
      meet here) and `label`: {x, y, w, h}, the plate with the name, and where the plate does not
      stand beside its city `leader`: [x, y], the end at the plate of a thin line from the city

    The same board gives the same data. Raises ValueError for a board without cities.
    """
    data: dict[str, Any] = json.loads(picture_json(board))
    return data


def picture_json(board: DrawnBoard) -> str:
    """Return `picture` as JSON text in ASCII, without spaces; read or computed once per board."""
    if not board.cities:
        raise ValueError("a board without cities cannot be drawn")
    return _json(_Subject(_key(board), board))


def computed(board: DrawnBoard) -> str:
    """Return the same text, computed from the layout and not read."""
    return json.dumps(_data(board, lay_out(board)), separators=(",", ":"))


def shapes() -> dict[str, Any]:
    """Return what a client draws on every board, in units of the sheet and centred on (0, 0):
    `symbols`, the path data of each kind of card; `station`, that of a station; `carriage` and
    `roof`, those of a train on a space of `carriage_length`; and `player_colors`, the names of all
    colours that a player can have.
    """
    drawn = {color: SYMBOLS[look.symbol] for color, look in style.ROUTES.items() if look.symbol}
    symbols = {card: drawn.get(card, LOCOMOTIVE) for card in COLORS}
    return {
        "symbols": symbols,
        "station": STATION,
        "carriage": CARRIAGE,
        "carriage_length": CARRIAGE_LENGTH,
        "roof": ROOF,
        "player_colors": list(PLAYER_COLORS),
    }


def _key(board: DrawnBoard) -> _Key:
    return (
        board.id,
        tuple((city.id, city.name, city.lat, city.lon) for city in board.cities),
        tuple(
            (
                *(route.id, route.a, route.b, route.length),
                *(route.color, route.ferry, route.tunnel),
            )
            for route in board.routes
        ),
        _marks(board),
    )


def _marks(board: DrawnBoard) -> tuple[tuple[str, object], ...]:
    """Return what somebody has set on the sheet, of which most boards have nothing."""
    return (
        *((it.id, (it.side, it.fixed)) for it in board.cities if isinstance(it, SettledCity)),
        *((it.id, it.bend) for it in board.routes if isinstance(it, SettledRoute)),
    )


class _Subject:
    """A board that equals every other board with the same key."""

    def __init__(self, key: _Key, board: DrawnBoard) -> None:
        self.key = key
        self.board = board

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Subject) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(maxsize=16)
def _json(subject: _Subject) -> str:
    stored = files(__package__) / "pictures" / stored_name(subject.board)
    if stored.is_file():
        return stored.read_text(encoding="ascii")
    return computed(subject.board)


def stored_name(board: DrawnBoard) -> str:
    """Return the file of a board's stored picture, named after all that the picture shows."""
    *shown, marks = _key(board)
    text = json.dumps([VERSION, [*shown, *marks]], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16] + ".json"


def _data(board: DrawnBoard, layout: Layout) -> dict[str, Any]:
    box = layout.map
    return {
        "version": VERSION,
        "id": board.id,
        "width": _n(layout.sheet.width),
        "height": _n(layout.sheet.height),
        "map": {"x": _n(box.left), "y": _n(box.top), "w": _n(box.width), "h": _n(box.height)},
        "city": sizes.CITY,
        "letter": sizes.LETTER,
        "land": path_data(layout.land, close=True),
        "lakes": path_data(layout.lakes, close=True),
        "graticule": path_data(layout.graticule),
        "ranges": path_data(layout.ranges),
        "peaks": [[_n(x), _n(y), size] for x, y, size in layout.peaks],
        "waters": [{"name": name, "x": _n(x), "y": _n(y)} for name, (x, y) in layout.waters],
        "routes": _routes(board, layout),
        "cities": _cities(board, layout),
    }


def _routes(board: DrawnBoard, layout: Layout) -> list[dict[str, Any]]:
    result = []
    for route in board.routes:
        row = layout.spaces[route.id]
        numbers = list(ferry_spaces(route))
        if dist(_at(row[0]), layout.cities[route.a]) > dist(_at(row[-1]), layout.cities[route.a]):
            row = row[::-1]
            numbers = [route.length - 1 - number for number in reversed(numbers)]
        result.append(
            {
                "id": route.id,
                "a": route.a,
                "b": route.b,
                "length": route.length,
                "color": route.color,
                "tunnel": route.tunnel,
                "ferry": numbers,
                "line": path_data([layout.lines[route.id]]),
                "spaces": [_space(space) for space in row],
            }
        )
    return result


def _space(space: Space) -> dict[str, float]:
    return {
        "x": _n(space.x),
        "y": _n(space.y),
        "angle": _n((space.degrees + 90) % 180 - 90),
        "width": _n(space.length),
        "height": sizes.SPACE_DEPTH,
    }


def _cities(board: DrawnBoard, layout: Layout) -> list[dict[str, Any]]:
    lines: dict[str, set[str]] = {city.id: set() for city in board.cities}
    for route in board.routes:
        lines[route.a].add(route.b)
        lines[route.b].add(route.a)
    result = []
    for city in board.cities:
        x, y = layout.cities[city.id]
        box = layout.labels[city.id].box
        label: dict[str, Any] = {
            "x": _n(box.left),
            "y": _n(box.top),
            "w": _n(box.width),
            "h": _n(box.height),
        }
        if (end := leader((x, y), box)) is not None:
            label["leader"] = [_n(end[0]), _n(end[1])]
        result.append(
            {
                "id": city.id,
                "name": city.name,
                "x": _n(x),
                "y": _n(y),
                "big": len(lines[city.id]) >= _BIG,
                "label": label,
            }
        )
    return result


def _at(space: Space) -> Point:
    return space.x, space.y


def _n(value: float) -> float:
    """Return a number to a tenth; a whole one as an integer, which is shorter to write."""
    tenth = round(value, 1)
    return int(tenth) if tenth == int(tenth) else tenth
