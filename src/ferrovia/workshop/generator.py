"""Making a board of a region: cities, routes, colours and tickets, from a seed.

The measures of the printed boards are what it aims at: about two pairs of neighbours for a city,
a quarter of them double, the same spaces in every colour, two fifths of the routes grey, and no
single route whose loss cuts the map, as far as the region allows.
"""

import random
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from math import cos, hypot, radians
from typing import Any, Final, Literal, NamedTuple

from ferrovia.boards.catalog import edition_from_document
from ferrovia.boards.edition import Edition
from ferrovia.boards.model import COLORS, GRAY, Board, City, Route
from ferrovia.boards.reading.problems import refusal
from ferrovia.boards.ways import shortest_way
from ferrovia.drawing.sheet.geography import Ring, world
from ferrovia.workshop.network import Pair, pair_of
from ferrovia.workshop.regions import Place, places_in
from ferrovia.workshop.ticket_search import search_tickets

Size = Literal["small", "medium", "large"]


class _Numbers(NamedTuple):
    cities: int
    seats: tuple[int, int]
    trains: int


SIZES: Final[dict[Size, _Numbers]] = {
    "small": _Numbers(16, (2, 3), 20),
    "medium": _Numbers(26, (2, 4), 32),
    "large": _Numbers(40, (2, 5), 45),
}
_FEWEST = 8  # cities
_PAIRS = 2.05  # for a city
_DOUBLES = 0.24  # of the pairs
_GRAYS = 0.42  # of the routes
_TUNNELS = 0.12  # of the grey pairs on land
_AT_SEA = 0.35  # of a line: then it is a ferry
_LONGEST = 6
_SPACES = 1.35  # for each train of the largest table
_FURTHEST = 3.0  # times the usual length, for a line that keeps the map whole
_TOGETHER = 2.4  # times the usual distance: what lies further off is another land

_Point = tuple[float, float]


def make_board(region: str, size: Size = "medium", seed: int = 1, name: str = "") -> Edition:
    """Return the edition of a new board; the same arguments give the same board.

    Raises `BoardError` for a region that does not exist or has too few cities.
    """
    places = places_in(region)
    numbers = SIZES[size]
    chance = random.Random(f"board {region.lower()} {size} {seed}")
    cities = _cities(places, numbers.cities, chance)
    if len(cities) < _FEWEST:
        message = f"'{region}' has too few cities for a board: {len(cities)}"
        raise refusal(message, "take a larger region, or several with + between them")
    points = _flat(cities)
    lines = _mended(_lines(points), points)
    routes = _routes(cities, points, lines, numbers, chance)
    word = _slug(name or f"{region}-{size}-{seed}").replace("_", "-")[:60] or "board"
    title = (name or region.replace("-", " ").title())[:60]
    bare = Board(word, tuple(_named(cities)), tuple(routes), ())
    spaces = sum(route.length for route in routes)
    trains = max(12, min(numbers.trains, round(spaces / (_SPACES * numbers.seats[1]))))
    tickets = search_tickets(bare, trains, seed)
    document: dict[str, Any] = {
        **Board(word, bare.cities, bare.routes, tickets).document(),
        "edition": {"name": title, "seats": list(numbers.seats), "trains": trains},
    }
    return edition_from_document(document, name=word)


# Cities


def _cities(places: Sequence[Place], wanted: int, chance: random.Random) -> list[Place]:
    """Return large cities that are not too near to each other, and belong together."""
    together = _together(places[: 12 * wanted])
    if not together:
        return []
    weighed = sorted(
        together, key=lambda place: -(place.people**0.6) * (0.75 + 0.5 * chance.random())
    )
    points = dict(zip(weighed, _flat(weighed), strict=True))
    width = max(x for x, _ in points.values()) - min(x for x, _ in points.values())
    height = max(y for _, y in points.values()) - min(y for _, y in points.values())
    apart = 0.9 * ((width * height or 1e-9) / wanted) ** 0.5
    chosen: list[Place] = []
    while len(chosen) < min(wanted, len(weighed)) and apart > 1e-6:
        chosen = []
        for place in weighed:
            if len(chosen) < wanted and all(
                _distance(points[place], points[other]) >= apart for other in chosen
            ):
                chosen.append(place)
        apart *= 0.93
    return chosen


