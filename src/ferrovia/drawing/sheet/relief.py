"""Mountains and the names of seas: what makes a map of the ground that a board lies on.

Places are in degrees (lon, lat), to about half a degree: ranges are drawn as ridges with spurs, in
light and shade, and as rows of small peaks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import pairwise
from math import dist, hypot

from ferrovia.drawing.sheet.shapes import Box, Point

RANGES: tuple[tuple[Point, ...], ...] = (
    ((-1.5, 43.0), (0.5, 42.7), (2.5, 42.4)),  # Pyrenees
    ((-6.8, 43.1), (-4.5, 43.1)),  # Cantabrian Mountains
    ((-3.9, 37.0), (-2.5, 37.2)),  # Sierra Nevada
    ((-5.8, 40.3), (-3.8, 40.9)),  # Central System
    ((6.2, 44.2), (6.9, 45.4), (8.0, 46.2), (10.0, 46.6), (12.0, 46.9), (14.0, 46.8)),  # Alps
    ((8.8, 44.4), (11.0, 44.1), (13.0, 42.6), (14.5, 41.4), (16.0, 40.3)),  # Apennines
    (
        (14.8, 45.4),
        (16.5, 44.0),
        (18.3, 43.0),
        (20.0, 42.0),
        (20.8, 40.6),
        (21.6, 39.3),
    ),  # Dinarides
    (
        (18.5, 49.2),
        (20.2, 49.2),
        (22.8, 48.9),
        (24.6, 47.8),
        (25.6, 46.6),
        (25.4, 45.5),
        (23.0, 45.4),
    ),
    ((23.0, 42.8), (25.2, 42.75), (27.0, 42.8)),  # Balkan Mountains
    ((7.0, 59.8), (8.5, 61.5), (11.5, 63.2), (14.5, 65.8)),  # Scandinavian Mountains
    ((-5.0, 57.0), (-4.0, 57.3)),  # Highlands
    ((39.5, 43.9), (42.5, 43.2), (45.0, 42.7), (47.5, 41.6)),  # Caucasus
    ((30.5, 37.2), (33.0, 37.0), (35.5, 37.8)),  # Taurus
    ((33.0, 41.2), (36.5, 40.8), (40.0, 40.6)),  # Pontic Mountains
    ((-8.5, 31.2), (-5.0, 33.0), (0.5, 34.8), (5.0, 35.8), (8.5, 36.2)),  # Atlas
    (
        (-117.5, 52.0),
        (-114.5, 49.0),
        (-113.5, 46.8),
        (-110.5, 44.2),
        (-107.5, 41.5),
    ),  # Rocky Mountains
    ((-106.5, 40.2), (-106.3, 38.5), (-105.5, 36.6)),
    ((-121.6, 48.6), (-121.8, 46.0), (-122.0, 43.5), (-122.0, 41.6)),  # Cascades
    ((-120.5, 39.5), (-119.0, 37.5), (-118.2, 36.0)),  # Sierra Nevada
    ((-111.6, 41.0), (-111.8, 39.0)),  # Wasatch
    ((-84.5, 34.9), (-82.2, 36.3), (-80.2, 37.9), (-78.4, 39.8), (-75.8, 41.5)),  # Appalachians
    ((-72.9, 43.2), (-71.4, 44.2), (-69.5, 45.4)),
)

WATERS: dict[str, tuple[Point, ...]] = {
    "Oceanus Atlanticus": ((-75.5, 31.2), (-9.5, 48.6)),
    "Mare Cantabricum": ((-4.6, 45.4),),
    "Mare Germanicum": ((3.4, 56.2),),
    "Mare Mediterraneum": ((3.6, 38.6),),
    "Mare Ionium": ((18.6, 37.4),),
    "Pontus Euxinus": ((34.6, 43.4),),
    "Oceanus Pacificus": ((-122.2, 32.6),),
    "Sinus Mexicanus": ((-90.8, 27.9),),
}
"""The seas in the language of old maps, which is nobody's, and about where their names stand."""

_STEP = 15.0
_APART = 17.0
_SIZES = (1.0, 0.72, 0.88, 0.64)

