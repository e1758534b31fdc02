"""What the documentation shows is what the code does."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ferrovia.boards import check, editions, load_edition, load_pack
from ferrovia.boards.packs import TEMPLATES

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_example_board_can_be_played_as_it_stands(write: Callable[[Any], Path]) -> None:
    path = write(blocks("boards.md", "json")[0])
    report = check(path)
    assert report.problems == ()
    assert report.warnings == ()
    assert "board 'portugal': 6 cities, 11 routes, 27 spaces" in str(report)
    assert load_edition(path).seats == (2, 3)


def test_the_mistakes_that_the_page_shows_are_told_in_these_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = blocks("boards.md", "json")[0]
    line = '"id": "coimbra-porto-2", "a": "coimbra", "b": "porto", "length": '
    document = document.replace(line + "2", line + "3")
    document = document.replace('"b": "lisboa", "points": 5', '"b": "lisbon", "points": 5')
    monkeypatch.chdir(tmp_path)
    Path("portugal.json").write_text(document, encoding="utf-8")
    told = [str(problem) for problem in check("portugal.json").problems]
    assert told == blocks("boards.md", "text")[0].splitlines()


def test_mega_europe_is_as_the_page_says(small: Any, write: Callable[[Any], Path]) -> None:
    document = load_edition("mega-europe").document()
    document["edition"]["deals"] = json.loads(blocks("boards.md", "json")[1])
    assert load_edition(write(document)) == load_edition("mega-europe")


def test_every_key_of_an_edition_is_explained() -> None:
    table = (DOCS / "boards.md").read_text(encoding="utf-8")
    for key in load_edition(editions()[0]).document()["edition"]:
        assert f"`{key}`" in table, key


def test_the_example_pack_can_be_used_as_it_stands(user_packs: Path) -> None:
    text = blocks("ticket-packs.md", "json")[0]
    (user_packs / "orient-express.json").write_text(text, encoding="utf-8")
    assert load_pack("orient-express").tickets[0].id == "orient-express:paris-wien"
    assert len(load_edition("europe", extras=["orient-express"]).tickets) == 48


def test_every_template_is_on_the_page() -> None:
    page = (DOCS / "ticket-packs.md").read_text(encoding="utf-8")
    templates = sorted(TEMPLATES.glob("*.json"))
    assert len(templates) == 3
    for template in templates:
        content = json.loads(template.read_text(encoding="utf-8"))
        assert content["tickets"] == []
        assert f"| `{content['pack']}` | `{content['board']}` |" in page
