"""Runs that are kept: tables, continuing, statistics and bots of your own."""

import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner, Result

from ferrovia.cli import main
from ferrovia.errors import install_command
from ferrovia.game import Game

FERROVIA = ["-c", "from ferrovia.cli import main; main(prog_name='ferrovia')"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def ferrovia(arguments: str) -> Result:
    return CliRunner().invoke(main, arguments.split(), catch_exceptions=False)


def simulate(arguments: str = "") -> Result:
    return ferrovia(f"simulate europe --bots greedy,random --games 600 --seed 7 {arguments}")


def rows(path: str) -> list[dict[str, Any]]:
    with Path(path).open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_table_on_disk_has_every_seat_of_every_game() -> None:
    result = simulate("--out night.csv --json")
    report, table = json.loads(result.stdout), rows("night.csv")
    assert len(table) == 1200
    for seat in (0, 1):
        mine = [row for row in table if row["seat"] == str(seat)]
        assert {row["bot"] for row in mine} == {("greedy", "random")[seat]}
        assert [int(row["game"]) for row in mine] == list(range(600))
        for key, name in (("total", "total"), ("won", "win_share"), ("turns", "")):
            mean = sum(float(row[key]) for row in mine) / 600
            shown = report["seats"][seat][name] if name else report["turns"]
            assert mean == pytest.approx(shown, abs=1e-3)


def test_every_row_tells_how_to_play_its_game_again() -> None:
    from ferrovia.bots import make

    simulate("--out night.csv")
    row, other = rows("night.csv")[246:248]
    seed = bytes.fromhex(row["seed"])
    game = Game("europe", 2, seed=seed)
    bots = [make(one["bot"], seed) for one in (row, other)]
    while not game.over:
        seat = game.awaited[0]
        game.play(seat, bots[seat].decide(game.view(seat)))
    assert [score.total for score in game.result().scores] == [
        int(row["total"]),
        int(other["total"]),
    ]
    assert game.view(None).first == (0 if row["place"] == "0" else 1)


def test_parquet_holds_the_same_table() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    simulate("--out night.csv")
    simulate("--out other.parquet --workers 2")
    found = parquet.read_table("other.parquet").to_pylist()
    assert [{name: str(value) for name, value in row.items()} for row in found] == rows("night.csv")


def test_without_pyarrow_it_is_reported_before_a_game_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = simulate("--out night.parquet")
    assert result.exit_code == 2
    assert install_command("parquet") in result.stderr
    assert list(Path().iterdir()) == []


RUN = "simulate usa --bots random,random --games 2000 --seed 1 --stat gate:Gate --out"
GATE = """
import time
from pathlib import Path
from ferrovia.lab.accumulators import Accumulator

class Gate(Accumulator):
    # The first batches take a second and are kept; the last three wait for the gate.
    def games(self, games):
        self.totals["games"] += len(games)
        if not Path("open").exists():
            time.sleep(0.5)
        while len(games) and games.numbers[0] >= 1280 and not Path("open").exists():
            time.sleep(0.01)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["ctrl-c", "kill -9"])
def test_a_run_that_was_ended_goes_on_to_the_same_table(how: signal.Signals) -> None:
    Path("gate.py").write_text(GATE)
    cut = [sys.executable, *FERROVIA, *RUN.split(), "cut.csv", "--workers", "2"]
    process = subprocess.Popen(cut, stderr=subprocess.PIPE)
    while process.poll() is None and not (
        Path("cut.run").exists() and Path("cut.run").stat().st_size > 130_000
    ):
        time.sleep(0.02)
    process.send_signal(how)
    Path("open").touch()
    process.communicate()
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    again = ferrovia(f"{RUN} cut.csv")
    assert again.exit_code == 2
    assert "cut.run exists already: go on with --continue" in again.stderr
    resumed = ferrovia(f"{RUN} cut.csv --continue")
    assert resumed.exit_code == 0, resumed.stderr
    assert ferrovia(f"{RUN} whole.csv").exit_code == 0
    assert Path("cut.csv").read_bytes() == Path("whole.csv").read_bytes()


def test_a_run_is_continued_with_the_seed_it_was_begun_with() -> None:
    run = "simulate usa --bots random,random --out night.csv --json"
    first = json.loads(ferrovia(f"{run} --games 5").stdout)
    more = json.loads(ferrovia(f"{run} --games 9 --continue").stdout)
    assert (more["seed"], more["games"]) == (first["seed"], 9)
    assert len(rows("night.csv")) == 18


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--out night.xlsx", "must end in .run, .parquet or .csv"),
        ("--continue", "--continue needs the file of the run"),
        ("--out nowhere/night.csv", "there is no folder nowhere"),
        ("--report nowhere/night.html", "there is no folder nowhere"),
        ("--stat long_routes", "module:Class"),
        ("--stat no_such_module:It", "no module 'no_such_module'"),
        ("--out night.csv --continue --seed 8", "cannot be continued: its seed is 7"),
        ("--out night.csv --continue --games 3", "a run of 600 games, not of 3"),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(arguments: str, message: str) -> None:
    simulate("--out night.csv")
    before = {path: path.read_bytes() for path in Path().iterdir()}
    result = simulate(arguments)
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert message in line
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


STATISTIC = """
from ferrovia.game.events import Claim
from ferrovia.lab.accumulators import Accumulator

class LongRoutes(Accumulator):
    def start(self, game):
        self.length = {route.id: route.length for route in game.edition.board.routes}

    def event(self, event):
        if isinstance(event, Claim) and self.length[event.route] >= 6:
            self.totals["long routes"] += 1
"""


def test_a_statistic_of_your_own_is_counted_in_all_workers_and_kept() -> None:
    Path("my_statistics.py").write_text(STATISTIC)
    own = "--stat my_statistics:LongRoutes"
    one, other = (
        json.loads(simulate(f"{own} --json {workers}").stdout)["statistics"]
        for workers in ("", "--workers 2")
    )
    assert one == other
    mean = one["my_statistics:LongRoutes"]["long routes"]
    assert 0.05 < mean < 5
    assert f"long routes: {mean}" in simulate(own).stdout
    simulate(f"{own} --out night.csv --games 300")
    kept = json.loads(simulate(f"{own} --out night.csv --continue --json").stdout)["statistics"]
    assert kept == one


BOT = """
class Last:
    name = "last"

    def decide(self, view):
        return view.legal_actions()[-1]

class Failing(Last):
    def decide(self, view):
        raise ZeroDivisionError("my own mistake")
"""


WRONG_BOTS = """
class Silent:
    def decide(self, view):
        return None

class Wrong:
    def decide(self, view):
        return "withdraw" if view.turns else view.legal_actions()[0]

def Unmade(options, seed):
    if any(seed[:31]):  # not the one that is made to see whether it can be
        {}["weights"]
    return Silent()
"""


def test_bots_of_your_own_play_in_all_workers() -> None:
    Path("bots_of_mine.py").write_text(BOT)
    run = "simulate usa --bots bots_of_mine:Last,greedy --games 4 --seed 1 --json"
    one, other = (json.loads(ferrovia(f"{run} --workers {n}").stdout) for n in (1, 2))
    assert one["seats"] == other["seats"]
    assert one["seats"][0]["bot"] == "bots_of_mine:Last"
    assert "no module 'nobody'" in ferrovia("simulate usa --bots nobody:It,greedy").stderr


def failure(run: str) -> str:
    """Return what a command writes to stderr that fails because of a bot."""
    done = subprocess.run(
        [sys.executable, *FERROVIA, *shlex.split(run)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    return done.stderr


@pytest.mark.parametrize("workers", [1, 2])
def test_a_mistake_in_your_own_bot_is_one_line_with_the_game_and_how_to_repeat_it(
    workers: int,
) -> None:
    Path("bots_of_mine.py").write_text(BOT)
    bots = "greedy,bots_of_mine:Failing"
    run = f"simulate usa --bots {bots} --games 4 --seed 7 --first-game 3 --workers {workers}"
    [line] = failure(run).splitlines()
    said, _, command = line.partition("; to repeat it: ")
    game = int(re.search(r"in game (\d+) of seed 7", said)[1])  # type: ignore[index]
    assert said == (
        f"ferrovia: the bot bots_of_mine:Failing at seat 1 failed in game {game} of seed 7: "
        "ZeroDivisionError: my own mistake (bots_of_mine.py:10)"
    )
    assert command == (
        f"ferrovia simulate usa --bots {bots} --games 1 --seed 7 --first-game {game} --verbose"
    )
    if workers == 1:
        trace, last = failure(command.removeprefix("ferrovia ")).rsplit("ferrovia: ", 1)
        assert trace.startswith("Traceback")
        assert 'raise ZeroDivisionError("my own mistake")' in trace
        assert f"in game {game} of seed 7" in last


def test_a_mistake_in_a_tournament_is_repeated_by_simulate() -> None:
    Path("bots_of_mine.py").write_text(BOT)
    bots = "bots_of_mine:Failing,greedy"
    [line] = failure(f"tournament usa --bots {bots} --games 2 --seed 7").splitlines()
    assert "the bot bots_of_mine:Failing at seat 0 failed in game 0 of seed 7" in line
    assert line.endswith(f"ferrovia simulate usa --bots {bots} --games 1 --seed 7 --verbose")


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("Silent", "decide returned None, which is no action"),
        ("Wrong", "there is nothing to pay (R7.2)"),
        ("Unmade", "KeyError: 'weights' (own_bots.py:12)"),
    ],
)
def test_whatever_a_bot_does_wrong_is_named(bot: str, reason: str) -> None:
    Path("own_bots.py").write_text(WRONG_BOTS)
    result = ferrovia(f"simulate usa --bots greedy,own_bots:{bot} --games 1 --seed 7")
    assert result.exit_code == 2, result.output
    [line] = result.stderr.splitlines()
    assert f"the bot own_bots:{bot} at seat 1 failed in game 0 of seed 7: {reason}; " in line


def test_a_bot_that_cannot_be_made_is_one_line_before_a_game_is_played() -> None:
    Path("half_a_bot.py").write_text("class Half:\n    weights = nothing\n")
    run = "simulate usa --bots greedy,half_a_bot:Half"
    result = ferrovia(run)
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert "half_a_bot:Half cannot be made: NameError: name 'nothing' is not defined" in line
    assert "(half_a_bot.py:2)" in line
    assert "Traceback" in ferrovia(f"{run} --verbose").stderr


@patch.dict(os.environ)  # Ray changes it
def test_the_same_games_on_a_ray_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    Path("bots_of_mine.py").write_text(BOT)
    Path("my_statistics.py").write_text(STATISTIC)
    run = "simulate usa --bots bots_of_mine:Last,greedy --games 4 --seed 1"
    own = "--stat my_statistics:LongRoutes"
    here = json.loads(ferrovia(f"{run} {own} --json").stdout)
    assert ferrovia(f"{run} --out here.csv").exit_code == 0
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        there = json.loads(ferrovia(f"{run} {own} --json --ray auto").stdout)
        assert ferrovia(f"{run} --out there.csv --ray auto").exit_code == 0
        failing = ferrovia("simulate usa --bots nobody,greedy --ray auto")
        assert failing.exit_code == 2
        wrong = ferrovia("simulate usa --bots bots_of_mine:Failing,greedy --games 3 --ray auto")
        assert wrong.exit_code == 2
        assert "bots_of_mine:Failing at seat 0 failed in game " in wrong.stderr
    finally:
        ray.shutdown()
    assert here == there
    assert Path("here.csv").read_bytes() == Path("there.csv").read_bytes()


def test_without_ray_it_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = simulate("--ray local")
    assert result.exit_code == 2
    assert install_command("ray") in result.stderr


def test_a_tournament_is_continued_to_the_same_standings() -> None:
    run = "tournament usa-classic --bots random,greedy,wary --games 8 --seed 3"
    whole = ferrovia(f"{run} --out whole.csv --picture whole.svg")
    assert whole.exit_code == 0
    assert Path("whole.svg").read_text().startswith("<svg")
    assert {row["match"] for row in rows("whole.csv")} >= {"random,greedy", "greedy,random"}
    ferrovia(f"{run.replace('8', '4')} --out part.run")
    assert "exists already" in ferrovia(f"{run} --out part.run").stderr
    again = ferrovia(f"{run} --out part.run --continue")
    assert again.stdout.splitlines()[:-1] == whole.stdout.splitlines()[:-2]
    other = ferrovia(f"{run.replace('wary', 'racer')} --out part.run --continue")
    assert "cannot be continued: its bots are different" in other.stderr


def test_a_tournament_for_programs() -> None:
    run = "tournament usa-classic --bots random,greedy --games 8 --seed 3 --json"
    result = json.loads(ferrovia(f"{run} --anchor random=-181").stdout)
    assert (result["games"], result["anchor"]) == (8, {"bot": "random", "elo": -181})
    [random, greedy] = result["bots"]
    assert random["elo"] == -181 < greedy["elo"]
    [pair] = result["pairs"]
    assert pair["confidence"][0] <= pair["win_share"] <= pair["confidence"][1]
    again = json.loads(ferrovia(f"{run} --anchor random=-181 --workers 2").stdout)
    assert result == again


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--bots greedy,random --games 7", "must be even"),
        ("--bots greedy", "two bots or more"),
        ("--bots greedy,random --anchor wary=3", "--anchor is one of the bots"),
        ("--bots greedy,random --anchor greedy=high", "'high' is not a rating"),
        ("--bots greedy,random --picture matrix.gif", "must end in .svg or .png"),
        ("--bots greedy,random --picture nowhere/matrix.svg", "there is no folder nowhere"),
        ("--bots greedy,random --out league.txt", "must end in .run, .parquet or .csv"),
    ],
)
def test_tournaments_that_make_no_sense(arguments: str, message: str) -> None:
    result = ferrovia(f"tournament usa {arguments}")
    assert result.exit_code == 2
    assert message in result.stderr


def test_one_command_plays_and_reports_and_a_report_can_be_made_later() -> None:
    pytest.importorskip("matplotlib")
    assert simulate("--out night.csv --report page.html").exit_code == 0
    page = Path("page.html").read_text()
    assert ferrovia("report night.csv").stdout == "night.html\n"
    assert Path("night.html").read_text() == page
    assert simulate("--report alone.html --workers 2").exit_code == 0
    assert Path("alone.html").read_text() == page
    ferrovia("simulate usa --bots greedy,greedy --games 20 --seed 1 --out other.csv")
    assert ferrovia("report --compare night.run other.run --out both.html").exit_code == 0
    assert "<h1>night.run and other.run</h1>" in Path("both.html").read_text()
    for count in (2, 3, 4):
        bots = ",".join(["greedy"] * count)
        ferrovia(f"simulate usa --bots {bots} --games 9 --seed 1 --out with-{count}.csv")
    assert ferrovia("report --compare with-2.run with-3.run with-4.run -o all.html").exit_code == 0
    page = Path("all.html").read_text()
    assert "<h1>with-2, with-3, with-4</h1>" in page
    assert page.count('<div class="map">') == 3


def test_reports_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    simulate("--games 3 --out night.csv")
    Path("letter.run").write_text("no run at all " * 1000)
    for arguments, message in (
        ("nowhere.run", "does not exist"),
        ("letter.run", "not a run file"),
        ("night.run night.run", "several with --compare"),
        ("--compare night.run", "--compare needs two"),
        ("night.run -o nowhere/page.html", "there is no folder nowhere"),
    ):
        result = ferrovia(f"report {arguments}")
        assert result.exit_code == 2
        assert message in result.stderr, arguments
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for arguments in ("report night.run", "simulate usa --bots random,random --report page.html"):
        result = ferrovia(arguments)
        assert result.exit_code == 2
        assert install_command("report") in result.stderr
    assert not Path("page.html").exists()
