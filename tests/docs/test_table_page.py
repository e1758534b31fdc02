"""The pages about the table and the film name a test for every line, and the tests are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {"table.md": 60, "film-tests.md": 40}
"""Each with the number of lines that it has more than."""

_ROW = re.compile(r"^\| (?P<line>.+?) \| (?P<proofs>.+) \|$", re.MULTILINE)
_PYTHON = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
_WEB = re.compile(r"`(web/tests/[\w/.]+\.ts)` “([^”]+)”")
_TITLE = re.compile(r"""\btest(?:\.each\(.*\))?\(\s*(['"`])(?P<title>(?:\\.|(?!\1).)*)\1""")


def rows(page: str) -> list[tuple[str, str]]:
    """The lines of a page and what proves them, headings left out."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    found = [(row["line"], row["proofs"]) for row in _ROW.finditer(text)]
    return [(line, proofs) for line, proofs in found if line != "what players get"]


@pytest.mark.parametrize(("line", "proofs"), [row for page in PAGES for row in rows(page)])
def test_every_line_is_proved(line: str, proofs: str) -> None:
    python, web = _PYTHON.findall(proofs), _WEB.findall(proofs)
    assert python or web
    assert not re.sub(r"[, ]", "", _WEB.sub("", _PYTHON.sub("", proofs))), "only tests are named"
    for path, name in python:
        assert f"def {name}(" in (ROOT / path).read_text("utf-8"), f"{path} has no {name}"
    for path, title in web:
        text = (ROOT / path).read_text("utf-8")
        assert any(title in test["title"] for test in _TITLE.finditer(text)), (
            f"{path} has no test “{title}”"
        )


@pytest.mark.parametrize(("page", "lines"), PAGES.items())
def test_a_page_is_about_all_of_its_subject(page: str, lines: int) -> None:
    assert len(rows(page)) > lines
