"""The picture of a board: complete, legible, safe to embed."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, pairwise
from math import dist, hypot
from operator import mul
from pathlib import Path
from xml.etree import ElementTree

import pytest
from geometry import meet

from ferrovia import Game
from ferrovia.boards import (
    PLAYER_COLORS,
    Board,
    BoardError,
    City,
    Route,
    board,
    edition_from_document,
)
from ferrovia.drawing import draw, picture, png, sizes, stored, style
from ferrovia.drawing.sheet import layout
from ferrovia.drawing.sheet.geography import world
from ferrovia.drawing.sheet.layout import Layout, lay_out
from ferrovia.drawing.sheet.projection import Projection
from ferrovia.drawing.sheet.shapes import Box, Point, clipped
from ferrovia.drawing.sheet.tracks import Space
from ferrovia.drawing.symbols import SYMBOLS
from ferrovia.errors import MissingExtra

pytestmark = pytest.mark.xdist_group("drawing")  # a layout takes long: in one process, it is kept

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = ("usa", "europe")


def own_board(names: Sequence[str] = ("Here", "There", "Yonder"), **route: object) -> Board:
    """A small board around the 180th meridian, with a double."""
    places = ((-17.0, 179.0), (-36.0, 175.0), (-14.0, -171.0))
    cities = tuple(
        City(f"c{number}", name, *place)
        for number, (name, place) in enumerate(zip(names, places, strict=False))
    )
    rows = (
        Route("c0-c1", "c0", "c1", 3, "red"),
        Route("c0-c1-2", "c1", "c0", 3, "blue"),
        Route("c0-c2", "c0", "c2", 2, "gray", ferry=1),
    )
    kept = [row for row in rows if {row.a, row.b} <= {city.id for city in cities}]
    kept[:1] = [replace(row, **route) for row in kept[:1]]  # type: ignore[arg-type]
    return Board("own", cities, tuple(kept), ())


@pytest.fixture(params=BOARDS)
def printed(request: pytest.FixtureRequest) -> Board:
    return board(request.param)


def groups(svg: str, kind: str) -> dict[str, ElementTree.Element]:
    """The groups of a class ('route', 'city'), by id."""
    root = ElementTree.fromstring(svg)
    found = root.iter(f"{SVG}g")
    return {group.attrib[f"data-{kind}"]: group for group in found if group.get("class") == kind}


def count(group: ElementTree.Element, kind: str) -> int:
    return sum(1 for element in group.iter() if element.get("class") == kind)


def corners(box: Box) -> list[Point]:
    return [
        (box.left, box.top),
        (box.right, box.top),
        (box.right, box.bottom),
        (box.left, box.bottom),
    ]


def near(one: Space, other: Space) -> bool:
    return hypot(one.x - other.x, one.y - other.y) < one.length + other.length


def all_spaces(plan: Layout) -> Iterator[tuple[str, Space]]:
    for route, row in plan.spaces.items():
        for space in row:
            yield route, space


# The document


def test_is_well_formed_and_self_contained(printed: Board) -> None:
    svg = draw(printed, title="A game")
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("width") == "1200"
    assert not re.findall(r'(?:href|src)="(?!#)|url\((?!#)|<script|<style', svg)
    targets = set(re.findall(r'(?:href="|url\()#([\w-]+)', svg))
    assert targets <= set(re.findall(r' id="([\w-]+)"', svg))


def test_a_printed_board_is_drawn_without_being_laid_out(
    printed: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture, "_json", picture._json.__wrapped__)
    monkeypatch.setattr(stored, "_layout", stored._layout.__wrapped__)
    monkeypatch.setattr(picture, "lay_out", pytest.fail)
    assert draw(printed) == draw(printed)


def test_same_input_gives_same_text_and_is_laid_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    owners = {own_board().routes[0].id: 1}
    before = draw(own_board(), owners=owners)
    anew = lru_cache(layout._layout.__wrapped__)
    monkeypatch.setattr(layout, "_layout", anew)
    monkeypatch.setattr(picture, "_json", lru_cache(picture._json.__wrapped__))
    assert draw(own_board(), owners=owners) == before
    draw(replace(own_board(), id="the same under another name"))
    assert anew.cache_info().misses == 1


def test_width_scales_the_same_picture(printed: Board) -> None:
    wide, narrow = (ElementTree.fromstring(draw(printed, width=width)) for width in (1200, 700))
    assert narrow.get("width") == "700"
    assert wide.get("viewBox") == narrow.get("viewBox")


# Routes


def test_every_route_has_as_many_spaces_as_its_length(printed: Board) -> None:
    drawn = groups(draw(printed), "route")
    assert {name: count(group, "space") for name, group in drawn.items()} == {
        route.id: route.length for route in printed.routes
    }


def test_spaces_of_a_route_are_equal_and_in_a_row(printed: Board) -> None:
    plan = lay_out(printed)
    for row in plan.spaces.values():
        assert len({round(space.length, 6) for space in row}) == 1
        steps = [hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(row)]
        assert all(step > row[0].length for step in steps)


def test_no_space_overlaps_another(printed: Board) -> None:
    pairs = combinations(all_spaces(lay_out(printed)), 2)
    assert [
        (a, b)
        for (a, one), (b, other) in pairs
        if near(one, other) and meet(one.corners(), other.corners())
    ] == []


def test_no_space_touches_a_city(printed: Board) -> None:
    plan = lay_out(printed)
    for city, (x, y) in plan.cities.items():
        dot = corners(Box(x, y, x, y).grown(sizes.CITY * 0.8))
        for route, space in all_spaces(plan):
            assert not meet(dot, space.corners()), (city, route)


def test_everything_lies_inside_the_frame(printed: Board) -> None:
    plan = lay_out(printed)
    points = [*plan.cities.values()]
    points += [point for _, space in all_spaces(plan) for point in space.corners()]
    for x, y in points:
        assert plan.map.left < x < plan.map.right
        assert plan.map.top < y < plan.map.bottom


def test_every_color_has_a_symbol_of_its_own() -> None:
    symbols = [look.symbol for color, look in style.ROUTES.items() if color != "gray"]
    assert len(symbols) == 8
    assert set(symbols) == set(SYMBOLS)
    assert len(set(SYMBOLS.values())) == 8


@pytest.mark.parametrize("color", [color for color in style.ROUTES if color != "gray"])
def test_free_spaces_show_the_symbol_of_their_color(color: str) -> None:
    group = groups(draw(own_board(color=color)), "route")["c0-c1"]
    used = [element.get("href", "") for element in group.iter(f"{SVG}use")]
    assert [name.partition("-")[2] for name in used] == [style.ROUTES[color].symbol] * 3


def test_ferries_show_their_locomotives(printed: Board) -> None:
    drawn = groups(draw(printed), "route")
    for route in printed.routes:
        assert count(drawn[route.id], "locomotive") == route.ferry


def test_tunnels_have_a_double_outline() -> None:
    plain, tunnel = (
        groups(draw(own_board(tunnel=tunnel)), "route")["c0-c1"] for tunnel in (False, True)
    )
    assert len(list(plain.iter(f"{SVG}rect"))) == 3
    assert len(list(tunnel.iter(f"{SVG}rect"))) == 6


def test_titles_tell_what_one_sees() -> None:
    drawn = groups(draw(board("europe"), owners={"paris-zurich": 2}), "route")
    assert drawn["paris-zurich"].findtext(f"{SVG}title") == (
        "paris-zurich: Paris – Zürich, length 3, gray, tunnel, player 3 (green)"
    )
    assert drawn["palermo-smyrna"].findtext(f"{SVG}title") == (
        "palermo-smyrna: Palermo – Smyrna, length 6, gray, ferry with 2 locomotives, free"
    )


# Players


def test_claimed_routes_carry_the_owners_carriages() -> None:
    svg = draw(own_board(), owners={"c0-c1": 1}, player_colors=("black", "yellow"))
    drawn = groups(svg, "route")
    claimed, free = drawn["c0-c1"], drawn["c0-c1-2"]
    carriages = [element for element in claimed.iter() if element.get("class") == "carriage"]
    assert [carriage.get("fill") for carriage in carriages] == [style.PLAYERS["yellow"].fill] * 3
    assert [mark.text for mark in claimed.iter(f"{SVG}text")] == ["2"] * 3
    assert claimed.get("data-owner") == "1"
    assert count(claimed, "space") == count(free, "carriage") == 0
    assert free.get("data-owner") is None
    assert list(drawn)[-1] == "c0-c1", "carriages are in front of all free spaces"


def test_stations_stand_at_their_city_in_the_owners_color() -> None:
    drawn = groups(draw(own_board(), stations={"c2": 0}), "city")
    [station] = [element for element in drawn["c2"].iter() if element.get("class") == "station"]
    assert station.get("fill") == style.PLAYERS["blue"].fill
    assert drawn["c2"].findtext(f"{SVG}title") == "Yonder, station of player 1 (blue)"
    assert count(drawn["c0"], "station") == 0


def test_highlight_marks_routes_and_cities() -> None:
    svg = draw(own_board(), highlight={"c0-c2", "c1"})
    assert count(groups(svg, "route")["c0-c2"], "highlight") > 0
    assert count(groups(svg, "route")["c0-c1"], "highlight") == 0
    assert style.HIGHLIGHT in ElementTree.tostring(groups(svg, "city")["c1"], "unicode")


@pytest.mark.parametrize("color", PLAYER_COLORS)
def test_marks_are_legible_on_every_player_color(color: str) -> None:
    assert contrast(style.PLAYERS[color].fill, style.PLAYERS[color].ink) >= 4.1


@pytest.mark.parametrize("color", PLAYER_COLORS)
def test_every_player_color_can_be_drawn(color: str) -> None:
    look = style.PLAYERS[color]
    svg = draw(own_board(), owners={"c0-c1": 0}, stations={"c2": 0}, player_colors=(color,))
    carriages = groups(svg, "route")["c0-c1"]
    [station] = [one for one in groups(svg, "city")["c2"].iter() if one.get("class") == "station"]
    fills = {one.get("fill") for one in carriages.iter() if one.get("class") == "carriage"}
    assert fills == {station.get("fill")} == {look.fill}
    assert max(distance(look.fill, style.LAND), distance(style.TRAIN_LINE, style.LAND)) > 14


def test_a_game_of_six_with_the_default_colors_can_be_drawn() -> None:
    document = board("europe").document()
    document["edition"] = {"seats": [2, 6], "deals": [{"regular": 2, "keep_min": 1}]}
    six = edition_from_document(document)
    game = Game(six, 6, seed=1)
    assert game.svg().startswith("<svg")
    owners = {route.id: seat for seat, route in enumerate(six.board.routes[:6])}
    svg = draw(six.board, owners=owners, player_colors=six.player_colors)
    assert style.PLAYERS["white"].fill in svg


def test_player_colors_keep_apart() -> None:
    for one, other in combinations(style.PLAYERS, 2):
        apart = distance(style.PLAYERS[one].fill, style.PLAYERS[other].fill)
        assert apart > 14, (one, other)


@pytest.mark.parametrize("color", [color for color in style.ROUTES if color != "gray"])
def test_symbols_stand_out_from_their_color(color: str) -> None:
    assert contrast(style.ROUTES[color].fill, style.ROUTES[color].mark) >= 3


def linear(color: str) -> list[float]:
    """The red, green and blue of light that a colour (#rrggbb) stands for."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def distance(one: str, other: str) -> float:
    """The distance in OKLab, in hundredths: 2 is just seen, 10 is another colour."""

    def lab(color: str) -> list[float]:
        r, g, b = linear(color)
        cones = (
            (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3),
            (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3),
            (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3),
        )
        rows = (
            (0.2104542553, 0.7936177850, -0.0040720468),
            (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660),
        )
        return [sum(map(mul, row, cones)) for row in rows]

    return 100 * dist(lab(one), lab(other))


def contrast(one: str, other: str) -> float:
    """The contrast of WCAG 2."""

    def light(color: str) -> float:
        return sum(map(mul, (0.2126, 0.7152, 0.0722), linear(color)))

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


# Names


def test_every_name_is_written_in_full(printed: Board) -> None:
    drawn = groups(draw(printed), "city")
    for city in printed.cities:
        assert [text.text for text in drawn[city.id].iter(f"{SVG}text")] == [city.name]


def test_labels_are_inside_the_frame(printed: Board) -> None:
    plan = lay_out(printed)
    assert [city for city, label in plan.labels.items() if not plan.map.holds(label.box)] == []


def test_no_label_overlaps_another(printed: Board) -> None:
    pairs = combinations(lay_out(printed).labels.items(), 2)
    assert [(a, b) for (a, one), (b, other) in pairs if one.box.overlap(other.box)] == []


def test_no_label_covers_a_space_or_a_city(printed: Board) -> None:
    plan = lay_out(printed)
    for name, label in plan.labels.items():
        for route, space in all_spaces(plan):
            assert not meet(corners(label.box), space.corners()), (name, route)
        for city, (x, y) in plan.cities.items():
            assert not label.box.overlap(Box(x, y, x, y).grown(sizes.CITY * 0.8)), (name, city)


def test_labels_stand_by_their_city_or_are_joined_to_it(printed: Board) -> None:
    plan = lay_out(printed)

    def away(box: Box, place: Point) -> float:
        x, y = place
        return hypot(max(box.left - x, x - box.right, 0), max(box.top - y, y - box.bottom, 0))

    for name, place in plan.cities.items():
        own = away(plan.labels[name].box, place)
        assert own < 40
        if own < sizes.LEADER - 4:
            nearest = min(plan.labels, key=lambda city: away(plan.labels[city].box, place))
            assert nearest == name


@pytest.mark.parametrize(
    "name",
    [
        "</text><script>alert(1)</script>",
        '" onload="alert(1)',
        "]]>&amp;<!--",
        "nul\x00 bell\x07 \ud800",
        "",
        "札幌",
        "An unreasonably long name of a city that nobody would ever print on a board",
    ],
)
def test_hostile_names_are_only_text(name: str) -> None:
    hostile = own_board((name, "There"))
    hostile = replace(hostile, id=name)
    svg = draw(hostile, title=name)
    root = ElementTree.fromstring(svg)
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        *("svg", "title", "defs", "clipPath", "path", "rect", "g", "use", "circle", "text")
    }
    assert not any(key.startswith("on") for element in root.iter() for key in element.attrib)
    shown = [text.text or "" for text in groups(svg, "city")["c0"].iter(f"{SVG}text")]
    assert shown == [re.sub("[\x00\x07\ud800]", "\ufffd", name)]
    svg.encode()


