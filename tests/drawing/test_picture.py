"""The picture of a board as data: whole, legible, small, the same every time."""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import cos, dist, hypot, radians, sin
from pathlib import Path
from typing import Any

import pytest
from geometry import meet

from ferrovia.boards import COLORS, PLAYER_COLORS, Board, City, Route, board
from ferrovia.drawing import draw, sizes, style
from ferrovia.drawing import picture as pictures
from ferrovia.drawing.picture import picture, picture_json, shapes
from ferrovia.drawing.sheet.shapes import Point

pytestmark = pytest.mark.xdist_group("drawing")  # a layout takes long: in one process, it is kept

Data = dict[str, Any]
CLIENT = Path(__file__).parents[2] / "web" / "src"


@pytest.fixture(params=("usa", "europe"))
def printed(request: pytest.FixtureRequest) -> Board:
    return board(request.param)


def corners(space: Data) -> list[Point]:
    angle = radians(space["angle"])
    c, s, u, v = cos(angle), sin(angle), space["width"] / 2, space["height"] / 2
    return [
        (space["x"] + c * a - s * b, space["y"] + s * a + c * b)
        for a, b in ((-u, -v), (u, -v), (u, v), (-u, v))
    ]


def plate(label: Data) -> list[Point]:
    x, y, w, h = (label[key] for key in "xywh")
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


def round_shape(city: Data, radius: float) -> list[Point]:
    return [
        (city["x"] + radius * cos(radians(turn)), city["y"] + radius * sin(radians(turn)))
        for turn in range(0, 360, 30)
    ]


def all_spaces(data: Data) -> Iterator[tuple[str, Data]]:
    for route in data["routes"]:
        for space in route["spaces"]:
            yield route["id"], space


# What it holds


def test_it_tells_of_every_route(printed: Board) -> None:
    data = picture(printed)
    assert [route["id"] for route in data["routes"]] == [route.id for route in printed.routes]
    for drawn, route in zip(data["routes"], printed.routes, strict=True):
        assert len(drawn["spaces"]) == drawn["length"] == route.length
        assert (drawn["a"], drawn["b"]) == (route.a, route.b)
        assert (drawn["color"], drawn["tunnel"]) == (route.color, route.tunnel)
        assert len(drawn["ferry"]) == route.ferry
        assert all(0 <= number < route.length for number in drawn["ferry"])


def test_it_tells_of_every_city(printed: Board) -> None:
    data = picture(printed)
    assert [(city["id"], city["name"]) for city in data["cities"]] == [
        (city.id, city.name) for city in printed.cities
    ]
    assert 0 < sum(city["big"] for city in data["cities"]) < len(printed.cities) / 2


def test_spaces_run_from_a_to_b(printed: Board) -> None:
    data = picture(printed)
    places = {city["id"]: (city["x"], city["y"]) for city in data["cities"]}
    for route in data["routes"]:
        first, last = route["spaces"][0], route["spaces"][-1]
        a, b = places[route["a"]], places[route["b"]]
        if route["length"] > 1:
            assert dist((first["x"], first["y"]), a) < dist((last["x"], last["y"]), a)
            assert dist((last["x"], last["y"]), b) < dist((first["x"], first["y"]), b)


def test_nothing_stands_on_its_head(printed: Board) -> None:
    assert all(-90 <= space["angle"] <= 90 for _, space in all_spaces(picture(printed)))


def test_it_shows_land_and_water(printed: Board) -> None:
    data = picture(printed)
    for part in ("land", "lakes", "graticule", "ranges"):
        assert re.fullmatch(r"(?:[Ml]-?[\d.]+,-?[\d.]+|z)+", data[part]), part


# Geometry


def test_no_space_overlaps_another(printed: Board) -> None:
    pairs = combinations(all_spaces(picture(printed)), 2)
    assert [
        (a, b)
        for (a, one), (b, other) in pairs
        if hypot(one["x"] - other["x"], one["y"] - other["y"]) < 60
        and meet(corners(one), corners(other))
    ] == []


def test_no_route_runs_through_a_city(printed: Board) -> None:
    data = picture(printed)
    for city in data["cities"]:
        dot = round_shape(city, data["city"])
        for route, space in all_spaces(data):
            assert not meet(dot, corners(space)), (city["id"], route)


