"""Curves of learners: when an opponent is met, and what the page shows."""

import json
import re

import pytest

from research import baselines


def test_it_meets_the_opponent_at_the_start_now_and_then_and_at_the_end(tmp_path, monkeypatch):
    clock, file = [0.0], tmp_path / "curve.jsonl"
    monkeypatch.setattr(baselines.time, "process_time", lambda: clock[0])
    kept = baselines.Clock(file, "loop", seconds=70.0)

    def meet():
        clock[0] += 1000.0  # which is no learning
        return 0.25

    decisions = 0
    while kept.report(decisions, meet):
        clock[0] += 20.0
        decisions += 512
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row["seconds"] for row in rows] == [0.0, 40.0, 80.0]
    assert [row["decisions"] for row in rows] == [0, 1024, 2048]
    assert {row["share"] for row in rows} == {0.25}


def test_the_page_has_the_curve_and_three_rows_of_every_learner():
    shares = {"sb3": (0.0, 0.01, 0.02, 0.1), "loop": (0.0, 0.5, 1.0)}
    rows = [
        {"who": who, "seconds": 30.0 * n, "decisions": 9000 * n, "games": 100, "share": share}
        for who, found in shares.items()
        for n, share in enumerate(found)
    ]
    table = baselines.table(rows).splitlines()
    assert len(table) == 2 + 3 * 2
    assert "| 30 | 9,000 | 50%, 40% to 60% |" in table[3]
    picture = baselines.picture(rows)
    lines = re.findall(r'<polyline points="([^"]*)"', picture)
    assert [len(line.split()) for line in lines] == [3, 4]
    first, *_, last = (tuple(map(float, at.split(","))) for at in lines[0].split())
    assert first[0] < last[0]
    assert first[1] > last[1]  # up


def test_the_loop_of_the_example_is_a_learner(monkeypatch):
    pytest.importorskip("torch")
    example = baselines.import_module("examples.learn_ppo")
    monkeypatch.setattr(example, "GAMES", 4)
    monkeypatch.setattr(baselines, "_GAMES", 2)
    met = []

    def report(decisions, meet):
        met.append((decisions, meet()))
        return len(met) < 2

    baselines.LEARNERS["loop"](report)
    assert [decisions for decisions, _ in met] == [128, 256]
    assert all(0.0 <= share <= 1.0 for _, share in met)
