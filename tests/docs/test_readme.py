"""The README and the documentation show what the code does."""

import doctest
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from markdown.extensions.toc import slugify

from ferrovia.bots import registry
from ferrovia.cli import main
from tests.docs.pages import DOCS, README, ROOT, blocks, commands, name_of, prose

PAGES = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.glob("**/*.md"))]
WRITTEN_LATER = {DOCS / "benchmarks.md"}  # by `make bench`


def examples(page: Path) -> str:
    return "\n".join(block for block in blocks(page, "pycon", "python") if ">>>" in block)


@pytest.mark.parametrize(
    "page",
    [
        # The same seed gives the same game as plain Python: the README shows both.
        pytest.param(page, marks=pytest.mark.uncompiled if page == README else (), id=name_of(page))
        for page in PAGES
        if examples(page)
    ],
)
def test_examples_give_what_they_show(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "_makers", dict(registry._makers))
    test = doctest.DocTestParser().get_doctest(examples(page), {}, page.name, str(page), 0)
    results = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(test)
    assert results.attempted > 0
    assert results.failed == 0, capsys.readouterr().out


def test_all_python_of_the_readme_is_tested() -> None:
    assert len(blocks(README, "pycon")) >= 4
    assert blocks(README, "python", "py") == []
    assert all(block.startswith(">>>") for block in blocks(README, "pycon"))


# Commands


def command_lines(page: Path) -> list[str]:
    """Every `ferrovia ...` that a page tells people to type, also in the middle of a sentence."""
    typed = [command.line for command in commands(page)]
    said = re.findall(r"`(ferrovia [^`]+)`", prose(page))
    return [line for line in (*typed, *said) if line.startswith("ferrovia ")]


COMMAND_LINES = [(page, line) for page in PAGES for line in command_lines(page)]


def options_of(command: click.Command) -> set[str]:
    return {option for parameter in command.params for option in parameter.opts} | {"-h", "--help"}


@pytest.mark.parametrize(
    ("page", "line"),
    [pytest.param(p, line, id=f"{name_of(p)}: {line}") for p, line in COMMAND_LINES],
)
def test_commands_and_their_options_exist(page: Path, line: str) -> None:
    context = click.Context(main)
    command: click.Command = main
    for word in shlex.split(line)[1:]:
        if word.startswith("-") and word != "-":
            assert word.partition("=")[0] in options_of(command), f"{word} in {line}"
        elif isinstance(command, click.Group) and not word.isupper():
            found = command.get_command(context, word)
            assert found is not None, f"there is no command {word} in: {line}"
            command = found


def test_the_readme_names_commands_that_the_help_lists() -> None:
    told = CliRunner().invoke(main, ["--help"]).output
    listed = set(re.findall(r"^  (\w+)  ", told.partition("Commands:")[2], re.MULTILINE))
    named = {line.split()[1] for line in command_lines(README)}
    assert {"play", "simulate", "replay"} <= named <= listed


def test_the_command_line_page_has_every_command() -> None:
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    for name in main.list_commands(click.Context(main)):
        assert f"| [`{name}`](#" in page


def test_the_table_of_the_readme_is_what_simulate_prints() -> None:
    [shown] = blocks(README, "console")
    line, _, table = shown.partition("\n")
    told = CliRunner().invoke(main, shlex.split(line)[2:]).stdout
    without_speed = re.sub(r"^.* games per second .*\n", "", told, flags=re.MULTILINE)
    assert without_speed == table


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in PAGES:
        for target in re.findall(
            r"^make (\w+)|`make (\w+)`", page.read_text("utf-8"), re.MULTILINE
        ):
            assert re.search(rf"^{''.join(target)}:", makefile, re.MULTILINE), target


# Links


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {slugify(re.sub(r"[`*]", "", heading), "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"[a-z]+://", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if target in WRITTEN_LATER:
            continue
        assert target.exists(), f"{name_of(page)} links to {link}"
        if anchor and "::: " not in target.read_text(encoding="utf-8"):
            assert anchor in anchors(target), f"{name_of(page)} links to {link}"


def pages_of(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    return [
        page for part in (nav.values() if isinstance(nav, dict) else nav) for page in pages_of(part)
    ]


def test_every_page_is_in_the_navigation_and_every_entry_is_a_page() -> None:
    settings = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))
    listed = {DOCS / page for page in pages_of(settings["project"]["nav"])}
    there = set(DOCS.glob("**/*.md")) | WRITTEN_LATER
    assert listed == there


@pytest.mark.parametrize("picture", ["europe.svg", "usa.svg", "layers.svg", "lab.svg"])
def test_pictures_are_small(picture: str) -> None:
    assert 1_000 < (DOCS / "images" / picture).stat().st_size < 200_000


@pytest.mark.parametrize("page", [page for page in PAGES if page not in WRITTEN_LATER], ids=name_of)
def test_pages_name_nothing_that_others_do_not_have(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"/work\b|\.\./shared\b|\.\./spec|\bTODO\b", text)
