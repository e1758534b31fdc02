"""Clips: trains and stations that appear one after the other, from the one drawing."""

import re
import xml.etree.ElementTree as ET

import pytest

from ferrovia.boards import load_edition
from ferrovia.drawing import Appearance, Caption, Clip, Strip, draw
from ferrovia.drawing.clip import appearing
from ferrovia.drawing.sheet.layout import lay_out
from ferrovia.drawing.stored import layout_from_picture
from ferrovia.drawing.svg import ferry_spaces

pytestmark = pytest.mark.xdist_group("drawing")  # a layout takes long: in one process, it is kept

BOARD = load_edition("usa").board


def test_what_appears_lies_over_the_free_route_and_begins_again() -> None:
    clip = Clip({"boston-montreal": Appearance(1, 2.0)}, {"denver": Appearance(0, 3.0)}, 6.0)
    drawn = draw(BOARD, owners={"atlanta-miami": 0}, clip=clip)
    ET.fromstring(drawn)
    assert drawn.count("<animate ") == 2
    assert drawn.count('data-route="boston-montreal"') == 2  # free, and then with trains
    assert drawn.count('data-route="atlanta-miami"') == 1
    for animation in re.findall(r"<animate [^>]+>", drawn):
        assert 'dur="6.00s" repeatCount="indefinite"' in animation
        times = [float(one) for one in re.search(r'keyTimes="([^"]+)"', animation)[1].split(";")]  # type: ignore[index]
        assert times == sorted(times)
        assert (times[0], times[-1]) == (0, 1)


def test_without_a_clip_nothing_moves_and_nothing_has_changed() -> None:
    still = draw(BOARD, owners={"atlanta-miami": 0})
    assert "<animate" not in still
    assert draw(BOARD, owners={"atlanta-miami": 0}, clip=None, strip=None) == still


def test_the_strip_says_who_plays_and_what_happens_as_text() -> None:
    strip = Strip(["<b>Ada</b>", "", "A very long name that no strip has room for at all"])
    drawn = draw(BOARD, strip=strip)
    ET.fromstring(drawn)
    assert "&lt;b&gt;Ada&lt;/b&gt;" in drawn
    assert "…" in drawn
    told = Strip(["Ada"], [Caption(0.0, "12"), Caption(1.0, "13 · Ada")])
    assert "13 · Ada" in draw(BOARD, strip=told)
    assert ">12<" not in draw(BOARD, strip=told)
    moving = draw(BOARD, strip=told, clip=Clip({}, {}, 4.0))
    assert ">12<" in moving.replace("/>12", ">12")
    assert moving.count("<animate ") == 2


def test_an_owner_without_a_colour_is_refused_in_a_clip_too() -> None:
    with pytest.raises(ValueError, match="no colour"):
        draw(
            BOARD,
            clip=Clip({"boston-montreal": Appearance(9, 1.0)}, {}, 3.0),
            player_colors=["red"],
        )


def test_what_is_there_from_the_first_second_does_not_fade_in() -> None:
    assert 'values="1;1;1;1"' in appearing(0.0, 5.0)
    assert 'values="1;1;1;1;0;0"' in appearing(0.0, 5.0, 2.0)


@pytest.mark.parametrize("name", ["usa", "europe"])
def test_a_picture_leads_back_to_its_layout(name: str) -> None:
    """All that a drawing shows lies where the layout has it, to a tenth."""
    board = load_edition(name).board
    read, made = layout_from_picture(board), lay_out(board)
    assert set(read.spaces) == set(made.spaces)
    for route in board.routes:
        pairs = zip(read.spaces[route.id], made.spaces[route.id], strict=True)
        ferry = ferry_spaces(route)
        for number, (one, other) in enumerate(pairs):
            if (route.ferry and len(ferry) < route.length) or number in ferry:
                assert (one.x, one.y) == pytest.approx((other.x, other.y), abs=0.06)
    for city in board.cities:
        assert read.cities[city.id] == pytest.approx(made.cities[city.id], abs=0.06)
        assert read.labels[city.id].text == made.labels[city.id].text
    for read_line, made_line in zip(read.land, made.land, strict=True):
        assert read_line[0] == pytest.approx(made_line[0], abs=0.06)
