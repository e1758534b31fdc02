"""A board with its layout as an SVG document."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, dist, sin
from typing import NamedTuple
from zlib import crc32

from ferrovia.drawing import sizes, style
from ferrovia.drawing.clip import STRIP, Clip, Strip, appearing, strip_parts
from ferrovia.drawing.markup import short as _n
from ferrovia.drawing.markup import text as _text
from ferrovia.drawing.sheet.labels import text_width
from ferrovia.drawing.sheet.layout import Layout
from ferrovia.drawing.sheet.shapes import Box, Point
from ferrovia.drawing.sheet.tracks import Space
from ferrovia.drawing.subject import DrawnBoard, DrawnRoute
from ferrovia.drawing.symbols import CARRIAGE, CARRIAGE_LENGTH, LOCOMOTIVE, ROOF, STATION, SYMBOLS


@dataclass(frozen=True)
class Players:
    """Who owns what: routes and stations by the number of their owner, and the owners' colours."""

    owners: Mapping[str, int]
    stations: Mapping[str, int]
    colors: Sequence[str]

    def look(self, owner: int) -> style.PlayerStyle:
        return style.PLAYERS[self.colors[owner]]

    def name(self, owner: int) -> str:
        return f"player {owner + 1} ({self.colors[owner]})"


class Tint(NamedTuple):
    """A colour (CSS) for a route, and a few words on what it means."""

    color: str
    note: str


def write(
    board: DrawnBoard,
    layout: Layout,
    players: Players,
    *,
    highlight: Collection[str],
    tints: Mapping[str, Tint],
    width: int,
    title: str | None,
    clip: Clip | None = None,
    strip: Strip | None = None,
) -> str:
    """Return the whole document, one element per line."""
    scope = f"f{crc32(board.id.encode(errors='replace')):08x}"
    tall = layout.sheet.height + (0 if strip is None else STRIP)
    height = round(width * tall / layout.sheet.width)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {_n(layout.sheet.width)} {_n(tall)}" role="img" '
        f'aria-labelledby="{scope}-title" font-family="{style.FONT}">',
        f'<title id="{scope}-title">{_text(title or board.id)}</title>',
        *_definitions(scope, board, layout),
        *_ground(scope, layout),
        f'<g clip-path="url(#{scope}-map)">',
        *_leaders(layout),
        *_routes(scope, board, layout, players, highlight, tints),
        *(_appearing_routes(scope, board, layout, players, clip) if clip else []),
        "</g>",
        *_cities(scope, board, layout, players, highlight),
        *(_appearing_stations(board, layout, players, clip) if clip else []),
        *_frame(layout),
        *(_heading(title, layout) if title else []),
        *(strip_parts(strip, layout.sheet, players.colors, clip) if strip else []),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def path_data(lines: Iterable[Sequence[Point]], close: bool = False) -> str:
    """Return path data in whole tenths, relative, which is the shortest to write."""
    parts = []
    for line in lines:
        px = py = 0
        for number, (x, y) in enumerate(line):
            dx, dy = round(x * 10) - px, round(y * 10) - py
            if dx or dy or not number:
                lead = "M" if not number else "l"
                parts.append(f"{lead}{_n(dx / 10)},{_n(dy / 10)}")
            px, py = px + dx, py + dy
        if close:
            parts.append("z")
    return "".join(parts)


def _definitions(scope: str, board: DrawnBoard, layout: Layout) -> list[str]:
    box = layout.map
    symbols = [
        f'<path id="{scope}-{look.symbol}" fill-rule="evenodd" fill="{look.mark}" '
        f'd="{SYMBOLS[look.symbol]}"/>'
        for look in style.routes(board.id).values()
        if look.symbol
    ]
    return [
        "<defs>",
        f'<clipPath id="{scope}-map">{_rect(box)}</clipPath>',
        f'<path id="{scope}-land" fill-rule="evenodd" d="{path_data(layout.land, close=True)}"/>',
        f'<path id="{scope}-lakes" d="{path_data(layout.lakes, close=True)}"/>',
        *symbols,
        f'<path id="{scope}-locomotive" fill-rule="evenodd" d="{LOCOMOTIVE}"/>',
        f'<path id="{scope}-carriage" d="{CARRIAGE}"/>',
        f'<path id="{scope}-roof" fill="none" stroke-linecap="round" d="{ROOF}"/>',
        "</defs>",
    ]


def _rect(box: Box, extra: str = "") -> str:
    return (
        f'<rect x="{_n(box.left)}" y="{_n(box.top)}" width="{_n(box.width)}" '
        f'height="{_n(box.height)}"{extra}/>'
    )


