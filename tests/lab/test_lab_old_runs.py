"""Run files of earlier versions: they open, and they go on where the games are still the same.

The files in `runs` were written by version 0.1.0, which kept the statistics of the report under the
paths of their modules: `simulate europe --bots greedy,greedy --seed 3`, 600 games, finished and
stopped after 256; and `tournament usa-classic --bots random,greedy --games 8 --seed 3`.
"""

import gzip
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from ferrovia.cli import main
from ferrovia.lab.report import report
from ferrovia.lab.report.study import Study
from ferrovia.lab.run.run_file import RunFile
from ferrovia.lab.statistics import for_report

pytestmark = pytest.mark.xdist_group("report")  # Matplotlib is loaded once

RUNS = Path(__file__).parent / "runs"
SIMULATE = "simulate europe --bots greedy,greedy --games 600 --seed 3 --out"
TOURNAMENT = "tournament usa-classic --bots random,greedy --games 16 --seed 3 --json --out"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def old(name: str) -> Path:
    """A copy of an old run file, to read or to continue."""
    path = Path(f"{name}.run")
    path.write_bytes(gzip.decompress((RUNS / f"{name}.run.gz").read_bytes()))
    return path


def ferrovia(arguments: str) -> Result:
    return CliRunner().invoke(main, arguments.split(), catch_exceptions=False)


def totals(path: Path) -> dict[str, Any]:
    with RunFile.read(path) as file:
        return {
            f"{one.id} {name}": np.asarray(value).tolist()
            for one in for_report()
            for name, value in file.totals(one.id).items()
        }


def test_an_old_run_has_everything_that_a_report_needs() -> None:
    study = Study.read(old("finished"))
    assert study.games == 600
    assert set(study.totals) == {one.id for one in for_report()}
    assert study.own == {}


def test_a_report_is_made_from_an_old_run() -> None:
    pytest.importorskip("matplotlib")
    assert ferrovia(f"report {old('finished')} -o old.html").exit_code == 0
    assert ferrovia(f"{SIMULATE} new.run").exit_code == 0
    assert Path("old.html").read_text() == report(Study.read(Path("new.run")))


def test_an_old_run_that_was_interrupted_goes_on_to_the_totals_of_a_new_one() -> None:
    path = old("interrupted")
    with RunFile.read(path) as file:
        assert file.done(0) == [range(256)]
    assert ferrovia(f"{SIMULATE} new.csv").exit_code == 0
    continued = ferrovia(f"{SIMULATE} interrupted.csv --continue")
    assert continued.exit_code == 0, continued.stderr
    assert Path("interrupted.csv").read_bytes() == Path("new.csv").read_bytes()
    assert totals(path) == totals(Path("new.run"))
    with RunFile.read(path) as one, RunFile.read(Path("new.run")) as other:
        assert one.head == other.head
    with sqlite3.connect(path) as database:
        kept = database.execute("SELECT statistic FROM totals").fetchall()
    assert sorted(kept) == sorted((one.id,) for one in for_report())


def test_an_old_tournament_goes_on_to_the_table_of_a_new_one() -> None:
    old("league")
    assert ferrovia(f"{TOURNAMENT} league.csv --continue").exit_code == 0
    assert ferrovia(f"{TOURNAMENT} new.csv").exit_code == 0
    assert Path("league.csv").read_bytes() == Path("new.csv").read_bytes()


def test_an_old_run_whose_games_were_others_is_refused_in_one_line() -> None:
    path = old("interrupted")
    with sqlite3.connect(path) as database:
        [(results,)] = database.execute("SELECT results FROM batches")
        other = bytes([results[0] ^ 3, *results[1:]])  # another winner of the first game
        database.execute("UPDATE batches SET results = ?", (other,))
    before = path.read_bytes()
    refused = ferrovia(f"{SIMULATE} interrupted.run --continue")
    assert refused.exit_code == 2
    assert refused.stderr.splitlines() == [
        "ferrovia: interrupted.run cannot be continued: it was begun with another version of "
        "Ferrovia, whose games differ"
    ]
    assert path.read_bytes() == before
