"""A small valid board for tests to spoil, and the problems that come of it."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ferrovia.boards import BoardError, FileProblem, load_edition

SMALL = Path(__file__).with_name("small.json")


@pytest.fixture(scope="session")
def small_path() -> Path:
    return SMALL


@pytest.fixture(scope="session")
def small_text() -> str:
    return SMALL.read_text(encoding="utf-8")


@pytest.fixture
def small(small_text: str) -> Any:
    """The document of the small board, free to be changed."""
    return copy.deepcopy(json.loads(small_text))


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Any], Path]:
    """Write a document, or text or bytes as they are, to a file of its own."""

    def write_file(content: Any) -> Path:
        path = tmp_path / "board.json"
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            text = content if isinstance(content, str) else json.dumps(content, indent=1)
            path.write_text(text, encoding="utf-8")
        return path

    return write_file


@pytest.fixture
def problems_of(write: Callable[[Any], Path]) -> Callable[[Any], tuple[FileProblem, ...]]:
    """The problems for which a board file is refused."""

    def load(content: Any) -> tuple[FileProblem, ...]:
        with pytest.raises(BoardError) as caught:
            load_edition(write(content))
        return caught.value.problems

    return load


@pytest.fixture
def user_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for packs, where the user's would be."""
    monkeypatch.setenv("FERROVIA_DATA", str(tmp_path / "data"))
    folder = tmp_path / "data" / "packs"
    folder.mkdir(parents=True)
    return folder