def test_hostile_ids_are_only_text() -> None:
    bad = '"><script/>'
    cities = (City(bad, "A", 50, 0), City("b", "B", 51, 4))
    svg = draw(Board(bad, cities, (Route(bad, bad, "b", 2, "red"),), ()))
    assert set(groups(svg, "route")) == {bad}
    assert "<script" not in svg


# Boards of people's own


def test_a_board_across_the_180th_meridian_stays_together() -> None:
    plan = lay_out(own_board())
    assert plan.land
    assert plan.cities["c0"][0] < plan.cities["c2"][0]


@pytest.mark.parametrize(
    "cities",
    [
        (City("a", "Alone", 10, 10),),
        (City("a", "Here", 10, 10), City("b", "Here too", 10, 10)),
        (City("a", "North Pole", 90, 0), City("b", "South Pole", -90, 179)),
        (City("a", "Quito", 0, -78.5), City("b", "Singapore", 1.3, 103.8)),
    ],
)
def test_odd_boards_are_drawn(cities: tuple[City, ...]) -> None:
    routes = (Route("a-b", "a", "b", 4, "red"),) if len(cities) > 1 else ()
    svg = draw(Board("odd", cities, routes, ()))
    assert "nan" not in svg
    assert "inf" not in svg
    assert len(groups(svg, "city")) == len(cities)


