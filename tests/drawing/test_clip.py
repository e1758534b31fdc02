"""Clips: trains and stations that appear one after the other, from the one drawing."""

import re
import xml.etree.ElementTree as ET

import pytest

from ferrovia.boards import load_edition
from ferrovia.drawing import Appearance, Caption, Clip, Strip, draw
from ferrovia.drawing.clip import appearing

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
