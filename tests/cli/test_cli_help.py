"""The command line before anything is loaded."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import ferrovia
from ferrovia import __version__
from ferrovia.cli import main


def commands() -> Iterator[tuple[str, ...]]:
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        yield (name,)
        if isinstance(command, click.Group):
            yield from ((name, inner) for inner in command.commands)


@pytest.mark.parametrize("arguments", [["--help"], [], ["--version"], ["nonsense"]])
def test_the_first_words_load_nothing_heavy(arguments: list[str]) -> None:
    program = (
        "import json, sys\n"
        "from ferrovia.cli import main\n"
        f"try: main({arguments!r})\n"
        "except SystemExit: pass\n"
        "heavy = {'numba', 'numpy', 'rich', 'ferrovia.game', 'msgspec'} & set(sys.modules)\n"
        "print(json.dumps(sorted(heavy)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout.splitlines()[-1]) == []


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_every_help_teaches_by_example(path: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, [*path, "--help"])
    assert result.exit_code == 0
    assert f"ferrovia {' '.join(path)}" in result.output.partition("Examples:")[2]
    assert max(map(len, result.output.splitlines())) <= 88


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_every_example_can_be_copied_as_one_line(path: tuple[str, ...]) -> None:
    result = CliRunner(env={"COLUMNS": "80"}).invoke(main, [*path, "--help"])
    examples = result.output.partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    assert examples
    assert all(line.strip().startswith("ferrovia ") for line in examples), examples


@pytest.mark.parametrize("path", [(), *commands()], ids=" ".join)
def test_help_fits_a_narrow_terminal(path: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, [*path, "--help"], env={"COLUMNS": "34"})
    assert result.exit_code == 0
    assert max(len(line.rstrip()) for line in result.output.splitlines()) <= 34
    usual = CliRunner().invoke(main, [*path, "--help"], env={"COLUMNS": "80"})
    assert "".join(usual.output.split()) == "".join(result.output.split())


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_help_has_no_ranges_of_a_program(path: tuple[str, ...]) -> None:
    shown = CliRunner().invoke(main, [*path, "--help"]).output
    assert "RANGE" not in shown
    assert "<=x" not in shown


@pytest.mark.parametrize("path", [path for path in commands() if len(path) == 1], ids=" ".join)
def test_the_short_help_says_what_the_command_says(path: tuple[str, ...]) -> None:
    context = click.Context(main)
    command = main.get_command(context, path[0])
    assert command is not None
    assert command.help is not None
    first = command.help.strip().partition("\n\n")[0].rstrip(".")
    listed = main._help[path[0]].rstrip(".")
    assert first.startswith(listed)


def test_the_version() -> None:
    for option in ("--version", "-V"):
        assert CliRunner().invoke(main, [option]).output == f"ferrovia, version {__version__}\n"


def test_a_shell_completes_commands_and_options() -> None:
    for words, place, found in (
        ("ferrovia sim", "1", "simulate"),
        ("ferrovia simulate --fir", "2", "--first-game"),
        ("ferrovia boards ch", "2", "check"),
    ):
        shell = {
            "_FERROVIA_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": place,
        }
        result = CliRunner().invoke(main, [], prog_name="ferrovia", env=shell)
        assert result.output.split() == [f"plain,{found}"]


def test_nothing_that_one_system_alone_has_is_needed_to_begin() -> None:
    alone = {"fcntl", "grp", "msvcrt", "pwd", "resource", "termios", "tty", "winreg"}
    for file in Path(ferrovia.__file__).parent.rglob("*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Import):
                assert not alone & {name.name for name in node.names}, file
            elif isinstance(node, ast.ImportFrom):
                assert node.module not in alone, file


def test_without_a_command_the_help_is_shown() -> None:
    result = CliRunner().invoke(main, [])
    assert result.exit_code == 0
    assert "Commands:" in result.output
