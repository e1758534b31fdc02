"""The map in letters: every space of a route is one letter, every city a dot with its name.

A free space has the letter of its colour, in small; a train has the number of its owner. So
nothing depends on colours, which come on top.
"""

import itertools
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ferrovia.boards import Board
from ferrovia.drawing.picture import picture

LETTERS = {
    "purple": "p",
    "blue": "b",
    "orange": "o",
    "white": "w",
    "green": "g",
    "yellow": "y",
    "black": "k",
    "red": "r",
    "locomotive": "*",
    "gray": "=",
}
"""The letter of each colour; of a space that takes any, and of one that takes a locomotive."""

_SHAPE = 2.0  # how many times as high as wide a letter is
_NEAR = 0.75  # of a letter: a line this long is drawn as one step


class Cell(NamedTuple):
    """One letter of the map. `kind` is empty, line, free, train, city, mark, station or name;
    `color` that of a free space, `seat` the owner of a train or a station.
    """

    letter: str = " "
    kind: str = ""
    color: str = ""
    seat: int | None = None


class MapState(NamedTuple):
    """What lies on the map: owners by route, stations by city, marks of tickets by city."""

    owners: Mapping[str, int]
    stations: Mapping[str, int]
    marks: Mapping[str, str]


@lru_cache(maxsize=8)
def _picture(board: Board) -> dict[str, Any]:
    return picture(board)


def draw_map(board: Board, state: MapState, width: int) -> list[list[Cell]]:
    """Return the map as rows of letters, `width` of them in a row."""
    drawn = _picture(board)
    scale = (width - 1) / drawn["width"]
    height = round(drawn["height"] * scale / _SHAPE) + 1
    rows = [[Cell()] * width for _ in range(height)]

    def place(x: float, y: float) -> tuple[int, int]:
        column, row = round(x * scale), round(y * scale / _SHAPE)
        return min(max(column, 0), width - 1), min(max(row, 0), height - 1)

    ends = {city["id"]: (city["x"], city["y"]) for city in drawn["cities"]}
    for route in drawn["routes"]:
        points = [
            ends[route["a"]],
            *((space["x"], space["y"]) for space in route["spaces"]),
            ends[route["b"]],
        ]
        for (x1, y1), (x2, y2) in itertools.pairwise(points):
            steps = max(1, round(max(abs(x2 - x1), abs(y2 - y1) / _SHAPE) * scale / _NEAR))
            for step in range(steps + 1):
                column, row = place(x1 + (x2 - x1) * step / steps, y1 + (y2 - y1) * step / steps)
                if not rows[row][column].kind:
                    rows[row][column] = Cell("·", "line")
    for route in drawn["routes"]:
        owner = state.owners.get(route["id"])
        for number, space in enumerate(route["spaces"]):
            column, row = place(space["x"], space["y"])
            if owner is not None:
                rows[row][column] = Cell(str(owner + 1), "train", seat=owner)
            elif rows[row][column].kind != "train":
                color = "locomotive" if number in route["ferry"] else route["color"]
                letter = LETTERS[color]
                shown = letter.upper() if route["tunnel"] else letter
                rows[row][column] = Cell(shown, "free", color=color)
    _write_cities(rows, drawn["cities"], state, place)
    return rows


def _write_cities(
    rows: list[list[Cell]], cities: list[dict[str, Any]], state: MapState, place: Any
) -> None:
    """Write the dots of all cities, then their names where there is room."""
    for city in cities:
        column, row = place(city["x"], city["y"])
        owner, mark = state.stations.get(city["id"]), state.marks.get(city["id"])
        if owner is not None:
            rows[row][column] = Cell("⌂", "station", seat=owner)
        elif mark is not None:
            rows[row][column] = Cell(mark, "mark")
        else:
            rows[row][column] = Cell("●", "city")
    for city in cities:
        column, row = place(city["x"], city["y"])
        _write_name(rows, city["name"], column, row, city["id"] in state.marks)


def _write_name(rows: list[list[Cell]], name: str, column: int, row: int, marked: bool) -> None:
    """Write a name where it covers least, shortened if it must be."""
    length = len(name)
    for short in (length, 6, 3):
        text = name if short >= length else name[:short]
        places = [
            (row, column + 1),
            (row, column - len(text)),
            (row - 1, column - len(text) // 2),
            (row + 1, column - len(text) // 2),
        ]
        fitting = [(_covered(rows, at, start, len(text)), at, start) for at, start in places]
        cost, at, start = min(fitting, key=lambda it: it[0])
        if cost == 0 or short == 3:
            if cost < _BLOCKED:
                for offset, letter in enumerate(text):
                    kind = "mark" if marked else "name"
                    rows[at][start + offset] = Cell(letter, kind)
            return


_BLOCKED = 1000


def _covered(rows: list[list[Cell]], row: int, start: int, length: int) -> int:
    """Return how much a name would cover: nothing, letters of free spaces, or what it may not."""
    if not (0 <= row < len(rows) and start >= 0 and start + length <= len(rows[0])):
        return _BLOCKED
    kinds = [cell.kind for cell in rows[row][start : start + length]]
    if any(kind in ("city", "mark", "station", "name", "train") for kind in kinds):
        return _BLOCKED
    return sum(kind == "free" for kind in kinds)
