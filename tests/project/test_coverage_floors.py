"""The table of `make coverage`: lines of both runs together, and a floor for each package."""

import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def tool(tmp_path: Path) -> dict[str, Any]:
    """The names of the program, with a pyproject.toml of our own."""
    (tmp_path / "pyproject.toml").write_text('[tool.ferrovia.coverage]\n"ferrovia.rules" = 70\n')
    names = runpy.run_path(str(ROOT / "tools" / "coverage_floors.py"))
    names["main"].__globals__["ROOT"] = tmp_path
    return names


def write_report(path: Path, run: list[int], missing: list[int]) -> str:
    files = {
        "src/ferrovia/__init__.py": {"executed_lines": [1], "missing_lines": []},
        "src/ferrovia/rules/chapters/cards.py": {"executed_lines": run, "missing_lines": missing},
    }
    path.write_text(json.dumps({"files": files}))
    return str(path)


def test_a_line_counts_when_one_run_has_seen_it(
    tool: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main: Callable[[list[str]], int] = tool["main"]
    compiled = write_report(tmp_path / "compiled.json", [1], [2, 3, 4])
    uncompiled = write_report(tmp_path / "uncompiled.json", [1, 2, 3], [4])
    assert main([compiled, uncompiled]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.split() == ["ferrovia", "100.0%", "of", "1", "lines,", "floor", "0%"]
    assert second.split() == ["ferrovia.rules", "75.0%", "of", "4", "lines,", "floor", "70%"]


def test_less_than_the_floor_fails(
    tool: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tool["main"]([write_report(tmp_path / "one.json", [1, 2], [3, 4])]) == 1
    assert "ferrovia.rules: the tests run less of it than before" in capsys.readouterr().err