_WIDE, _HIGH = 11.6, 18.0  # of a letter of a sea's name, and of a line
_REACH, _PACE = 72, 6  # how far from its place a name may stand, and in which steps it is tried

_SPUR = 17.0  # of a ridge, in units of the sheet

Peak = tuple[float, float, float]


def ranges(place: Callable[[float, float], Point], window: Box) -> list[list[Point]]:
    """Return the ridges of the mountains around, each with its spurs, as lines."""
    lines = []
    for line in RANGES:
        if not any(_inside(point, window) for point in line):
            continue
        ridge = list(_along([place(lon, lat) for lon, lat in line]))
        if len(ridge) < 2:
            continue
        lines.append(ridge)
        for number, (a, b) in enumerate(pairwise(ridge)):
            side = _SPUR * _SIZES[number % len(_SIZES)] * (1 if number % 2 else -1) / dist(a, b)
            lines.append([a, (a[0] - (b[1] - a[1]) * side, a[1] + (b[0] - a[0]) * side)])
    return lines


def peaks(
    place: Callable[[float, float], Point], window: Box, frame: Box, others: Iterable[Point]
) -> list[Peak]:
    """Return the mountains inside a frame: where each stands, and how large it is.

    `window` is the part of the earth (degrees) around it. None stands where one of the `others`
    would lie on it.
    """
    taken = list(others)
    found = []
    for line in RANGES:
        if not any(_inside(point, window) for point in line):
            continue
        row = list(_along([place(lon, lat) for lon, lat in line]))
        for number, (x, y) in enumerate(row):
            size = _SIZES[number % len(_SIZES)]
            free = all(dist((x, y), other) > _APART for other in taken)
            if free and _inside((x, y), frame):
                found.append((x, y + (number % 2) * 3.0, size))
    return found


def waters(
    place: Callable[[float, float], Point],
    window: Box,
    frame: Box,
    others: Collection[Point],
    coast: Iterable[Point],
) -> list[tuple[str, Point]]:
    """Return the names of seas that have room inside a frame, and where their middle is.

    A name has a line for each of its words. It stands near its place where it lies on none of the
    `others`, and on as little of a coast as can be, even when the sheet is turned by a quarter;
    what is turned may stand a little farther out.
    """
    shore = list(coast)
    found: list[tuple[str, Point]] = []
    for name, places in WATERS.items():
        words = name.split()
        wide, high = max(map(len, words)) * _WIDE / 2, len(words) * _HIGH / 2
        for at in places:
            if not _inside(at, window):
                continue
            x, y = place(*at)
            near = [one for one in others if dist(one, (x, y)) < _REACH + 2 * wide]
            land = [one for one in shore if dist(one, (x, y)) < _REACH + 2 * wide]
            best, least = None, float("inf")
            for dx in range(-_REACH, _REACH + 1, _PACE):
                for dy in range(-_REACH, _REACH + 1, _PACE):
                    upright = Box(x + dx - wide, y + dy - high, x + dx + wide, y + dy + high)
                    turned = Box(x + dx - high, y + dy - wide, x + dx + high, y + dy + wide)
                    if not (_holds(frame, upright) and _holds(frame.grown(40), turned)):
                        continue
                    if any(_inside(one, box.grown(9)) for box in (upright, turned) for one in near):
                        continue
                    wet = sum(_inside(one, box) for box in (upright, turned) for one in land)
                    price = hypot(dx, dy) + 12 * wet
                    if price < least:
                        best, least = (x + dx, y + dy), price
            if best:
                found.append((name, best))
    return found


def _holds(box: Box, other: Box) -> bool:
    return _inside((other.left, other.top), box) and _inside((other.right, other.bottom), box)


def _inside(point: Point, box: Box) -> bool:
    return box.left < point[0] < box.right and box.top < point[1] < box.bottom


def _along(line: list[Point]) -> Iterable[Point]:
    """Return points at equal steps along a line."""
    left = 0.0
    for a, b in pairwise(line):
        length = dist(a, b)
        at = left
        while at < length:
            part = at / length
            yield (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)
            at += _STEP
        left = at - length
