"""The script of `make newcomer`: it leaves out no command, and nothing without a reason."""

import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from ferrovia.cli import main
from tests.docs.pages import DOCS, README, commands

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