def test_no_label_covers_a_space_a_city_or_another_label(printed: Board) -> None:
    data = picture(printed)
    for city in data["cities"]:
        box = plate(city["label"])
        for route, space in all_spaces(data):
            assert not meet(box, corners(space)), (city["id"], route)
        for other in data["cities"]:
            assert not meet(box, round_shape(other, data["city"] * 0.9)), (city["id"], other["id"])
            if other is not city:
                assert not meet(box, plate(other["label"])), (city["id"], other["id"])


def test_spaces_look_alike(printed: Board) -> None:
    widths = [space["width"] for _, space in all_spaces(picture(printed))]
    assert max(widths) <= 1.06 * min(widths)
    assert {space["height"] for _, space in all_spaces(picture(printed))} == {sizes.SPACE_DEPTH}


def test_everything_lies_inside_the_map(printed: Board) -> None:
    data = picture(printed)
    box = data["map"]
    points = [point for _, space in all_spaces(data) for point in corners(space)]
    points += [point for city in data["cities"] for point in plate(city["label"])]
    assert all(box["x"] < x < box["x"] + box["w"] for x, _ in points)
    assert all(box["y"] < y < box["y"] + box["h"] for _, y in points)
    assert box["x"] + box["w"] < data["width"]
    assert box["y"] + box["h"] < data["height"]


def test_names_away_from_their_city_are_joined_to_it(printed: Board) -> None:
    for city in picture(printed)["cities"]:
        label = city["label"]
        x, y = city["x"], city["y"]
        away = hypot(
            max(label["x"] - x, x - label["x"] - label["w"], 0),
            max(label["y"] - y, y - label["y"] - label["h"], 0),
        )
        assert away < sizes.LEADER or "leader" in label
        if "leader" in label:
            u, v = label["leader"]
            assert label["x"] < u < label["x"] + label["w"]
            assert label["y"] < v < label["y"] + label["h"]


def test_cities_stay_near_their_true_places(printed: Board) -> None:
    places = {city["id"]: (city["x"], city["y"]) for city in picture(printed)["cities"]}
    wrong = [
        (a.id, b.id)
        for a, b in combinations(printed.cities, 2)
        if abs(a.lon - b.lon) > 8 and abs(a.lat - b.lat) < 6
        if (places[a.id][0] < places[b.id][0]) != (a.lon < b.lon)
    ]
    assert wrong == []


# The same layout as the drawing


def test_the_drawing_has_its_spaces_at_the_same_places(printed: Board) -> None:
    svg = draw(printed)
    for _, space in list(all_spaces(picture(printed)))[::7]:
        assert f"translate({space['x']} {space['y']})" in svg


def test_a_client_draws_the_symbols_of_the_svg() -> None:
    found = shapes()
    svg = draw(board("europe"), stations={"roma": 0})
    assert found["symbols"].keys() == set(COLORS)
    for path in (*found["symbols"].values(), found["station"], found["carriage"], found["roof"]):
        assert f'd="{path}"' in svg
    assert found["player_colors"] == list(PLAYER_COLORS)


@pytest.mark.skipif(not CLIENT.is_dir(), reason="the client's sources are not here")
def test_the_client_has_the_same_shapes_and_player_colors() -> None:
    text = (CLIENT / "drawing.gen.ts").read_text(encoding="utf-8")
    found = shapes()
    shared = (found["station"], found["carriage"], found["roof"])
    for word in (*found["symbols"].values(), *shared, *found["player_colors"]):
        assert f"'{word}'" in text


def by_day(text: str) -> dict[str, str]:
    """The colours of the browser's board by day, as #rrggbb."""
    day = re.split(r"[^\n]*\[data-theme=.dark.\]", text)[0]
    found = re.findall(r"--board-([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)", day)
    return {name: srgb(*map(float, parts)) for name, *parts in found}


def srgb(light: float, chroma: float, hue: float) -> str:
    """A colour in OKLCH as #rrggbb, after Björn Ottosson."""
    a, b = chroma * cos(radians(hue)), chroma * sin(radians(hue))
    p = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    q = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    r = (light - 0.0894841775 * a - 1.291485548 * b) ** 3
    linear = (
        4.0767416621 * p - 3.3077115913 * q + 0.2309699292 * r,
        -1.2684380046 * p + 2.6097574011 * q - 0.3413193965 * r,
        -0.0041960863 * p - 0.7034186147 * q + 1.707614701 * r,
    )
    parts = (min(1.0, max(0.0, part)) for part in linear)
    coded = (12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055 for x in parts)
    return "#" + "".join(f"{round(x * 255):02x}" for x in coded)


