"""The boards of the gallery: each can be played, without a warning, and says how it was made."""

import json
from pathlib import Path

import pytest

from ferrovia.boards import load_edition
from ferrovia.boards.check import check
from ferrovia.workshop.network import network_of

BOARDS = sorted((Path(__file__).parents[2] / "gallery").glob("*.json"))


@pytest.mark.parametrize("file", BOARDS, ids=lambda file: file.stem)
def test_a_board_of_the_gallery_is_sound(file: Path) -> None:
    report = check(file)
    assert (report.problems, report.warnings) == ((), ())
    found = network_of(load_edition(file))
    assert found.ends == ()
    assert found.named == found.cities
    readme = (file.parent / "README.md").read_text(encoding="utf-8")
    assert (
        f"| [{load_edition(file).name}]({file.name}) | {found.cities} | {found.pairs} |" in readme
    )
    assert json.loads(file.read_text(encoding="utf-8"))["board"] == file.stem


def test_there_are_boards_of_at_least_four_regions() -> None:
    assert {"portugal", "romania"} <= {file.stem for file in BOARDS}
    assert len(BOARDS) >= 4