def test_three_routes_side_by_side_do_not_overlap() -> None:
    cities = (City("a", "A", 50, 0), City("b", "B", 52, 8))
    routes = tuple(Route(f"r{n}", "a", "b", 3, "gray") for n in range(3))
    spaces = list(all_spaces(lay_out(Board("three", cities, routes, ()))))
    for (_, one), (_, other) in combinations(spaces, 2):
        assert not meet(one.corners(), other.corners())


def test_an_impossible_request_is_refused() -> None:
    with pytest.raises(ValueError, match="without cities"):
        draw(Board("empty", (), (), ()))
    with pytest.raises(ValueError, match="player 2 has no colour"):
        draw(own_board(), owners={"c0-c1": 2}, player_colors=("red", "blue"))
    with pytest.raises(ValueError, match="'pink' is not a player's colour"):
        draw(own_board(), player_colors=("pink",))


# Geography


def test_the_world_is_small_and_whole() -> None:
    path = Path(layout.__file__).with_name("geography.json")
    assert path.stat().st_size < 250_000
    assert "Natural Earth" in json.loads(path.read_text())["source"]
    assert len(world().land) > 500
    assert len(world().lakes) > 50


@pytest.mark.parametrize(
    ("lon", "lat", "wet"),
    [
        (2.35, 48.86, False),  # Paris
        (-40.0, 40.0, True),  # the Atlantic
        (-98.0, 39.0, False),  # Kansas
        (179.9, 68.0, False),  # Chukotka
        (-177.0, 67.0, False),  # ... on the other side of the 180th meridian
        (50.5, 42.0, True),  # the Caspian
        (134.0, -25.0, False),  # Australia
        (0.0, -85.0, False),  # Antarctica
    ],
)
def test_land_and_sea_are_where_they_are(lon: float, lat: float, wet: bool) -> None:
    inside = sum(
        crossings(ring.points, lon + turn, lat) for ring in world().land for turn in (-360, 0, 360)
    )
    assert (inside % 2 == 0) is wet


