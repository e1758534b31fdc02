"""The script of `make newcomer`: it leaves out no command, and nothing without a reason."""

import re
import runpy
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from ferrovia.cli import main
from ferrovia.server.store import Append
from ferrovia.server.store.address import open_store
from ferrovia.server.table.entries import write_entry
from ferrovia.server.table.summary import summary_of
from tests.docs.pages import DOCS, README, commands
from tests.server.support.tabletop import Tabletop

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "tools" / "newcomer.py"), run_name="newcomer")


def examples() -> Iterator[str]:
    """The examples of every help page."""
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        inner = list(command.commands) if isinstance(command, click.Group) else []
        for path in ([name], *([name, it] for it in inner)):
            page = CliRunner().invoke(main, [*path, "--help"]).output
            yield from re.findall(
                r"^ +(ferrovia .+)$", page.partition("Examples:")[2], re.MULTILINE
            )


def test_wrong_input_is_typed_at_every_command(script: dict[str, Any]) -> None:
    typed = {line.split()[1] for line in script["WRONG"]}
    assert set(main.list_commands(click.Context(main))) <= typed


def test_nothing_is_left_out_that_is_nowhere(script: dict[str, Any]) -> None:
    pages = [command.line for page in (README, DOCS / "index.md") for command in commands(page)]
    lines = [*pages, *examples()]
    for what in script["LEFT_OUT"]:
        assert any(re.match(what, line) for line in lines), what


def test_the_line_that_it_withholds_was_said(
    script: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = Tabletop(edition="compass")
    monkeypatch.setenv("FERROVIA_STORE", str(tmp_path / "games.sqlite"))
    store = open_store(str(tmp_path / "games.sqlite"))
    data = tuple(map(write_entry, top.log))
    assert store.append([Append(top.table.id, 1, data, summary_of(top.table))]) == [True]
    store.close()

    class Typist:
        def type(self, line: str) -> Any:
            words = shlex.split(line)
            if words[0] == "python":
                words[0] = sys.executable
                done = subprocess.run(words, capture_output=True, text=True, check=False)
                return script["Typed"](done.returncode, done.stdout, done.stderr, 0.0)
            told = CliRunner().invoke(main, words[1:])
            return script["Typed"](told.exit_code, told.stdout, told.stderr, 0.0)

    line = script["_with_a_table"](Typist(), "ferrovia tables withhold Xq3b 57")
    assert "57" not in line
    assert Typist().type(line).status == 0
    assert "good evening" in Typist().type(line.replace("withhold", "talk").rsplit(" ", 1)[0]).out
    refused = Typist().type("ferrovia tables withhold " + top.table.id[:6] + " 57")
    assert refused.status == 2
    assert "`ferrovia tables talk" in refused.err
