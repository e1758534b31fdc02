"""The verdict of tools/performance.py; what it measures is no matter of a test."""

import runpy
from pathlib import Path
from typing import Any

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "performance.py"


@pytest.fixture(scope="module")
def tool() -> dict[str, Any]:
    return runpy.run_path(str(TOOL))


def test_the_median_decides_and_not_one_bad_round(tool: dict[str, Any]) -> None:
    found = {"steady": [0.99, 1.0, 0.5], "slower": [0.85, 0.8, 1.2], "faster": [1.3, 1.4, 0.89]}
    assert tool["slower"](found, 10) == ["slower"]
    assert tool["slower"](found, 20) == []
    lines = tool["table"](found, ["slower"]).splitlines()
    assert [line.endswith("SLOWER") for line in lines] == [False, False, True, False]
    assert lines[2].split()[:4] == ["slower", "0.85", "0.80", "1.20"]


def test_both_trees_are_measured_in_every_round_in_turns(tool: dict[str, Any]) -> None:
    measured = []

    def figures(tree: Path) -> dict[str, float]:
        measured.append(tree.name)
        return {"play": 3.0 if tree.name == "base" else 6.0}

    ratios, root = tool["ratios"], tool["ROOT"].name
    ratios.__globals__["figures"] = figures
    assert ratios(Path("base"), 2) == {"play": [2.0, 2.0]}
    assert measured == ["base", root, "base", root, root, "base"], "first to warm up"
