"""The page of a run, from its logs."""

import json
import re
from xml.etree import ElementTree

from ferrovia.learn.config import recipe_of
from ferrovia.learn.curves import Curve, chart, read_log, write_page

RECIPE = recipe_of(
    {
        "name": "<toy>",
        "games": [{"edition": "usa", "players": 2}, {"edition": "usa", "players": 4}],
    }
)
MEASURES = ("points", "tickets", "kept", "completed", "stations", "entropy", "value", "kl")


def line(seconds):
    told = {"iteration": seconds, "seconds": seconds, "games": 9, "decisions": 3_000_000 * seconds}
    return {**told, **dict.fromkeys((*MEASURES, "clipped"), seconds / 7)}


def evaluation(seconds, share, against=None):
    kind = {"edition": "usa", "games": 64, "half": 0.05, "points": 110.0}
    # As evaluations were written before they met others than planner, and as they are now.
    theirs = {"planner": 99.0} if against is None else {"opponent": 88.5}
    kinds = [{**kind, **theirs, "players": players, "share": share} for players in (2, 4)]
    return {"seconds": seconds, "kinds": kinds, **({"against": against} if against else {})}


def numbers_in(svg):
    return [text.text for text in ElementTree.fromstring(svg).iter("text")]


def test_a_page_shows_how_a_run_went(tmp_path):
    logs = {
        "train": [line(1), line(2), line(4)],
        "evaluation": [
            evaluation(2, 0.61),
            evaluation(4, 0.72, "planner"),
            evaluation(4, 0.93, "greedy"),
        ],
    }
    for name, rows in logs.items():
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(text + '{"cut', encoding="utf-8")
    page = write_page(tmp_path, RECIPE).read_text(encoding="utf-8")
    assert "&lt;toy&gt;" in page
    assert "usa with 2, 4 seats" in page
    assert "12.0 M" in page  # decisions
    assert page.count("72.0%") == 2
    assert "61.0%" not in page  # the table is the last evaluation
    charts = re.findall(r"<svg.*?</svg>", page)
    assert len(charts) == 8
    assert page.count("93.0%") == 2
    assert page.count("88.5") == 4
    assert all(numbers_in(svg) for svg in charts)
    assert {"usa 2", "usa 4"} <= set(numbers_in(charts[0]))
    assert {"planner", "greedy"} <= set(numbers_in(charts[1]))
    assert not list(tmp_path.glob(".*.unfinished"))


def test_a_run_that_has_logged_nothing_has_a_page(tmp_path):
    assert read_log(tmp_path / "train.jsonl") == []
    assert "Nothing has been logged yet" in write_page(tmp_path, RECIPE).read_text(encoding="utf-8")


def test_axes_hold_all_that_is_drawn():
    for low, high in ((0.51, 0.89), (3, 3), (0, 0), (-2, 5), (1e-5, 4e-5), (99, 101)):
        svg = chart([Curve("x", [(0, low), (70, high)])], "some")
        spots = re.search(r'points="([^"]*)"', svg)[1].split()
        for x, y in (map(float, spot.split(",")) for spot in spots):
            assert 52 <= x <= 548
            assert 12 <= y <= 222
