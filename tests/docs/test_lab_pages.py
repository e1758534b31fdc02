"""The commands of the pages about the lab run as they are shown, with fewer games."""

import re
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ferrovia.cli import main

DOCS = Path(__file__).parents[2] / "docs"


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def example(page: str, name: str) -> str:
    """The class of that name from the examples of a page, with what it needs imported."""
    [block] = [block for block in blocks(page, "pycon") if f">>> class {name}" in block]
    lines = [line[4:] for line in block.splitlines() if line[:3] in (">>>", "...")]
    end = next((n for n, line in enumerate(lines) if line.startswith("long_routes =")), len(lines))
    return "\n".join(lines[:end])


def fewer(line: str) -> str:
    return re.sub(r"--games (\d+)", lambda it: f"--games {max(2, int(it[1]) // 100)}", line)


@pytest.mark.parametrize("page", ["testing-a-board.md", "simulation.md"])
def test_the_commands_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for module in ("my_bots", "my_statistics"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    board = blocks("boards.md", "json")[0]
    Path("portugal.json").write_text(board, encoding="utf-8")
    Path("portugal-2.json").write_text(board.replace('"trains": 9', '"trains": 12'))
    Path("my_bots.py").write_text(example("bots.md", "LongRoutes"))
    Path("my_statistics.py").write_text(example("simulation.md", "LongRoutes"))
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    assert len(lines) >= 8
    for line in lines:
        if "--ray" in line:
            continue  # tests/cli has it
        result = CliRunner().invoke(main, shlex.split(fewer(line))[1:])
        assert result.exit_code == 0, f"{line}\n{result.output}"
