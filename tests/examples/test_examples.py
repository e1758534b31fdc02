"""The programs of `examples/` run as they are, and say what they promise."""

import runpy
import sys
from pathlib import Path

import pytest

from ferrovia import Game
from ferrovia.bots import registry
from ferrovia.bots.plugins import bring
from tests.server.support.processes import Server

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    """Run a program as the command line does, and return the lines that it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_makers", dict(registry._makers))

    def run_example(name: str, *arguments: str) -> list[str]:
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return capsys.readouterr().out.splitlines()

    return run_example


def test_every_example_is_in_the_readme_and_tested() -> None:
    names = {path.name for path in EXAMPLES.glob("*.py")}
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    tests = Path(__file__).read_text(encoding="utf-8")
    assert names == {name for name in names if f"[{name}]({name})" in readme}
    assert names == {name for name in names if f'run("{name}"' in tests}
    assert len(names) == 8


def test_best_claim(run) -> None:
    best, *others = run("best_claim.py")
    assert best.split()[1:] == ["claim", "el_paso-santa_fe", "blue", "blue"]
    assert len(others) == 4


def test_analyse_record(run, tmp_path: Path) -> None:
    lines = run("analyse_record.py")
    assert lines[-1] == "won by Ada"
    game = Game("usa", ["Ann", "Ben"], seed=1)
    path = tmp_path / "game.jsonl"
    path.write_text(game.record().text(), encoding="utf-8")
    assert "USA, 0 turns" in run("analyse_record.py", str(path))


def test_draw_board(run) -> None:
    [line] = run("draw_board.py", "picture.svg")
    assert line == "picture.svg: 47 cities, 3 long routes"
    assert Path("picture.svg").read_text(encoding="utf-8").startswith("<svg")


def test_own_bot(run) -> None:
    first, second = run("own_bot.py")
    assert first.split()[:2] == ["hoarder", "100%"]
    assert second.split()[:2] == ["random", "0%"]


def test_own_statistic(run) -> None:
    lines = run("own_statistic.py")
    assert [line.partition(":")[0] for line in lines] == ["seat 0", "seat 1"]


def test_learn_ppo(run) -> None:
    pytest.importorskip("torch")
    lines = run("learn_ppo.py")
    points = [int(line.split()[2]) for line in lines[:-1]]
    assert points[-1] > points[0] + 40
    assert int(lines[-1].removeprefix("won against greedy: ").rstrip("%")) > 50


def test_own_client(run, tmp_path: Path) -> None:
    with Server(str(tmp_path / "games.sqlite")) as server:
        ada, bot = run("own_client.py", server.address)
    assert ada.startswith("Ada: ")
    assert bot.startswith("greedy: ")


def test_model_bot(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("model_bot.py")
    fake = tmp_path / "fake.py"
    fake.write_text(
        "import re, sys\n"
        "asked = sys.stdin.read()\n"
        "again = 'none of the legal moves' in asked\n"
        "first = asked.partition('Legal moves:\\n')[2].splitlines()[0]\n"
        "print('Let me think.')\n"
        "print(re.sub(r' [|].*|  [(]R.*', '', first) if again else 'claim nowhere red')\n"
    )
    monkeypatch.syspath_prepend(str(EXAMPLES))
    bot = bring(f"model_bot:Model:{sys.executable} {fake}", 1)
    game = Game("usa", ["model", "bot"], seed=1)
    for _ in range(8):
        for seat in game.awaited:
            action = bot.decide(game.view(seat))
            assert str(action) == str(game.legal_actions(seat)[0])
            game.play(seat, action)