def _ground(scope: str, layout: Layout) -> list[str]:
    """Return the sea with waterlines that follow the coast, land, lakes and the graticule."""
    parts = [
        f'<g clip-path="url(#{scope}-map)" stroke-linejoin="round">',
        _rect(layout.map, f' fill="{style.SEA}"'),
    ]
    for wide, strength in ((22, 0.3), (14, 0.45), (7, 0.6)):
        land = f'<use href="#{scope}-land" fill="none" stroke'
        parts.append(
            f'{land}="{style.WATERLINE}" stroke-width="{wide}" stroke-opacity="{strength}"/>'
        )
        parts.append(f'{land}="{style.SEA}" stroke-width="{_n(wide - 1.5)}"/>')
    edge = f'stroke="{style.COAST}" stroke-width="1"'
    parts += [
        f'<use href="#{scope}-land" fill="{style.LAND}" {edge}/>',
        f'<use href="#{scope}-lakes" fill="{style.SEA}" {edge}/>',
        f'<path fill="none" stroke="{style.GRATICULE}" stroke-width="0.6" '
        f'stroke-opacity="0.45" d="{path_data(layout.graticule)}"/>',
        "</g>",
    ]
    return parts


def _routes(
    scope: str,
    board: DrawnBoard,
    layout: Layout,
    players: Players,
    highlight: Collection[str],
    tints: Mapping[str, Tint],
) -> list[str]:
    """Return all routes, free ones first, so that carriages are in front of everything."""
    names = {city.id: city.name for city in board.cities}
    looks = style.routes(board.id)
    lines = dict.fromkeys((layout.lines[route.id], route.ferry > 0) for route in board.routes)
    parts = []
    for ferry in (False, True):
        look = (
            f'stroke="{style.CROSSING}" stroke-width="1.4" stroke-dasharray="2 3"'
            if ferry
            else f'stroke="{style.TRACK}" stroke-width="1.4"'
        )
        data = path_data(line for line, wet in lines if wet is ferry)
        parts.append(f'<path fill="none" {look} d="{data}"/>')
    for claimed in (False, True):
        for route in board.routes:
            owner = players.owners.get(route.id)
            if (owner is not None) is not claimed:
                continue
            row = layout.spaces[route.id]
            tint = tints.get(route.id) if owner is None else None
            state = "free" if owner is None else players.name(owner)
            state = state if tint is None else tint.note
            parts.append(
                f'<g class="route" data-route="{_text(route.id)}"'
                + (f' data-owner="{owner}"' if owner is not None else "")
                + f"><title>{_text(_description(route, names))}, {state}</title>"
            )
            if route.id in highlight:
                parts += _band(row)
            if owner is not None:
                parts += _trains(scope, row, players.look(owner), owner)
            else:
                for number, space in enumerate(row):
                    if tint is not None:
                        parts.append(_tinted(route, space, tint))
                    else:
                        parts += _space(scope, route, number, space, looks[route.color])
            parts.append("</g>")
    return parts


def _trains(scope: str, row: Sequence[Space], look: style.PlayerStyle, owner: int) -> list[str]:
    """Return the trains of a claimed route."""
    carriages = [part for space in row for part in _carriage(scope, space, look, owner)]
    return [_shadow(row), *carriages]


def _appearing_routes(
    scope: str, board: DrawnBoard, layout: Layout, players: Players, clip: Clip
) -> list[str]:
    """Return the trains that appear in a clip, over the free routes."""
    parts = []
    for route in board.routes:
        appears = clip.routes.get(route.id)
        if appears is not None:
            trains = _trains(
                scope, layout.spaces[route.id], players.look(appears.owner), appears.owner
            )
            head = f'<g class="route" data-route="{_text(route.id)}" opacity="0">'
            parts += [head, appearing(appears.at, clip.seconds), *trains, "</g>"]
    return parts


def _appearing_stations(
    board: DrawnBoard, layout: Layout, players: Players, clip: Clip
) -> list[str]:
    parts = []
    for city in board.cities:
        appears = clip.stations.get(city.id)
        if appears is not None:
            station = _station(*layout.cities[city.id], players.look(appears.owner), appears.owner)
            parts += ['<g opacity="0">', appearing(appears.at, clip.seconds), *station, "</g>"]
    return parts


def _description(route: DrawnRoute, names: Mapping[str, str]) -> str:
    words = [f"{route.id}: {names[route.a]} – {names[route.b]}", f"length {route.length}"]
    words.append(route.color)
    if route.tunnel:
        words.append("tunnel")
    if route.ferry:
        words.append(f"ferry with {route.ferry} locomotive{'s' if route.ferry > 1 else ''}")
    return ", ".join(words)