def test_land_reaches_the_edge_of_a_wide_map() -> None:
    cities = (City("a", "West", 60, 30), City("b", "East", 60, 110))
    plan = lay_out(Board("wide", cities, (Route("a-b", "a", "b", 6, "red"),), ()))
    y = plan.map.bottom - 2
    for part in range(1, 10):
        x = plan.map.left + plan.map.width * part / 10
        assert sum(crossings(ring, x, y) for ring in plan.land) % 2 == 1, part


def crossings(ring: Sequence[Point], x: float, y: float) -> int:
    """How often a ray to the east crosses the ring."""
    return sum(
        (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax)
        for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True)
    )


@pytest.mark.parametrize(
    "places",
    [
        [(-9, 36), (41, 60)],
        [(-123, 25), (-71, 51)],
        [(113, -43), (154, -11)],
        [(100, -10), (140, 10)],
        [(170, -40), (-150, -10)],
    ],
)
def test_projections_can_be_reversed(places: list[tuple[float, float]]) -> None:
    projection = Projection.fitted(places)
    assert abs(projection.meridian) <= 361
    for lon, lat in places:
        near_lon = projection.near(lon)
        back = projection.degrees(*projection.place(near_lon, lat))
        assert back == pytest.approx((near_lon, lat))


def test_north_is_up_and_east_is_right() -> None:
    for lat in (50, -30, 0):
        projection = Projection.fitted([(0, lat - 10), (20, lat + 10)])
        x, y = projection.place(10, lat)
        assert projection.place(12, lat)[0] > x
        assert projection.place(10, lat + 2)[1] < y