@pytest.mark.skipif(not CLIENT.is_dir(), reason="the client's sources are not here")
def test_the_client_has_the_same_colors_by_day() -> None:
    text = (CLIENT / "board" / "board.css").read_text(encoding="utf-8")
    common, usa = text.split("/* The USA board")
    for name, colors in (("europe", by_day(common)), ("usa", by_day(common) | by_day(usa))):
        for color, look in style.routes(name).items():
            drawn = (look.fill, look.edge, look.mark)
            parts = ("", "-edge", "-mark")
            assert drawn == tuple(colors[f"space-{color}{part}"] for part in parts), color
        for color, player in style.PLAYERS.items():
            assert player.fill == colors[f"player-{color}"], color
            assert player.ink == colors[f"player-{color}-ink"], color
        assert tuple(colors[name] for name in ("land", "sea", "plate")) == (
            style.LAND,
            style.SEA,
            style.PLATE,
        )
        trains = (colors["carriage-line"], colors["carriage-edge"])
        assert trains == (style.TRAIN_LINE, style.TRAIN_EDGE)


# As data


def test_it_is_json_in_ascii_and_small(printed: Board) -> None:
    text = picture_json(printed)
    assert text.isascii()
    assert json.loads(text) == picture(printed)
    assert len(gzip.compress(text.encode())) < 60_000


def test_the_stored_pictures_are_those_of_the_layout(printed: Board) -> None:
    """So it is the same every time. If this fails, run `python tools/pictures.py`."""
    folder = Path(pictures.__file__).with_name("pictures")
    assert (folder / pictures.stored_name(printed)).is_file()
    assert len(list(folder.iterdir())) == 2
    assert picture_json(printed) == pictures.computed(printed)


def test_it_is_made_once(printed: Board) -> None:
    pictures._json.cache_clear()
    first = picture_json(printed)
    again = picture_json(replace(printed))
    assert first is again
    changed = replace(printed.routes[0], tunnel=not printed.routes[0].tunnel)
    other = picture(replace(printed, routes=(changed, *printed.routes[1:])))
    assert other["routes"][0]["tunnel"] is changed.tunnel
    picture(printed)["routes"].clear()
    assert picture(printed)["routes"], "what one caller does to it is nothing to the next"


def test_numbers_are_whole_tenths() -> None:
    numbers = re.findall(r":(-?[\d.]+)", picture_json(board("usa")))
    assert all(len(number.partition(".")[2]) <= 1 for number in numbers)


# Boards of people's own


def test_a_board_of_ones_own_is_pictured() -> None:
    cities = (City("a", "<b>Alpha</b>", 50, 0), City("b", "札幌", 51, 4), City("c", "", 49, 2))
    routes = (
        Route("b-a", "b", "a", 3, "red"),
        Route("a-b", "a", "b", 3, "gray", tunnel=True),
        Route("c-a", "c", "a", 4, "gray", ferry=1),
    )
    data = picture(Board("own", cities, routes, ()))
    assert [city["name"] for city in data["cities"]] == ["<b>Alpha</b>", "札幌", ""]
    forth, back, ferry = data["routes"]
    assert dist_of(forth["spaces"][0], data["cities"][1]) < dist_of(
        forth["spaces"][-1], data["cities"][1]
    )
    assert dist_of(back["spaces"][0], data["cities"][0]) < dist_of(
        back["spaces"][-1], data["cities"][0]
    )
    assert len(ferry["ferry"]) == 1
    assert forth["line"] == back["line"]


def dist_of(space: Data, city: Data) -> float:
    return hypot(space["x"] - city["x"], space["y"] - city["y"])


def test_a_single_city_is_a_picture_and_no_city_is_none() -> None:
    assert picture(Board("one", (City("a", "Alone", 10, 10),), (), ()))["routes"] == []
    with pytest.raises(ValueError, match="without cities"):
        picture(Board("empty", (), (), ()))
