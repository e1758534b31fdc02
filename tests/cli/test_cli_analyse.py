"""`ferrovia analyse`: what it refuses. What it finds is in tests/analysis."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ferrovia.cli import main
from ferrovia.game import Game


def analyse(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["analyse", *map(str, arguments)])
    return result.exit_code, result.output


def test_a_game_that_goes_on_is_not_analysed(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(Game("usa", 2, seed=1).record().text(), encoding="utf-8")
    code, said = analyse(file)
    assert code == 2
    assert "only finished games are analysed" in said
    assert list(tmp_path.iterdir()) == [file]


def test_a_record_that_is_wrong_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("{}\n", encoding="utf-8")
    code, said = analyse(file)
    assert code == 1
    assert "game.jsonl:1: WRONG" in said


@pytest.mark.parametrize("option", [["--worlds", "1"], ["--seat", "9"], ["--seconds", "0"]])
def test_options_are_checked(tmp_path: Path, option: list[str]) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(Game("usa", 2, seed=1).record().text(), encoding="utf-8")
    assert analyse(file, *option)[0] == 2
