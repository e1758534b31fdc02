"""Bots that people bring."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from ferrovia.bots import plugins
from ferrovia.bots.plugins import bring

MODULE = """
from ferrovia.bots import Bot

class Said(Bot):
    name = "said"

    def decide(self, view):
        return view.legal_actions()[0]

class First:
    name = "first"

    def decide(self, view):
        return view.legal_actions()[0]

class Chosen(First):
    def __init__(self, options, seed):
        self.options, self.seed = options, seed

class Inside:
    Bot = First

number = 7
def nothing(): return None
def needy(a, b, c): return First()
"""


@pytest.fixture(autouse=True)
def _module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_bots.py").write_text(MODULE)
    (tmp_path / "needs_more.py").write_text("import no_such_library\n")
    (tmp_path / "a_program.py").write_text("import json\njson.loads('')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "my_bots", raising=False)
    plugins._maker_at.cache_clear()
    plugins._offered.cache_clear()


def test_a_bot_is_found_where_its_name_says():
    assert bring("my_bots:First", 1).name == "first"
    assert bring("my_bots:Inside.Bot", 1).name == "first"
    assert bring("my_bots:Said", 1).name == "said"  # a class that says what it is
    chosen = bring("my_bots:Chosen:deep:3", 2)
    assert (chosen.options, chosen.seed) == ("deep:3", bytes(31) + b"\x02")
    assert bring("greedy", 1).name == "greedy"
    assert bring("program:python bot.py", 1).name == "program:python bot.py"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("no_such_module:It", "no bot and no module 'no_such_module'"),
        ("needs_more:It", "no bot and no module 'no_such_library'"),
        (
            "a_program:It",
            "'a_program' cannot be imported: JSONDecodeError: .* 'program:python a_pr",
        ),
        ("my_bots:Second", "the module 'my_bots' has no 'Second'"),
        ("my_bots:number", "makes no bots: it is 7"),
        ("my_bots:nothing", "None cannot decide"),
        ("my_bots:needy", "called with options and seed, or with nothing"),
        ("my_bots:First:deep", "has no options; what is 'deep'"),
        ("my_bots", "there is no bot 'my_bots'"),
        ("gredy", "did you mean greedy"),
        ("../x:It", "there is no bot '../x'"),
    ],
)
def test_what_is_wrong_with_a_name_is_told(name, reason):
    with pytest.raises(ValueError, match=reason):
        bring(name, 1)


def test_a_package_can_offer_bots(monkeypatch):
    points = [
        EntryPoint("chosen", "my_bots:Chosen", plugins.GROUP),
        EntryPoint("broken", "no_such_library:It", plugins.GROUP),
    ]
    monkeypatch.setattr(
        plugins, "entry_points", lambda group: points if group == plugins.GROUP else []
    )
    assert bring("chosen:deep", 1).options == "deep"
    with pytest.raises(ValueError, match="'broken' cannot be loaded: No module named"):
        bring("broken", 1)
