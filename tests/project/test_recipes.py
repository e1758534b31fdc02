"""The recipes of CONTRIBUTING.md, walked in a copy of the checkout: what is forgotten names itself.

Every step first runs what the recipe says to run, and finds in its last words the place to go to
next; then it does what is to be done there.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ferrovia.languages import LANGUAGES

ROOT = Path(__file__).parents[2]
RECIPES = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Recipes")[2]


class Walk:
    """A newcomer with a copy of the checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in ("src/ferrovia", "tests", "docs"):
            skipped = shutil.ignore_patterns("__pycache__", "client", "libraries", "*.sqlite")
            shutil.copytree(ROOT / folder, root / folder, ignore=skipped)
        shutil.copy(ROOT / "pyproject.toml", root)

    def change(self, path: str, before: str, after: str) -> None:
        """Write something else where a text stands once."""
        assert f"`{path.removeprefix('src/ferrovia/')}`" in RECIPES, f"{path} is in no recipe"
        text = (self.root / path).read_text("utf-8")
        assert text.count(before) == 1, f"{before!r} stands {text.count(before)} times in {path}"
        (self.root / path).write_text(text.replace(before, after), "utf-8")

    def said(self, *arguments: str) -> str:
        """What Python says in the end; nothing if all is well."""
        environment = {
            **os.environ,
            "FERROVIA_KERNEL": "python",
            "PYTHONPATH": f"{self.root / 'src'}{os.pathsep}{self.root}",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
        )
        return "" if done.returncode == 0 else done.stdout + done.stderr

    def code(self, code: str) -> str:
        return self.said("-c", code)

    def test(self, *arguments: str) -> str:
        return self.said("-m", "pytest", "--quiet", "-p", "no:cacheprovider", *arguments)


@pytest.fixture
def walk(tmp_path: Path) -> Walk:
    return Walk(tmp_path)


def test_a_bonus_at_the_end_of_the_game(walk: Walk) -> None:
    play = "from ferrovia import Game; Game('usa', 2, seed=1).play(0, 'keep 1 2')"
    walk.change(
        "src/ferrovia/boards/edition.py",
        "    station_bonus: int\n",
        "    station_bonus: int\n    branch_bonus: int\n",
    )
    layout = "src/ferrovia/rules/state/layout.py"
    assert "BOOK in rules/state/layout.py" in walk.code(play)
    walk.change(
        layout,
        '    ("station_bonus", "i2"),\n',
        '    ("station_bonus", "i2"),\n    ("branch_bonus", "i2"),\n',
    )
    said = walk.code(play)
    assert "boards/reading/edition.py" in said
    assert "'branch_bonus'" in said
    walk.change(
        "src/ferrovia/boards/reading/edition.py",
        "        station_bonus=",
        '        branch_bonus=fields.integer("branch_bonus", 0, MAX_POINTS, default=0),\n'
        "        station_bonus=",
    )
    assert walk.code(play) == ""
    walk.change(
        layout,
        '    ("bonus", "i2", (SEATS,)),\n',
        '    ("bonus", "i2", (SEATS,)),\n    ("branches", "i2", (SEATS,)),\n',
    )
    walk.change(
        "src/ferrovia/rules/chapters/scoring.py",
        "        out.bonus[seat] = 0\n",
        "        out.bonus[seat] = 0\n        out.branches[seat] = book.branch_bonus\n",
    )
    said = walk.code(play)
    assert "SeatScore in game/scores.py" in said
    assert "default" in said
    walk.change("src/ferrovia/game/scores.py", "    borrowed: dict[str, str]\n", _DEFAULT)
    assert walk.code(play) == ""
    compare = "import ferrovia.lab.report.differences"
    assert "lab/report/differences.py" in walk.code(compare)
    walk.change(
        "src/ferrovia/lab/report/differences.py",
        '    "station_bonus": ',
        '    "branch_bonus": "points for branches",\n    "station_bonus": ',
    )
    assert walk.code(compare) == ""
    # Games that were played before the field was there are read as they were.
    assert walk.test("tests/game/test_film.py", "-k", "every_version") == ""


_DEFAULT = "    borrowed: dict[str, str]\n    branches: int = 0\n"


