"""Boards that are made: the same from the same seed, playable, and balanced like printed ones."""

from pathlib import Path

import pytest

from ferrovia.boards import BoardError
from ferrovia.boards.check import check
from ferrovia.game import Game
from ferrovia.workshop.board_file import board_text
from ferrovia.workshop.generator import Size, make_board
from ferrovia.workshop.network import network_of
from ferrovia.workshop.regions import places_called, region_names


@pytest.mark.parametrize(
    ("region", "size"),
    [
        ("portugal", "small"),
        ("RO", "medium"),
        ("spain+portugal", "large"),
        ("35,129,46,146", "medium"),
    ],
)
def test_a_made_board_is_balanced_and_has_no_warnings(
    region: str, size: Size, tmp_path: Path
) -> None:
    edition = make_board(region, size, 7)
    assert edition == make_board(region, size, 7)
    assert edition != make_board(region, size, 8)
    found = network_of(edition)
    spaces = [color.spaces for color in found.colors[:-1]]
    assert max(spaces) - min(spaces) <= 4  # of two routes a colour on the smallest boards
    assert len({color.routes for color in found.colors[:-1]}) == 1
    assert 1.4 * found.cities <= found.pairs <= 2.2 * found.cities
    assert found.named == found.cities
    assert found.by_shortest == found.tickets
    assert found.unused is not None
    assert found.unused < 0.3
    file = tmp_path / "made.json"
    file.write_text(board_text(edition.document()), encoding="utf-8")
    report = check(file)
    assert report.ok
    assert report.warnings == ()
    game = Game(str(file), edition.seats[1], seed=1)
    assert game.awaited


def test_a_region_is_a_word_a_code_or_a_box() -> None:
    names = [word for word, _ in region_names()]
    assert {"portugal", "romania", "europe", "united-states"} <= set(names)
    for wrong in ("atlantis", "1,2,3", "40,0,30,10", "vatican", "x" * 300):
        with pytest.raises(BoardError):
            make_board(wrong, "small", 1)


def test_cities_are_found_by_the_beginning_of_their_names() -> None:
    found = [(place.name, place.country) for place in places_called("setub", None, 8)]
    assert found == [("Setúbal", "PT")]
    near_porto = places_called("salam", (41.0, -8.0), 8)[0]
    assert near_porto.country == "ES"
    assert abs(near_porto.lon + 5.66) < 0.1
    assert places_called("york", None, 8)[0].name == "York"
    assert "New York City" in [place.name for place in places_called("york", None, 8)]
    assert places_called("  ", None, 8) == ()
    assert places_called("x" * 10_000, None, 8) == ()
