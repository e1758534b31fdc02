"""Commands where nothing is compiled: people never wait for the compiler."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from ferrovia.cli import cold_start, main
from ferrovia.cli.compile import ensure_compiled
from ferrovia.game import Game
from ferrovia.machine import compile, process
from ferrovia.rules.compiler import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")

FERROVIA = [sys.executable, "-c", "from ferrovia.cli import main; main(prog_name='ferrovia')"]


class Replaced(BaseException):
    """This process would be another one now."""


@pytest.fixture
def ctx(monkeypatch: pytest.MonkeyPatch) -> click.Context:
    """A command of a process of its own, whose cache is empty."""

    def replace(command: list[str], environment: dict[str, str]) -> None:
        raise Replaced(command, environment)

    monkeypatch.setattr(process, "replace_process", replace)
    monkeypatch.setattr(compile, "not_compiled", lambda names: list(names))
    monkeypatch.setattr(main, "is_process", True)
    return click.Context(main)


def test_the_command_begins_once_more_without_its_compiler(
    ctx: click.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "ferrovia", "play"])
    with pytest.raises(Replaced) as replaced:
        cold_start.begins_uncompiled(ctx, ["apply"])
    command, environment = replaced.value.args
    assert command == [sys.executable, "-m", "ferrovia", "play"]
    assert environment["NUMBA_DISABLE_JIT"] == "1"
    for name in environment.keys() - os.environ.keys():
        monkeypatch.setenv(name, environment[name])
    assert cold_start.begins_uncompiled(ctx, ["apply"])
    assert "FERROVIA_COLD_START" not in os.environ, "processes of this one are not asked"


def test_it_begins_as_it_is_where_that_is_of_no_use(
    ctx: click.Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not cold_start.begins_uncompiled(ctx, []), "all is compiled"
    monkeypatch.setattr("ferrovia.rules.compiler.cache_folder", lambda: None)
    assert not cold_start.begins_uncompiled(ctx, ["apply"]), "nothing can be kept"
    monkeypatch.undo()
    monkeypatch.setattr(compile, "not_compiled", lambda names: list(names))
    assert not main.is_process
    assert not cold_start.begins_uncompiled(ctx, ["apply"]), "a command in somebody's program"


def run(*arguments: str, cache: Path, typed: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*FERROVIA, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        env={**os.environ, "FERROVIA_CACHE": str(cache)},
        check=False,
    )


def test_a_text_game_begins_at_once(tmp_path: Path) -> None:
    arguments = ("play", "--text", "usa", "--bots", "driver,conductor", "--seed", "3")
    done = run(*arguments, cache=tmp_path / "cache", typed="keep 1 2\ndraw\nquit\n")
    assert done.returncode == 0
    assert "> draw" in done.stdout
    assert done.stderr == ""


def test_a_record_is_read_and_drawn_at_once(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    record.write_text(Game("usa", 2, seed=1).record().text(), encoding="utf-8")
    done = run("replay", str(record), cache=tmp_path / "cache")
    assert (done.returncode, done.stderr) == (0, "")
    assert "right so far" in done.stdout
    done = run("show", str(record), "-o", str(tmp_path / "a.svg"), cache=tmp_path / "cache")
    assert (done.returncode, done.stderr) == (0, "")
    assert not list((tmp_path / "cache").rglob("*.nbi"))


def test_what_must_be_compiled_first_is_said_in_two_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def compile_missing(names: list[str], done: Callable[[str], None]) -> None:
        for name in names:
            done(name)

    monkeypatch.setattr(compile, "not_compiled", lambda names: list(names))
    monkeypatch.setattr(compile, "compile_missing", compile_missing)
    ensure_compiled(compile.FOR_BATCHES)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("Compiling the rules (once on this machine)...\nCompiled in ")
    assert len(shown.err.splitlines()) == 2