def _together(places: Sequence[Place]) -> list[Place]:
    """Return the cities of the land with most people, without islands that lie far off."""
    if len(places) < 2:
        return list(places)
    points = _flat(places)
    nearest = sorted(
        min(_distance(one, other) for other in points if other is not one) for one in points
    )
    reach = max(_TOGETHER * nearest[len(nearest) * 9 // 10], 1.2)
    groups: list[set[int]] = []
    for number, point in enumerate(points):
        near = [
            group for group in groups if any(_distance(point, points[i]) <= reach for i in group)
        ]
        groups = [group for group in groups if group not in near]
        groups.append({number}.union(*near))
    best = max(groups, key=lambda group: sum(places[i].people for i in group))
    return [place for number, place in enumerate(places) if number in best]


def _flat(places: Sequence[Place]) -> list[_Point]:
    """Return where the cities lie on a plane, in degrees of latitude."""
    shrink = cos(radians(sum(place.lat for place in places) / len(places)))
    middle = sorted(place.lon for place in places)[len(places) // 2]
    return [(((place.lon - middle + 180) % 360 - 180) * shrink, -place.lat) for place in places]


def _named(cities: Sequence[Place]) -> Iterable[City]:
    taken: set[str] = set()
    for place in cities:
        id = _slug(place.name) or "city"
        while id in taken:
            id += "_2"
        taken.add(id)
        yield City(id, place.name[:60], place.lat, place.lon)


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "_".join("".join(c if c.isalnum() else " " for c in plain).split())


# Lines

_Line = tuple[int, int]


def _distance(a: _Point, b: _Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def _lines(points: Sequence[_Point]) -> list[_Line]:
    """Return lines between neighbours that do not cross: all that have no city beside them (a
    Gabriel graph), the longest of too many left out where the map stays whole without them.
    """
    found: list[_Line] = []
    for a, b in combinations(range(len(points)), 2):
        middle = ((points[a][0] + points[b][0]) / 2, (points[a][1] + points[b][1]) / 2)
        reach = _distance(points[a], points[b]) / 2
        if all(
            _distance(middle, points[c]) >= reach * 0.999
            for c in range(len(points))
            if c not in (a, b)
        ):
            found.append((a, b))
    by_length = sorted(found, key=lambda line: -_distance(points[line[0]], points[line[1]]))
    most = round(_PAIRS * len(points))
    for line in by_length:
        if len(found) <= most:
            break
        rest = [other for other in found if other != line]
        if _whole(rest, len(points)) and min(_degrees(rest, len(points))) >= 2:
            found = rest
    return found


def _degrees(lines: Iterable[_Line], count: int) -> list[int]:
    degrees = [0] * count
    for a, b in lines:
        degrees[a] += 1
        degrees[b] += 1
    return degrees


def _whole(lines: Iterable[_Line], count: int) -> bool:
    near = defaultdict(list)
    for a, b in lines:
        near[a].append(b)
        near[b].append(a)
    seen, queue = {0}, [0]
    while queue:
        for other in near[queue.pop()]:
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return len(seen) == count


def _mended(lines: Sequence[_Line], points: Sequence[_Point]) -> list[_Line]:
    """Return the lines, and where the map would fall apart without one of them, another beside it:
    the shortest one that crosses nothing and is not too long.
    """
    found = list(lines)
    usual = sorted(_distance(points[a], points[b]) for a, b in found)[len(found) // 2]
    for line in lines:
        side = _side(line, found)
        if line[1] in side:
            continue
        across = sorted(
            (_distance(points[a], points[b]), (min(a, b), max(a, b)))
            for a in side
            for b in range(len(points))
            if b not in side and (min(a, b), max(a, b)) != line
        )
        for length, new in across:
            if length > _FURTHEST * usual:
                break
            if _fits(new, found, points):
                found.append(new)
                break
    return sorted(found)


def _side(line: _Line, lines: Iterable[_Line]) -> set[int]:
    """Return the cities that can be reached from the first end of a line without it."""
    near = defaultdict(list)
    for a, b in lines:
        if (a, b) != line:
            near[a].append(b)
            near[b].append(a)
    seen, queue = {line[0]}, [line[0]]
    while queue:
        for other in near[queue.pop()]:
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return seen


def _fits(new: _Line, lines: Iterable[_Line], points: Sequence[_Point]) -> bool:
    """Return whether a new line crosses no other one, and runs past no city too narrowly."""
    a, b = points[new[0]], points[new[1]]
    clear = 0.16 * _distance(a, b)
    if any(_beside(point, a, b) < clear for n, point in enumerate(points) if n not in new):
        return False
    return not any(_cross(a, b, points[c], points[d]) for c, d in lines if not {c, d} & set(new))


def _beside(point: _Point, a: _Point, b: _Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    part = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / ((dx * dx + dy * dy) or 1e-12)
    part = max(0.0, min(1.0, part))
    return _distance(point, (a[0] + part * dx, a[1] + part * dy))


def _cross(a: _Point, b: _Point, c: _Point, d: _Point) -> bool:
    def left(p: _Point, q: _Point, r: _Point) -> bool:
        return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])

    return left(a, b, c) != left(a, b, d) and left(c, d, a) != left(c, d, b)


# Routes


def _routes(
    cities: Sequence[Place],
    points: Sequence[_Point],
    lines: Sequence[_Line],
    numbers: _Numbers,
    chance: random.Random,
) -> list[Route]:
    ids = [city.id for city in _named(cities)]
    long = sorted(_distance(points[a], points[b]) for a, b in lines)
    unit = long[len(long) // 2] / 2.8
    lengths = {
        line: max(1, min(_LONGEST, round(_distance(points[line[0]], points[line[1]]) / unit)))
        for line in lines
    }
    at_sea = {line for line in lines if _sea(cities[line[0]], cities[line[1]]) > _AT_SEA}
    plain = [Route(f"{ids[a]}-{ids[b]}", ids[a], ids[b], lengths[a, b], GRAY) for a, b in lines]
    loads = _through(plain)
    double = sorted(
        (line for line in lines if line not in at_sea and lengths[line] <= 4),
        key=lambda line: -loads[pair_of(ids[line[0]], ids[line[1]])],
    )[: round(_DOUBLES * len(lines))]
    rows = [(line, False) for line in lines] + [(line, True) for line in double]
    colored = _colored(rows, lengths, at_sea, chance)
    routes = []
    gray_land = [line for line in lines if (line, False) not in colored and line not in at_sea]
    tunnels = set(chance.sample(gray_land, round(_TUNNELS * len(gray_land)))) - set(double)
    for line, second in rows:
        a, b = line
        routes.append(
            Route(
                id=f"{ids[a]}-{ids[b]}" + ("-2" if second else ""),
                a=ids[a],
                b=ids[b],
                length=lengths[line],
                color=colored.get((line, second), GRAY),
                ferry=(1 if lengths[line] < 4 else 2) if line in at_sea else 0,
                tunnel=line in tunnels,
            )
        )
    return routes


def _through(routes: Sequence[Route]) -> Counter[Pair]:
    """Return for each pair how many shortest ways between cities lead over it."""
    board = Board("new", (), tuple(routes), ())
    found: Counter[Pair] = Counter()
    cities = sorted({city for route in routes for city in (route.a, route.b)})
    for a, b in combinations(cities, 2):
        way = shortest_way(routes, a, b) or ()
        found.update(pair_of(board.route(id).a, board.route(id).b) for id in way)
    return found


def _colored(
    rows: Sequence[tuple[_Line, bool]],
    lengths: dict[_Line, int],
    at_sea: set[_Line],
    chance: random.Random,
) -> dict[tuple[_Line, bool], str]:
    """Return a colour for about six of ten rows: every colour has as many routes and spaces as
    the others, as nearly as can be, and no two of the same meet where that can be avoided.
    """
    land = [row for row in rows if row[0] not in at_sea]
    colors = COLORS[:-1]
    each = max(1, round((1 - _GRAYS) * len(rows) / len(colors)))
    wanted = min(len(land) // len(colors), each) * len(colors)
    # Doubles first, which look best in two colours.
    doubles = {line for line, second in rows if second}
    order = sorted(land, key=lambda row: (row[0] not in doubles, chance.random()))[:wanted]
    order.sort(key=lambda row: (-lengths[row[0]], chance.random()))
    spaces: Counter[str] = Counter()
    count: Counter[str] = Counter()
    at_city: defaultdict[int, Counter[str]] = defaultdict(Counter)
    found: dict[tuple[_Line, bool], str] = {}
    for line, second in order:
        fewest = min(count[color] for color in colors)
        free = [color for color in colors if count[color] == fewest]
        color = min(
            free,
            key=lambda color: (
                found.get((line, not second)) == color,
                spaces[color] + 2 * sum(at_city[end][color] for end in line),
                colors.index(color),
            ),
        )
        found[line, second] = color
        spaces[color] += lengths[line]
        count[color] += 1
        for end in line:
            at_city[end][color] += 1
    return found


# Sea


def _sea(a: Place, b: Place) -> float:
    """Return how much of the line between two cities lies at sea."""
    steps = [number / 14 for number in range(2, 13)]
    wet = sum(
        not _on_land(a.lon + (b.lon - a.lon) * part, a.lat + (b.lat - a.lat) * part)
        for part in steps
    )
    return wet / len(steps)


@cache
def _on_land(lon: float, lat: float) -> bool:
    return sum(_inside(ring, lon, lat) for ring in world().land) % 2 == 1


def _inside(ring: Ring, lon: float, lat: float) -> bool:
    box = ring.extent
    if not (box.left <= lon <= box.right and box.top <= lat <= box.bottom):
        return False
    inside = False
    points = ring.points
    for (ax, ay), (bx, by) in zip(points[-1:] + points[:-1], points, strict=True):
        if (ay > lat) != (by > lat) and lon < (bx - ax) * (lat - ay) / (by - ay) + ax:
            inside = not inside
    return inside
