"""The page on the people at the table names tests that exist."""

import re

import pytest

from tests.docs.pages import DOCS

ROOT = DOCS.parent
PAGE = (DOCS / "people.md").read_text()
NAMED = sorted(set(re.findall(r"`([\w.]+\.(?:spec\.ts|test\.ts|py))`", PAGE)))


def test_every_promise_names_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| ") and "promised" not in line]
    assert len(rows) > 15
    assert all(re.search(r"`[\w.]+`", row.rsplit("|", 2)[1]) for row in rows)


@pytest.mark.parametrize("name", NAMED)
def test_the_test_is_there(name: str) -> None:
    places = [ROOT / "web" / "tests", ROOT / "tests" / "server"]
    found = [file for place in places for file in place.rglob(name.replace(".test.", "*.test."))]
    assert len(found) == 1, found
