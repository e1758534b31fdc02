"""The rows of spaces: where every space of every route lies.

All routes between the same two cities form one bundle and share a middle line, straight or
gently bent; each has its own lane beside it. `bends` chooses how each is bent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, degrees, hypot, sin

from ferrovia.drawing import sizes
from ferrovia.drawing.sheet.coverage import Disc
from ferrovia.drawing.sheet.shapes import Point

_SAMPLES = 24

Trims = tuple[float, float]


@dataclass(frozen=True, order=True)
class Space:
    """One space: a bar around (x, y), `length` along the direction `angle` (radians)."""

    x: float
    y: float
    angle: float
    length: float

    @property
    def degrees(self) -> float:
        return degrees(self.angle)

    def beads(self) -> list[Point]:
        """Return three points along the bar that stand for it when distances are measured."""
        dx = cos(self.angle) * (self.length - sizes.SPACE_DEPTH) / 2
        dy = sin(self.angle) * (self.length - sizes.SPACE_DEPTH) / 2
        return [(self.x - dx, self.y - dy), (self.x, self.y), (self.x + dx, self.y + dy)]

    def corners(self, margin: float = 0.0) -> list[Point]:
        """Return the four corners of the bar, in order."""
        along, across = self.length / 2 + margin, sizes.SPACE_DEPTH / 2 + margin
        c, s = cos(self.angle), sin(self.angle)
        return [
            (self.x + c * u - s * v, self.y + s * u + c * v)
            for u, v in ((-along, -across), (along, -across), (along, across), (-along, across))
        ]

    def discs(self) -> list[Disc]:
        """Return the bar as discs (x, y, radius), its corners among them."""
        body = [(x, y, sizes.SPACE_DEPTH / 2 + 1) for x, y in self.beads()]
        return body + [(x, y, 1.0) for x, y in self.corners()]


@dataclass(frozen=True)
class ParallelRoutes:
    """What is known of a bundle before it is laid: its cities (by number), lengths and lanes,
    and how far somebody has bent it (None: as there is room)."""

    a: int
    b: int
    lengths: tuple[int, ...]
    bend: float | None = None

    @property
    def half_width(self) -> float:
        return (len(self.lengths) - 1) / 2 * sizes.LANE + sizes.SPACE_DEPTH / 2

    @property
    def row(self) -> float:
        """How long its row is when the spaces have their ideal length."""
        return max(self.lengths) * (sizes.SPACE_IDEAL + sizes.SPACE_GAP)

    def room(self, a: Point, b: Point, bend: float, trims: Trims) -> float:
        """Return how long a row may be on the bent line between the places, less the trims."""
        total = hypot(b[0] - a[0], b[1] - a[1]) * (1 + 8 / 3 * bend * bend)
        least = sizes.CITY + sizes.CITY_CLEAR
        return total - max(least, trims[0]) - max(least, trims[1])

    def fits(self, a: Point, b: Point, trims: Trims) -> bool:
        """Return whether its spaces, at their shortest, have room between the places and trims."""
        room = hypot(b[0] - a[0], b[1] - a[1]) - sum(trims)
        return room >= max(self.lengths) * (sizes.SPACE_LEAST + sizes.SPACE_GAP)


@dataclass(frozen=True)
class Track:
    """A bundle as laid: the middle line, and a row of spaces for each of its routes."""

    line: tuple[Point, ...]
    rows: tuple[tuple[Space, ...], ...]


def laid(
    bundle: ParallelRoutes, a: Point, b: Point, bend: float, trims: Trims = (0.0, 0.0)
) -> Track:
    """Return the bundle between two places, bowed to the side by `bend` of its length.

    The first and last spaces keep at least `trims` from the cities, where there is room.
    """
    line = _curve(a, b, bend)
    reach = [0.0]
    for (px, py), (qx, qy) in pairwise(line):
        reach.append(reach[-1] + hypot(qx - px, qy - py))
    total = reach[-1]
    least = min(sizes.CITY + sizes.CITY_CLEAR, total * 0.2)
    head, tail = max(least, trims[0]), max(least, trims[1])
    rows = []
    for lane, count in enumerate(bundle.lengths):
        side = (lane - (len(bundle.lengths) - 1) / 2) * sizes.LANE
        spare = max(0.0, total - 2 * least - count * (sizes.SPACE_LEAST + sizes.SPACE_GAP))
        ease = min(1.0, spare / max(head + tail - 2 * least, 1e-9))
        start, end = least + (head - least) * ease, total - least - (tail - least) * ease
        pitch = min((end - start) / count, sizes.SPACE_MOST + 2 * sizes.SPACE_GAP)
        length = max(min(sizes.SPACE_MOST, pitch - sizes.SPACE_GAP), pitch * 0.6)
        start = min(max(start, (total - pitch * count) / 2), end - pitch * count)
        row = []
        for number in range(count):
            x, y, angle = _at(line, reach, start + (number + 0.5) * pitch)
            row.append(Space(x - sin(angle) * side, y + cos(angle) * side, angle, length))
        rows.append(tuple(row))
    return Track(tuple(line), tuple(rows))


def _curve(a: Point, b: Point, bend: float) -> list[Point]:
    dx, dy = b[0] - a[0], b[1] - a[1]
    if not bend:
        steps = (0.0, 1.0)
        return [(a[0] + dx * t, a[1] + dy * t) for t in steps]
    line = []
    for step in range(_SAMPLES + 1):
        t = step / _SAMPLES
        bow = 4 * t * (1 - t) * bend
        line.append((a[0] + dx * t + dy * bow, a[1] + dy * t - dx * bow))
    return line


def _at(line: Sequence[Point], reach: Sequence[float], along: float) -> tuple[float, float, float]:
    """Return the place and direction on the line, `along` from its start."""
    piece = 1
    while piece < len(reach) - 1 and reach[piece] < along:
        piece += 1
    (px, py), (qx, qy) = line[piece - 1], line[piece]
    whole = reach[piece] - reach[piece - 1]
    t = (along - reach[piece - 1]) / whole if whole else 0.0
    return px + (qx - px) * t, py + (qy - py) * t, atan2(qy - py, qx - px)
