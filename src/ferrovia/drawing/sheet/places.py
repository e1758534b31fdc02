"""Where the cities stand on the sheet: at their true places, moved a little for room.

Printed boards do the same: neighbours step apart until their routes have room for every space,
and a city steps aside from a route that is not its own. The land then follows its cities
(`Drift`), so that every port stays on its coast.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import exp, hypot

from ferrovia.drawing.sheet.shapes import Box, Point, distance_to_segment

_ROUNDS = 80
_HOME = 0.05  # how strongly a city is drawn back to its true place, each round
_NEIGHBOURS = 56.0  # cities nearer than this push each other away
_REACH = 90.0  # city and foreign route further apart than this at first never meet


@dataclass(frozen=True)
class Spacing:
    """A row of routes between cities number `a` and `b` that needs `room` from centre to centre
    and keeps other cities `clear` of its middle line."""

    a: int
    b: int
    room: float
    clear: float


def arranged(
    anchors: Sequence[Point], links: Sequence[Spacing], frame: Box, fixed: Collection[int] = ()
) -> list[Point]:
    """Return places for all cities inside `frame`, near their anchors, with room for the links;
    those that are fixed stay at theirs.

    Deterministic. Every demand is soft: on an overfull board the places are the best compromise.
    """
    places = [_apart(point, number) for number, point in enumerate(anchors)]
    count = len(places)
    pairs = [
        (i, j)
        for i in range(count)
        for j in range(i)
        if hypot(places[i][0] - places[j][0], places[i][1] - places[j][1]) < _REACH
    ]
    foreign = [
        (city, link)
        for link in links
        for city in range(count)
        if city not in (link.a, link.b)
        and distance_to_segment(places[city], places[link.a], places[link.b])[0] < _REACH
    ]
    for turn in range(_ROUNDS):
        moves = [[0.0, 0.0] for _ in places]
        for i, j in pairs:
            _part(places, moves, i, j, _NEIGHBOURS, 0.3)
        for link in links:
            _part(places, moves, link.a, link.b, link.room, 0.35)
        for city, link in foreign:
            _step_aside(places, moves, city, link)
        home = _HOME if turn < _ROUNDS * 0.8 else _HOME / 4
        for number, (dx, dy) in enumerate(moves):
            if number in fixed:
                continue
            (x, y), (ax, ay) = places[number], anchors[number]
            x += dx + (ax - x) * home
            y += dy + (ay - y) * home
            places[number] = (
                min(frame.right, max(frame.left, x)),
                min(frame.bottom, max(frame.top, y)),
            )
    return places


def _apart(point: Point, number: int) -> Point:
    """Return the point with a tiny shift of its own, so that cities at one place can part."""
    return point[0] + 0.01 * (number % 7), point[1] + 0.01 * (number % 5)


def _part(
    places: Sequence[Point], moves: list[list[float]], i: int, j: int, room: float, rate: float
) -> None:
    dx, dy = places[i][0] - places[j][0], places[i][1] - places[j][1]
    apart = hypot(dx, dy)
    if apart >= room:
        return
    push = (room - apart) * rate / max(apart, 1.0)
    moves[i][0] += dx * push
    moves[i][1] += dy * push
    moves[j][0] -= dx * push
    moves[j][1] -= dy * push


def _step_aside(
    places: Sequence[Point], moves: list[list[float]], city: int, link: Spacing
) -> None:
    a, b = places[link.a], places[link.b]
    apart, nearest = distance_to_segment(places[city], a, b)
    if apart >= link.clear or nearest in (a, b):
        return
    dx, dy = places[city][0] - nearest[0], places[city][1] - nearest[1]
    push = (link.clear - apart) * 0.3 / max(apart, 1.0)
    moves[city][0] += dx * push
    moves[city][1] += dy * push
    for end in (link.a, link.b):
        moves[end][0] -= dx * push / 3
        moves[end][1] -= dy * push / 3


class Drift:
    """How the ground moves with its cities: a smooth field over the sheet.

    At a city it is about the city's own move, far from all cities nothing.
    """

    _STEP = 25.0

    def __init__(self, before: Sequence[Point], after: Sequence[Point], frame: Box) -> None:
        self._frame = frame
        self._columns = int(frame.width / self._STEP) + 2
        self._rows = int(frame.height / self._STEP) + 2
        moved = [
            (bx, by, ax - bx, ay - by) for (bx, by), (ax, ay) in zip(before, after, strict=True)
        ]
        self._field = [
            [
                _pull(moved, frame.left + column * self._STEP, frame.top + row * self._STEP)
                for column in range(self._columns)
            ]
            for row in range(self._rows)
        ]

    def moved(self, x: float, y: float) -> Point:
        """Return the place to which the ground at (x, y) moves."""
        across = (x - self._frame.left) / self._STEP
        down = (y - self._frame.top) / self._STEP
        across = min(max(across, 0.0), self._columns - 1.001)
        down = min(max(down, 0.0), self._rows - 1.001)
        column, row = int(across), int(down)
        u, v = across - column, down - row
        upper, lower = self._field[row], self._field[row + 1]
        nw, ne, sw, se = upper[column], upper[column + 1], lower[column], lower[column + 1]
        p, q, r, s = (1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v
        return (
            x + nw[0] * p + ne[0] * q + sw[0] * r + se[0] * s,
            y + nw[1] * p + ne[1] * q + sw[1] * r + se[1] * s,
        )


def _pull(moved: Sequence[tuple[float, float, float, float]], x: float, y: float) -> Point:
    total = 0.25
    pull_x = pull_y = 0.0
    for px, py, dx, dy in moved:
        square = (x - px) ** 2 + (y - py) ** 2
        if square < 32000:
            weight = exp(-square / 4000)
            total += weight
            pull_x += weight * dx
            pull_y += weight * dy
    return pull_x / total, pull_y / total
