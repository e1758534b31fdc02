"""Everything about a board's picture that is a matter of place, computed once per board."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, dist, floor, pi
from typing import NamedTuple

from ferrovia.boards.settled import SettledCity, SettledRoute
from ferrovia.drawing import sizes
from ferrovia.drawing.sheet.bends import Bends, hidden, touching
from ferrovia.drawing.sheet.coverage import Disc
from ferrovia.drawing.sheet.geography import visible, world
from ferrovia.drawing.sheet.labels import Label, Plates
from ferrovia.drawing.sheet.places import Drift, Spacing, arranged
from ferrovia.drawing.sheet.projection import Projection
from ferrovia.drawing.sheet.relief import Peak, peaks, ranges, waters
from ferrovia.drawing.sheet.shapes import Box, Point
from ferrovia.drawing.sheet.tracks import ParallelRoutes, Space, Track
from ferrovia.drawing.subject import DrawnBoard

_ATTEMPTS = 4  # at finding room for names and routes beside each other
_KINKS = (2000.0, 900.0)  # prices of a short bow that are tried
_APART = 0.6  # spaces of different routes keep this distance
_ARRANGED = 8  # times that the cities are arranged, at most
_TIGHT, _LOOSE = 0.8, 1.05  # room for the tightest routes, as a part of what they need


class _City(NamedTuple):
    """What the layout depends on; `side` and `fixed` as somebody has settled them."""

    id: str
    name: str
    lat: float
    lon: float
    side: str
    fixed: bool


class _Route(NamedTuple):
    id: str
    a: str
    b: str
    length: int
    bend: int | None


@dataclass(frozen=True)
class Layout:
    """Where all things lie on the sheet. Lines and rings are sequences of points."""

    sheet: Box
    map: Box
    cities: dict[str, Point]
    labels: dict[str, Label]
    spaces: dict[str, tuple[Space, ...]]
    lines: dict[str, tuple[Point, ...]]
    land: list[list[Point]]
    lakes: list[list[Point]]
    graticule: list[list[Point]]
    ranges: list[list[Point]]
    peaks: list[Peak]
    waters: list[tuple[str, Point]]


@dataclass(frozen=True)
class _Sheet:
    """The projection, enlarged and shifted so that the cities fill the sheet."""

    projection: Projection
    scale: float
    x: float
    y: float
    sheet: Box

    def place(self, lon: float, lat: float) -> Point:
        x, y = self.projection.place(lon, lat)
        return self.x + x * self.scale, self.y + y * self.scale

    def degrees(self, x: float, y: float) -> Point:
        return self.projection.degrees((x - self.x) / self.scale, (y - self.y) / self.scale)


def lay_out(board: DrawnBoard) -> Layout:
    """Return the layout of a board with at least one city; equal boards share one result."""
    return _layout(
        tuple(
            _City(
                *(city.id, city.name, city.lat, city.lon),
                *((city.side, city.fixed) if isinstance(city, SettledCity) else ("", False)),
            )
            for city in board.cities
        ),
        tuple(
            _Route(
                *(route.id, route.a, route.b, route.length),
                route.bend if isinstance(route, SettledRoute) else None,
            )
            for route in board.routes
        ),
    )


@lru_cache(maxsize=16)
def _layout(cities: tuple[_City, ...], routes: tuple[_Route, ...]) -> Layout:
    sheet = _fitting_sheet(cities, routes)
    map_box = sheet.sheet.grown(-sizes.BORDER)
    anchors = [sheet.place(sheet.projection.near(city.lon), city.lat) for city in cities]
    numbers = {city.id: number for number, city in enumerate(cities)}
    members: dict[tuple[int, int], list[_Route]] = {}
    for route in routes:
        a, b = numbers[route.a], numbers[route.b]
        members.setdefault((min(a, b), max(a, b)), []).append(route)
    bundles = [
        ParallelRoutes(a, b, tuple(route.length for route in group), _bend(group, cities[a].id))
        for (a, b), group in members.items()
    ]
    trials = []
    for kink in _KINKS:
        trials.append(_trial(cities, anchors, bundles, map_box, kink))
        if not trials[-1].trouble:
            break
    best = min(trials, key=lambda trial: trial.trouble)
    places, labels, tracks = best.places, best.labels, best.tracks
    spaces, lines = _by_route(list(members.values()), tracks)
    drift = Drift(anchors, places, map_box)
    land, lakes = _ground(sheet, drift, map_box)

    window = _window(sheet, map_box.grown(70))

    def on_ground(lon: float, lat: float) -> Point:
        return drift.moved(*sheet.place(sheet.projection.near(lon), lat))

    in_the_way = [
        *places,
        *((space.x, space.y) for row in spaces.values() for space in row),
        *(label.box.center for label in labels),
    ]
    return Layout(
        sheet=sheet.sheet,
        map=map_box,
        cities={city.id: place for city, place in zip(cities, places, strict=True)},
        labels={city.id: label for city, label in zip(cities, labels, strict=True)},
        spaces=spaces,
        lines=lines,
        land=land,
        lakes=lakes,
        graticule=_graticule(sheet, map_box),
        ranges=ranges(on_ground, window),
        peaks=peaks(on_ground, window, map_box.grown(-8), in_the_way),
        waters=waters(
            on_ground,
            window,
            _seen(places, labels),
            [*in_the_way, *(at for label in labels for at in _spread(label.box))],
            (at for ring in land for at in ring),
        ),
    )


def _spread(box: Box) -> list[Point]:
    """Return points along a plate."""
    return [(box.left + box.width * part / 6, box.center[1]) for part in range(7)]


def _seen(places: list[Point], labels: list[Label]) -> Box:
    """Return what is always seen of the sheet: all cities with their names."""
    corners = [
        *places,
        *((label.box.left, label.box.top) for label in labels),
        *((label.box.right, label.box.bottom) for label in labels),
    ]
    return Box(
        min(x for x, _ in corners),
        min(y for _, y in corners),
        max(x for x, _ in corners),
        max(y for _, y in corners),
    )


@dataclass(frozen=True)
class _Trial:
    trouble: int
    places: list[Point]
    labels: list[Label]
    tracks: list[Track]


def _bend(group: list[_Route], first: str) -> float | None:
    """Return how far somebody has bent a bundle, on the way from its first city."""
    for route in group:
        if route.bend is not None:
            # On a sheet y goes down: what bows to the left here is bent by a positive number.
            return (route.bend if route.a == first else -route.bend) / 100
    return None


def _trial(
    cities: Sequence[_City],
    anchors: list[Point],
    bundles: list[ParallelRoutes],
    map_box: Box,
    kink: float,
) -> _Trial:
    """Return places, names and tracks, and how much of them touches what it should not."""
    fixed = {number for number, city in enumerate(cities) if city.fixed}
    places = _roomy(anchors, bundles, map_box, kink, fixed)
    bends = Bends(bundles, places, map_box.grown(-3), kink)
    names, sides = [city.name for city in cities], [city.side for city in cities]
    plates = Plates(names, places, map_box.grown(-4), sides)
    # Names find room beside the routes, then routes beside the names, and so on.
    boxes: list[Box] = []
    trials = []
    for _ in range(_ATTEMPTS):
        bent = bends.settle(boxes)
        tracks = bends.lay(bent, boxes)
        for _ in range(2):
            labels = plates.settle(_discs(tracks))
            boxes = [label.box for label in labels]
            tracks = bends.lay(bent, boxes)
            trouble = touching(tracks, _APART) + sum(hidden(track, boxes) for track in tracks)
            trials.append(_Trial(trouble, places, labels, tracks))
        if not trials[-1].trouble:
            break
    return min(trials, key=lambda trial: trial.trouble)


def _discs(tracks: list[Track]) -> list[Disc]:
    return [
        disc for track in tracks for row in track.rows for space in row for disc in space.discs()
    ]


def _roomy(
    anchors: list[Point],
    bundles: list[ParallelRoutes],
    map_box: Box,
    kink: float,
    fixed: Collection[int],
) -> list[Point]:
    """Return places at which, if possible, every row has room for spaces of the same size.

    How much of a line its neighbours at a city take is known only when all are bent; rows that
    come out short ask for more room, and the cities are arranged again.
    """
    frame = map_box.grown(-2.2 * sizes.CITY)
    links = _links(bundles, len(anchors))
    tried = []
    for _ in range(_ARRANGED):
        places = arranged(anchors, links, frame, fixed)
        bends = Bends(bundles, places, map_box.grown(-3), kink)
        short = bends.shortage(bends.settle())
        tried.append((sum(each * each for each in short), places))
        if not any(short):
            break
        links = [
            replace(link, room=link.room + 0.8 * each)
            for link, each in zip(links, short, strict=True)
        ]
    return min(tried, key=lambda attempt: attempt[0])[1]


def _links(bundles: list[ParallelRoutes], cities: int) -> list[Spacing]:
    """Return the room that bundles need: the more meet at a city, the more space around it."""
    around = [0.0] * cities
    for bundle in bundles:
        for city in (bundle.a, bundle.b):
            around[city] += 2 * bundle.half_width + 4
    radius = [max(sizes.CITY + sizes.CITY_CLEAR, each / (2 * pi)) for each in around]
    return [
        Spacing(
            bundle.a,
            bundle.b,
            bundle.row + radius[bundle.a] + radius[bundle.b],
            bundle.half_width + sizes.CITY + 5,
        )
        for bundle in bundles
    ]


def _by_route(
    groups: list[list[_Route]], tracks: list[Track]
) -> tuple[dict[str, tuple[Space, ...]], dict[str, tuple[Point, ...]]]:
    spaces: dict[str, tuple[Space, ...]] = {}
    lines: dict[str, tuple[Point, ...]] = {}
    for group, track in zip(groups, tracks, strict=True):
        for route, row in zip(group, track.rows, strict=True):
            spaces[route.id] = row
            lines[route.id] = track.line
    return spaces, lines


def _fitting_sheet(cities: tuple[_City, ...], routes: tuple[_Route, ...]) -> _Sheet:
    """Return a sheet on which the spaces have about the room they need.

    Its width is the usual one for boards about as full as the printed ones; a sparse board
    gets a smaller sheet, on which everything looks larger, and an overfull one a larger.
    """
    sheet = _sheet(cities, sizes.SHEET)
    places = {city.id: sheet.place(sheet.projection.near(city.lon), city.lat) for city in cities}
    ratios = sorted(
        chord / (it.length * (sizes.SPACE_IDEAL + sizes.SPACE_GAP) + 4 * sizes.CITY)
        for it in routes
        if (chord := dist(places[it.a], places[it.b])) > 1
    )
    if not ratios:
        return sheet
    tight = ratios[len(ratios) // 10]
    factor = min(1.0, _LOOSE / tight) if tight > _TIGHT else min(1.5, _TIGHT / tight)
    return _sheet(cities, round(sizes.SHEET * max(0.45, factor)))


def _sheet(cities: tuple[_City, ...], width: float) -> _Sheet:
    projection = Projection.fitted([(city.lon, city.lat) for city in cities])
    placed = [projection.place(projection.near(city.lon), city.lat) for city in cities]
    left, right = min(x for x, _ in placed), max(x for x, _ in placed)
    top, bottom = min(y for _, y in placed), max(y for _, y in placed)
    spare_x, spare_y = (2 * (sizes.BORDER + indent) for indent in sizes.INDENT)
    highest = width * sizes.SHAPE[1]
    scale = min(
        (width - spare_x) / max(right - left, 0.02),
        (highest - spare_y) / max(bottom - top, 0.02),
    )
    height = max(width * sizes.SHAPE[0], (bottom - top) * scale + spare_y)
    return _Sheet(
        projection,
        scale,
        width / 2 - (left + right) / 2 * scale,
        height / 2 - (top + bottom) / 2 * scale,
        Box(0.0, 0.0, width, round(height, 1)),
    )


def _window(sheet: _Sheet, box: Box) -> Box:
    """Return the degrees that the box shows (top is the southern limit)."""
    edge = [
        sheet.degrees(box.left + box.width * u, box.top + box.height * v)
        for step in range(25)
        for u, v in ((step / 24, 0.0), (step / 24, 1.0), (0.0, step / 24), (1.0, step / 24))
    ]
    middle = sheet.projection.meridian
    return Box(
        max(middle - 180, min(lon for lon, _ in edge)),
        max(-90.0, min(lat for _, lat in edge)),
        min(middle + 180, max(lon for lon, _ in edge)),
        min(90.0, max(lat for _, lat in edge)),
    )


def _ground(
    sheet: _Sheet, drift: Drift, map_box: Box
) -> tuple[list[list[Point]], list[list[Point]]]:
    window = _window(sheet, map_box.grown(70))

    def place(lon: float, lat: float) -> Point:
        return drift.moved(*sheet.place(lon, lat))

    earth = world()
    frame = map_box.grown(30)
    return (
        visible(earth.land, window, place, frame, detail=1.5),
        visible(earth.lakes, window, place, frame, detail=1.5),
    )


def _graticule(sheet: _Sheet, map_box: Box) -> list[list[Point]]:
    window = _window(sheet, map_box)
    span = max(window.width, window.height)
    step = next((each for each in (1, 2, 5, 10, 15) if span / each <= 14), 30)
    fine = [part / 12 for part in range(13)]
    meridians = [
        [sheet.place(lon * step, window.top + window.height * part) for part in fine]
        for lon in range(ceil(window.left / step), floor(window.right / step) + 1)
    ]
    parallels = [
        [sheet.place(window.left + window.width * part, lat * step) for part in fine]
        for lat in range(ceil(window.top / step), floor(window.bottom / step) + 1)
    ]
    return meridians + parallels