def _band(row: Sequence[Space]) -> list[str]:
    """Return the strip behind a highlighted route."""
    data = path_data([_ends(row)])
    wide = sizes.SPACE_DEPTH
    stroke = f'<path class="highlight" fill="none" stroke-linecap="round" d="{data}" stroke'
    return [
        f'{stroke}="{style.INK}" stroke-width="{_n(wide + 11)}"/>',
        f'{stroke}="{style.HIGHLIGHT}" stroke-width="{_n(wide + 8)}"/>',
    ]


def _ends(row: Sequence[Space]) -> list[Point]:
    """Return the line through a row, from near its first edge to near its last: round caps fit."""
    first, last = row[0], row[-1]
    half = (first.length - sizes.SPACE_DEPTH) / 2
    return [
        (first.x - cos(first.angle) * half, first.y - sin(first.angle) * half),
        *((space.x, space.y) for space in row),
        (last.x + cos(last.angle) * half, last.y + sin(last.angle) * half),
    ]


def _bar(space: Space, grow: float, radius: float, extra: str) -> str:
    """Return the rounded bar of a space, in the coordinates of the sheet."""
    along, across = space.length + 2 * grow, sizes.SPACE_DEPTH + 2 * grow
    return (
        f'<rect x="{_n(-along / 2)}" y="{_n(-across / 2)}" width="{_n(along)}" '
        f'height="{_n(across)}" rx="{_n(radius)}" {_turned(space)} {extra}/>'
    )


def _turned(space: Space) -> str:
    """Return the transform to the place and direction of a space, never upside down."""
    angle = (space.degrees + 90) % 180 - 90
    return f'transform="translate({_n(space.x)} {_n(space.y)})rotate({_n(angle)})"'


def _space(
    scope: str, route: DrawnRoute, number: int, space: Space, look: style.RouteStyle
) -> list[str]:
    """Return a free space: printed on the paper, flat and quiet."""
    fill = style.FERRY_FILL if route.ferry and route.color == "gray" else look.fill
    edge = style.CROSSING if route.ferry else look.edge
    if route.tunnel:
        parts = [
            _bar(space, 0.6, 4, f'class="space" fill="{style.TUNNEL}" stroke="{style.PORTAL}"'),
            _bar(space, -1.5, 2, f'fill="{fill}" stroke="{edge}" stroke-width="0.7"'),
        ]
    else:
        line = f'class="space" fill="{fill}" stroke="{edge}" stroke-width="0.8"'
        parts = [_bar(space, -0.4, 3.4, line)]
    if number in ferry_spaces(route):
        parts.append(
            f'<use href="#{scope}-locomotive" class="locomotive" fill="{style.PORTAL}" '
            f"{_turned(space)}/>"
        )
    elif look.symbol:
        parts.append(f'<use href="#{scope}-{look.symbol}" x="{_n(space.x)}" y="{_n(space.y)}"/>')
    return parts


def _tinted(route: DrawnRoute, space: Space, tint: Tint) -> str:
    edge = style.CROSSING if route.ferry else style.INK
    look = f'fill="{_text(tint.color)}" stroke="{edge}" stroke-width="0.7"'
    return _bar(space, 1, 3.5, f'class="space" {look}')


def ferry_spaces(route: DrawnRoute) -> range:
    """Return the numbers of the spaces of a ferry that show a locomotive."""
    first = (route.length - route.ferry) // 2
    return range(first, first + route.ferry)


def _shadow(row: Sequence[Space]) -> str:
    """Return the shadow that the trains of a route throw on the paper."""
    data = path_data([[(x + 1, y + 2.6) for x, y in _ends(row)]])
    return (
        f'<path class="shadow" fill="none" stroke="{style.TRAIN_SHADOW}" stroke-opacity="0.32" '
        f'stroke-width="16" stroke-linecap="round" d="{data}"/>'
    )


def _carriage(scope: str, space: Space, look: style.PlayerStyle, owner: int) -> list[str]:
    """Return a train: larger than its space, outlined, with its owner's mark."""
    stretch = space.length / CARRIAGE_LENGTH
    place = _turned(space)
    if _n(stretch) != "1":
        place = place[:-1] + f'scale({stretch:.3f} 1)"'
    body = f'<use href="#{scope}-carriage" {place}'
    return [
        f'{body} fill="none" stroke="{style.TRAIN_EDGE}" stroke-width="4.2"/>',
        f'{body} class="carriage" fill="{look.fill}" stroke="{style.TRAIN_LINE}" '
        'stroke-width="1.7"/>',
        f'<use href="#{scope}-roof" {place} stroke="{look.ink}" stroke-width="0.8" '
        'stroke-opacity="0.55"/>',
        _mark(space.x, space.y, look.ink, owner, 11),
    ]


