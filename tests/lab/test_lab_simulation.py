"""Runs of many games: reproducible, whatever plays them, and never half written."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ferrovia.boards import load_edition
from ferrovia.bots import registry
from ferrovia.bots.kernel import scripts
from ferrovia.bots.kernel.kernel_bot import ScriptedBot
from ferrovia.game import Game
from ferrovia.lab.results import RESULT
from ferrovia.lab.run import batches
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.run import simulate, stop_switch

BOTS = ("greedy", "random", "greedy")


def run(plan: Plan, workers: int = 1) -> bytes:
    return b"".join(results.tobytes() for results in simulate(plan, workers))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture
def bots_in_words() -> Iterator[None]:
    """The scripted bots once more, under names that no compiled code knows."""
    for kind, name in enumerate(scripts.SCRIPTS):
        registry.register(
            f"{name}-in-words", lambda _options, seed, kind=kind: ScriptedBot(kind, seed)
        )
    yield
    for name in scripts.SCRIPTS:
        del registry._makers[f"{name}-in-words"]


def test_results_and_records_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    results, records = [], []
    for workers in (1, 3):  # tests/cli has two
        folder = tmp_path / str(workers)
        folder.mkdir()
        plan = Plan(load_edition("europe"), BOTS, games=50, seed=7, folder=folder)
        results.append(run(plan, workers))
        records.append(contents(folder))
    assert results[0] == results[1]
    assert records[0] == records[1]
    assert len(records[0]) == 50
    assert len(results[0]) == 50 * RESULT.size


def test_every_seed_and_number_is_another_game() -> None:
    plans = [
        Plan(load_edition("usa"), ("random", "random"), games=20, seed=seed) for seed in (1, 2)
    ]
    games = [
        results[place : place + 1].tobytes()
        for plan in plans
        for results in simulate(plan)
        for place in range(len(results))
    ]
    assert len(set(games)) == 40


def test_one_game_of_a_run_can_be_played_again_alone(tmp_path: Path) -> None:
    whole, alone = tmp_path / "whole", tmp_path / "alone"
    whole.mkdir()
    alone.mkdir()
    run(Plan(load_edition("usa"), BOTS, games=20, seed=7, folder=whole))
    run(Plan(load_edition("usa"), BOTS, games=1, seed=7, first=13, folder=alone))
    [(name, record)] = contents(alone).items()
    assert name == "usa-3p-seed7-000013.jsonl"
    assert contents(whole)[name] == record


@pytest.mark.parametrize("name", ["usa-classic", "europe-1912", "mega-europe", "big-cities"])
def test_records_prove_themselves(name: str, tmp_path: Path) -> None:
    plan = Plan(load_edition(name), ("greedy", "random"), games=4, seed=1, folder=tmp_path)
    [results] = simulate(plan)
    for row, (file, record) in zip(results.table, contents(tmp_path).items(), strict=True):
        game = Game.from_record(record)
        assert game.over
        assert game.names == ("bot:greedy", "bot:random")
        assert game.edition.id == name
        assert file.startswith(f"{name}-2p-seed1-")
        scores = game.result().scores
        assert [score.total for score in scores] == row["total"][:2].tolist()
        assert [len(score.completed) for score in scores] == row["completed"][:2].tolist()
        assert [len(score.failed) for score in scores] == row["failed"][:2].tolist()
        assert game.view(None).turns == row["turns"]


def test_a_board_of_your_own_is_held_in_the_records(tmp_path: Path) -> None:
    board = load_edition(Path(__file__).parent.parent / "boards" / "small.json")
    [_] = simulate(Plan(board, ("random", "greedy"), games=3, seed=1, folder=tmp_path))
    for record in contents(tmp_path).values():
        assert Game.from_record(record).edition == board


@pytest.mark.usefixtures("bots_in_words")
def test_bots_without_a_script_play_the_same_games_through_the_words(tmp_path: Path) -> None:
    compiled, worded = tmp_path / "compiled", tmp_path / "worded"
    compiled.mkdir()
    worded.mkdir()
    names = tuple(f"{bot}-in-words" for bot in BOTS)
    one = run(Plan(load_edition("europe"), BOTS, games=3, seed=7, folder=compiled))
    other = run(Plan(load_edition("europe"), names, games=3, seed=7, folder=worded))
    assert one == other
    for name, record in contents(worded).items():
        assert record.replace(b"-in-words", b"") == contents(compiled)[name]


def test_a_game_with_more_events_than_expected_is_recorded_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, tight = tmp_path / "usual", tmp_path / "tight"
    usual.mkdir()
    tight.mkdir()
    run(Plan(load_edition("usa"), BOTS, games=2, seed=7, folder=usual))
    monkeypatch.setattr(batches, "_ROWS", 8)
    run(Plan(load_edition("usa"), BOTS, games=2, seed=7, folder=tight))
    assert contents(usual) == contents(tight)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_stopped_keeps_exactly_what_was_finished(
    workers: int, tmp_path: Path
) -> None:
    plan = Plan(load_edition("usa"), ("random", "random"), games=100_000, seed=7, folder=tmp_path)
    stop = stop_switch(workers)
    games = 0
    for results in simulate(plan, workers, stop):
        stop.set()
        games += len(results)
    assert 0 < games < 100_000
    records = contents(tmp_path)
    assert len(records) == games
    for record in records.values():
        assert Game.from_record(record).over


def test_a_run_that_nobody_reads_any_more_ends_its_workers(tmp_path: Path) -> None:
    plan = Plan(load_edition("usa"), ("random", "random"), games=100_000, seed=7, folder=tmp_path)
    run = simulate(plan, 2)
    next(run)
    run.close()  # type: ignore[attr-defined]
    assert not [path for path in tmp_path.iterdir() if path.suffix != ".jsonl"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_folder_that_is_gone_is_reported_wherever_the_game_was_played(
    workers: int, tmp_path: Path
) -> None:
    plan = Plan(load_edition("usa"), ("random", "random"), 40, seed=7, folder=tmp_path / "gone")
    with pytest.raises(FileNotFoundError, match="gone"):
        run(plan, workers)


def test_a_record_that_cannot_be_finished_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        run(Plan(load_edition("usa"), ("random", "random"), games=1, seed=7, folder=tmp_path))
    assert contents(tmp_path) == {}


def test_plans_that_cannot_be_played_are_refused() -> None:
    with pytest.raises(ValueError, match="2 to 5 players, not 1"):
        Plan(load_edition("usa"), ("random",), games=1, seed=0)
    with pytest.raises(ValueError, match=r"no bot 'rando'.*random"):
        Plan(load_edition("usa"), ("random", "rando"), games=1, seed=0)


def test_chance_decides_who_begins(tmp_path: Path) -> None:
    run(Plan(load_edition("usa"), BOTS, games=30, seed=7, folder=tmp_path))
    first = [Game.from_record(record).view(None).first for record in contents(tmp_path).values()]
    assert set(first) == {0, 1, 2}
    assert np.bincount(first).min() > 2