def test_a_level_of_bots(walk: Walk) -> None:
    def test() -> str:
        return walk.test("tests/bots/test_bot_registry.py", "-k", "level")

    registry = "src/ferrovia/bots/registry.py"
    walk.change(registry, '    "driver": ', '    "signaller": "wary",\n    "driver": ')
    assert "docs/bots.md does not say" in test()
    walk.change("docs/bots.md", "| `driver` |", "| `signaller` | `wary` |\n| `driver` |")
    for language in LANGUAGES:
        assert f"texts/{language}.json has no 'bot.signaller'" in test()
        texts = walk.root / "src" / "ferrovia" / "texts" / f"{language}.json"
        said = '{\n  "bot.signaller": "S",\n  "level.signaller": "S",\n'
        texts.write_text(texts.read_text("utf-8").replace("{\n", said, 1), "utf-8")
    assert test() == ""


def test_a_command_of_the_protocol(walk: Walk) -> None:
    start = "import ferrovia.server.table.authority"
    walk.change(
        "src/ferrovia/server/protocol/from_client.py",
        "\nAnyCommand = (",
        '\n\nclass Wave(Command, frozen=True, kw_only=True, tag="wave"):\n'
        '    """Wave to the others."""\n\n\nAnyCommand = (\n    Wave |',
    )
    said = walk.code(start)
    assert "server/table/verbs/" in said
    assert "COMMANDS in server/table/commands.py" in said
    (walk.root / "src/ferrovia/server/table/verbs/wave.py").write_text(_WAVE, "utf-8")
    commands = "src/ferrovia/server/table/commands.py"
    walk.change(commands, "    undo,\n)", "    undo,\n    wave,\n)")
    walk.change(
        commands,
        "    from_client.Pause: ",
        "    from_client.Wave: Handling(wave.wave),\n    from_client.Pause: ",
    )
    walk.change(
        "src/ferrovia/server/table/entries.py",
        "\nAnyEntry = (",
        '\n\nclass Waved(Entry, frozen=True, kw_only=True, tag="waved"):\n'
        "    seat: int\n\n\nAnyEntry = (\n    Waved |",
    )
    said = walk.code(start)
    assert "server/protocol/shown.py" in said
    walk.change(
        "src/ferrovia/server/protocol/shown.py",
        "\nAnyShown = (",
        '\n\nclass ShownWaved(Shown, frozen=True, kw_only=True, tag="waved"):\n'
        "    seat: int\n\n\nAnyShown = (\n    ShownWaved |",
    )
    assert walk.code(start) == ""
    follow = (
        "from ferrovia.server.table import entries, table;"
        "table.Table('t').apply(entries.Waved(at=1.0, seat=0))"
    )
    assert "server/table/parts/" in walk.code(follow)
    walk.change(
        "src/ferrovia/server/table/table.py",
        "            case entries.Rematched(",
        "            case entries.Waved():\n                pass\n"
        "            case entries.Rematched(",
    )
    assert walk.code(follow) == ""
    said = walk.test("tests/server/test_protocol.py", "-k", "documentation")
    assert "wave" in said
    for named in ("docs/protocol.md", "npm run types"):
        assert f"`{named}`" in RECIPES


_WAVE = """
from ferrovia.server.protocol import from_client
from ferrovia.server.table import entries
from ferrovia.server.table.context import Context


def wave(context: Context, command: from_client.Wave) -> list[entries.AnyEntry]:
    return [entries.Waved(at=context.now, by=context.actor.number, seat=0)]
"""


def test_a_language(walk: Walk) -> None:
    def test() -> str:
        return walk.test(
            "tests/test_languages.py", "tests/tutorial/test_notes.py", "-k", "language"
        )

    texts = walk.root / "src" / "ferrovia" / "texts"
    walk.change("src/ferrovia/languages.json", '"ro"', '"sv": "Svenska",\n  "ro"')
    assert "texts/sv.json is missing" in test()
    assert "`texts/`" in RECIPES
    (texts / "sv.json").write_text('{\n  "about.table": "Bord:"\n}\n', "utf-8")
    assert "texts/sv.json has no" in test()
    shutil.copy(texts / "en.json", texts / "sv.json")
    assert test() == ""
    speaks = (
        "from ferrovia.languages import LANGUAGES, catalogue;"
        "from ferrovia.server.http.pages.plain_page import preferred;"
        "assert preferred('sv-FI, en;q=0.5') == 'sv' in LANGUAGES;"
        "assert catalogue('sv')['server.not_found']"
    )
    assert walk.code(speaks) == ""