def _mark(x: float, y: float, ink: str, owner: int, size: float) -> str:
    return (
        f'<text class="mark" x="{_n(x)}" y="{_n(y + size * 0.36)}" font-size="{_n(size)}" '
        f'font-weight="700" text-anchor="middle" fill="{ink}">{owner + 1}</text>'
    )


def _leaders(layout: Layout) -> list[str]:
    """Return thin lines from cities to plates that do not stand right beside them."""
    lines = []
    for city, label in layout.labels.items():
        if (end := leader(layout.cities[city], label.box)) is not None:
            lines.append([layout.cities[city], end])
    return [f'<path fill="none" stroke="{style.INK}" stroke-width="0.9" d="{path_data(lines)}"/>']


def leader(place: Point, box: Box) -> Point | None:
    """Return where the line from a city to its plate ends; None where the plate is beside it."""
    x, y = place
    end = min(max(x, box.left + 4), box.right - 4), min(max(y, box.top + 4), box.bottom - 4)
    return end if dist(place, end) > sizes.LEADER else None


def _cities(
    scope: str, board: DrawnBoard, layout: Layout, players: Players, highlight: Collection[str]
) -> list[str]:
    parts = []
    for city in board.cities:
        x, y = layout.cities[city.id]
        label = layout.labels[city.id]
        owner = players.stations.get(city.id)
        built = "" if owner is None else f", station of {players.name(owner)}"
        fill = style.HIGHLIGHT if city.id in highlight else style.PLATE
        parts += [
            f'<g class="city" data-city="{_text(city.id)}">'
            f"<title>{_text(city.name)}{built}</title>",
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(sizes.CITY)}" fill="{fill}" '
            f'stroke="{style.INK}" stroke-width="2"/>',
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="2.6" fill="{style.INK}"/>',
            _rect(label.box, f' rx="3" fill="{fill}" stroke="{style.INK}" stroke-width="0.9"'),
            _name(label.text, label.box),
        ]
        if owner is not None:
            parts += _station(x, y, players.look(owner), owner)
        parts.append("</g>")
    return parts


def _station(x: float, y: float, look: style.PlayerStyle, owner: int) -> list[str]:
    return [
        f'<path class="station" data-owner="{owner}" fill="{look.fill}" '
        f'stroke="{style.TRAIN_LINE}" stroke-width="1.6" '
        f'transform="translate({_n(x)} {_n(y)})" d="{STATION}"/>',
        _mark(x, y + 2, look.ink, owner, 12),
    ]


def _name(text: str, box: Box, size: float = sizes.LETTER, weight: int = 600) -> str:
    """Return text fitted to its plate, whatever font the viewer has."""
    x, y = box.center
    return (
        f'<text x="{_n(x)}" y="{_n(y + size * 0.35)}" font-size="{_n(size)}" '
        f'font-weight="{weight}" text-anchor="middle" fill="{style.INK}" '
        f'textLength="{_n(box.width - 2 * sizes.PLATE_PADDING)}" '
        f'lengthAdjust="spacingAndGlyphs">{_text(text)}</text>'
    )


def _frame(layout: Layout) -> list[str]:
    outer, inner = layout.sheet, layout.map
    data = (
        f"M0 0H{_n(outer.right)}V{_n(outer.bottom)}H0Z"
        f"M{_n(inner.left)} {_n(inner.top)}V{_n(inner.bottom)}H{_n(inner.right)}"
        f"V{_n(inner.top)}Z"
    )
    line = f' fill="none" stroke="{style.INK}" stroke-width='
    return [
        f'<path fill="{style.FRAME}" d="{data}"/>',
        _rect(inner, f'{line}"1.8"'),
        _rect(inner.grown(5), f'{line}"0.8"'),
    ]


def _heading(title: str, layout: Layout) -> list[str]:
    """Return the title on a plate in the emptiest corner of the map."""
    size = 22.0
    wide = min(text_width(title) * size / sizes.LETTER + 28, layout.map.width - 30)
    tall = 38.0
    taken = [label.box for label in layout.labels.values()]
    taken += [
        Box(space.x - 14, space.y - 14, space.x + 14, space.y + 14)
        for row in layout.spaces.values()
        for space in row
    ]
    inner = layout.map.grown(-12)
    corners = [
        Box(left, top, left + wide, top + tall)
        for top in (inner.bottom - tall, inner.top)
        for left in (inner.left, inner.right - wide)
    ]
    box = min(corners, key=lambda corner: sum(map(corner.overlap, taken)))
    text_box = Box(box.left + 9, box.top, box.right - 9, box.bottom)
    return [
        _rect(box, f' rx="4" fill="{style.PLATE}" stroke="{style.INK}" stroke-width="1.4"'),
        _rect(box.grown(-3), f' rx="2" fill="none" stroke="{style.INK}" stroke-width="0.6"'),
        _name(title, text_box, size, 700),
    ]