def test_clipping_keeps_what_is_inside() -> None:
    box = Box(0, 0, 10, 10)
    assert clipped([(2, 2), (8, 2), (8, 8)], box) == [(2, 2), (8, 2), (8, 8)]
    assert clipped([(20, 20), (30, 20), (30, 30)], box) == []
    around = clipped([(-5, -5), (15, -5), (15, 15), (-5, 15)], box)
    assert sorted(set(around)) == [(0, 0), (0, 10), (10, 0), (10, 10)]


# PNG


def test_png_writes_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    png(draw(own_board()), tmp_path / "board.png", width=300)
    data = (tmp_path / "board.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 300


def test_png_without_the_extra_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[png\]'"):
        png("<svg/>", tmp_path / "board.png", 100)


# What somebody has settled


def settled(bend: int | None = None, side: str = "", fixed: bool = False) -> Board:
    """Return a board as it is read."""
    beta = {"side": side, "fixed": fixed}
    document = {
        "board": "own",
        "cities": [
            {"id": "a", "name": "Alpha", "lat": 50, "lon": 0},
            {"id": "b", "name": "Beta", "lat": 50, "lon": 6} | beta,
            {"id": "c", "name": "Gamma", "lat": 47, "lon": 3},
            {"id": "d", "name": "Delta", "lat": 50.4, "lon": 7, "fixed": fixed},
        ],
        "routes": [
            {"id": "b-a", "a": "b", "b": "a", "length": 4, "color": "red"}
            | ({} if bend is None else {"bend": bend}),
            {"id": "b-c", "a": "b", "b": "c", "length": 3, "color": "gray"},
            {"id": "c-a", "a": "c", "b": "a", "length": 3, "color": "gray"},
            {"id": "b-d", "a": "b", "b": "d", "length": 4, "color": "gray"},
        ],
        "tickets": [{"id": f"own:{n}", "a": "a", "b": "b", "points": n} for n in range(1, 13)],
        "edition": {"trains": 10, "seats": [2, 2]},
    }
    return edition_from_document(document).board


@pytest.mark.parametrize("bend", [-30, 0, 20])
def test_a_line_bows_as_far_as_somebody_bent_it(bend: int) -> None:
    plan = lay_out(settled(bend))
    (bx, by), (ax, ay) = plan.cities["b"], plan.cities["a"]
    points = plan.lines["b-a"]
    x, y = points[len(points) // 2] if bend else ((ax + bx) / 2, (ay + by) / 2)
    # How far the middle lies to the left of the way from b to a, where y goes down.
    dx, dy = ax - bx, ay - by
    aside = (dy * (x - bx) - dx * (y - by)) / (dx * dx + dy * dy)
    assert aside == pytest.approx(bend / 100, abs=0.005)


@pytest.mark.parametrize("side", ["n", "ne", "e", "se", "s", "sw", "w", "nw"])
def test_a_name_stands_on_the_side_that_was_chosen(side: str) -> None:
    plan = lay_out(settled(side=side))
    x, y = plan.cities["b"]
    u, v = plan.labels["b"].box.center
    assert ("s" in side) == (v > y + 3) or "n" not in side + "s"
    assert not ("n" in side and v > y)
    assert not ("s" in side and v < y)
    assert not (side in ("e", "ne", "se") and u < x)
    assert not (side in ("w", "nw", "sw") and u > x)


def test_a_fixed_city_does_not_step_aside() -> None:
    def near(fixed: bool, length: int) -> float:
        """How far two neighbours are from each other, measured by two that are far apart."""
        document = board("europe").document()
        for city in document["cities"]:
            city["fixed"] = fixed
        for route in document["routes"]:
            route["length"] = length
            route["ferry"] = 0
        places = lay_out(edition_from_document(document).board).cities
        close = dist(places["bruxelles"], places["amsterdam"])
        return close / dist(places["cadiz"], places["moskva"])

    assert near(True, 1) == pytest.approx(near(True, 4), rel=0.01)
    assert near(False, 4) > 1.2 * near(True, 4)


def test_what_nobody_has_settled_is_in_no_file_and_the_rest_comes_back() -> None:
    plain, mine = settled().document(), settled(-30, "ne", True).document()
    assert not {"side", "fixed", "bend"} & {key for city in plain["cities"] for key in city}
    assert not [route for route in plain["routes"] if "bend" in route]
    assert mine["cities"][1]["side"] == "ne"
    edition = {"trains": 10, "seats": [2, 2]}
    again = edition_from_document({**json.loads(json.dumps(mine)), "edition": edition})
    assert again.board == settled(-30, "ne", True)
    mine["routes"][0]["bend"] = 90
    mine["cities"][1]["side"] = "up"
    with pytest.raises(BoardError) as found:
        edition_from_document({**mine, "edition": edition})
    assert [problem.path for problem in found.value.problems] == [
        "cities[1].side",
        "routes[0].bend",
    ]
