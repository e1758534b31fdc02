"""Runs on disk: stopped at any moment and continued, they give what they would have given."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ferrovia.boards import load_edition
from ferrovia.lab.report.study import Study
from ferrovia.lab.run import run_file
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.run import play_run
from ferrovia.lab.run.run_file import RunFile, RunFileError, head_of
from ferrovia.lab.run.table_file import write_table
from ferrovia.lab.statistics import for_report

pytestmark = pytest.mark.xdist_group("run file")  # the whole one is played once

GAMES = 1100  # a few batches, the last of which is not full


def plan(games: int = GAMES, bots: tuple[str, ...] = ("greedy", "random"), **changes: Any) -> Plan:
    changes = {"edition": load_edition("usa"), "seed": 7, **changes}
    return Plan(bots=bots, games=games, **changes)


def opened(path: Path, what: Plan) -> RunFile:
    return RunFile.resume(path, head_of("simulate", [what], for_report()), [what.games])


def played(path: Path, what: Plan) -> Iterator[Any]:
    with opened(path, what) as file:
        yield from play_run([what], for_report(), file)


def contents(path: Path) -> dict[str, Any]:
    """Everything in a run file that a table or a report is made of."""
    with RunFile.read(path) as file:
        write_table(path.with_suffix(".csv"), file)
        found: dict[str, Any] = {"table": path.with_suffix(".csv").read_bytes()}
        for one in for_report():
            for name, value in file.totals(one.id).items():
                found[f"{one.id} {name}"] = np.asarray(value).tolist()
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("whole") / "whole.run"
    assert sum(len(batch.games) for batch in played(path, plan())) == GAMES
    return contents(path)


@pytest.mark.parametrize("batches", [1, 2, 4])
def test_a_run_that_is_left_and_continued_is_whole(
    batches: int, tmp_path: Path, whole: dict[str, Any]
) -> None:
    path = tmp_path / "left.run"
    begun = played(path, plan())
    for _ in range(batches):
        next(begun)
    begun.close()  # type: ignore[attr-defined]
    assert contents(path) != whole
    seen = [batch.games for batch in played(path, plan())]
    assert sorted(number for games in seen for number in games) == list(range(GAMES))
    assert contents(path) == whole


def test_what_was_not_committed_is_played_again(
    tmp_path: Path, whole: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "cut.run"
    monkeypatch.setattr(run_file, "_PATIENCE", 1e9)
    file = opened(path, plan())
    for number, _ in enumerate(play_run([plan()], for_report(), file)):
        if number == 1:
            file._commit()  # the first two batches, with their totals
        if number == 3:
            break
    file._database.close()  # as if the power had gone
    with RunFile.read(path) as left:
        assert left.done(0) == [range(256), range(256, 512)]
    list(played(path, plan()))
    assert contents(path) == whole


def test_a_run_can_be_made_longer(tmp_path: Path, whole: dict[str, Any]) -> None:
    path = tmp_path / "longer.run"
    list(played(path, plan(300)))
    list(played(path, plan(GAMES)))
    assert contents(path) == whole
    with pytest.raises(RunFileError, match="a run of 1100 games, not of 300"):
        list(played(path, plan(300)))


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (plan(bots=("random", "greedy")), "its bots are different"),
        (plan(seed=8), "its seed is 7"),
        (plan(first=5), "its first game is number 0"),
        (plan(edition=load_edition("usa-classic")), "another edition .*USA"),
    ],
    ids=["bots", "seed", "first", "edition"],
)
def test_another_run_is_refused_and_nothing_changes(
    other: Plan, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.run"
    list(played(path, plan(20)))
    before = path.read_bytes()
    with pytest.raises(RunFileError, match=reason):
        list(played(path, other))
    assert path.read_bytes() == before


def test_other_statistics_and_kinds_are_refused(tmp_path: Path) -> None:
    path, what = tmp_path / "mine.run", plan(20)
    list(played(path, what))
    with pytest.raises(RunFileError, match="other statistics"):
        RunFile.resume(path, head_of("simulate", [what], ()), [20])
    with pytest.raises(RunFileError, match="begun with ferrovia simulate"):
        RunFile.resume(path, head_of("tournament", [what], for_report()), [20])


def test_a_run_of_another_program_goes_on_if_the_games_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: dict[str, Any]
) -> None:
    path = tmp_path / "moved.run"
    monkeypatch.setattr(run_file, "_program", lambda: "other")
    list(played(path, plan(300)))
    monkeypatch.undo()
    list(played(path, plan()))
    assert contents(path) == whole


def test_a_run_of_another_program_with_other_games_is_refused_and_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.run"
    monkeypatch.setattr(run_file, "_program", lambda: "other")
    list(played(path, plan(300)))
    monkeypatch.undo()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE batches SET results = zeroblob(length(results))")
    before = path.read_bytes()
    with pytest.raises(RunFileError, match="another version of Ferrovia, whose games differ"):
        list(played(path, plan()))
    assert path.read_bytes() == before


def test_a_run_is_never_begun_over_another(tmp_path: Path) -> None:
    path, what = tmp_path / "mine.run", plan(20)
    list(played(path, what))
    with pytest.raises(RunFileError, match="exists already"):
        RunFile.begin(path, head_of("simulate", [what], ()), [20])


def test_files_that_are_no_runs_are_refused(tmp_path: Path) -> None:
    text, database = tmp_path / "text.run", tmp_path / "database.run"
    text.write_text("This is a letter, and no run file at all.\n" * 200)
    with sqlite3.connect(database) as other:
        other.execute("CREATE TABLE run (head BLOB)")
    for path in (text, database):
        with pytest.raises(RunFileError, match="not a run file"):
            opened(path, plan(20))
    with pytest.raises(RunFileError, match="there is no run file"):
        RunFile.read(tmp_path / "nothing.run")
    (tmp_path / "notes.txt").write_text("my notes")
    with pytest.raises(RunFileError, match=r"notes\.txt is not of ferrovia simulate"):
        Study.read(tmp_path / "notes.txt")


def test_a_file_is_written_by_one_at_a_time_and_read_by_all(tmp_path: Path) -> None:
    path = tmp_path / "busy.run"
    begun = played(path, plan())
    next(begun)
    with pytest.raises(RunFileError, match="being written by another process"):
        opened(path, plan())
    with RunFile.read(path) as reader:
        assert reader.edition == load_edition("usa")
        assert reader.asked(0) == GAMES
    begun.close()  # type: ignore[attr-defined]


def test_a_full_disk_is_reported_and_what_was_kept_stays(tmp_path: Path) -> None:
    path = tmp_path / "full.run"
    begun = played(path, plan())
    next(begun)
    begun.close()  # type: ignore[attr-defined]
    kept = contents(path)
    file = opened(path, plan())
    [[pages]] = file._database.execute("PRAGMA page_count")
    file._database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(RunFileError, match="full"):
        list(play_run([plan()], for_report(), file))
    file._database.close()
    assert contents(path) == kept
