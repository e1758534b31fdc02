"""The report for people who make boards."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ferrovia.boards
from ferrovia.boards import check

Write = Callable[[Any], Path]


def test_a_sound_board_has_a_summary(small_path: Path) -> None:
    report = check(small_path)
    assert report.ok
    summary = report.summary
    assert summary is not None
    assert (summary.cities, summary.routes, summary.spaces) == (5, 6, 18)
    assert summary.by_color["gray"] == 2
    assert summary.by_color["purple"] == 0
    assert summary.by_length == {1: 1, 2: 2, 3: 1, 4: 1, 6: 1}
    assert (summary.doubles, summary.tunnels, summary.ferries) == (1, 1, 1)
    assert (summary.tickets, summary.long_tickets) == (8, 2)
    assert "5 cities, 6 routes, 18 spaces" in str(report)
    assert "1 double, 1 tunnel, 1 ferry\n" in str(report)


@pytest.mark.parametrize("name", ["usa", "europe"])
def test_printed_boards_give_no_warnings(name: str) -> None:
    report = check(Path(ferrovia.boards.__file__).parent / "data" / f"{name}.json")
    assert report.ok
    assert report.warnings == ()


def test_a_broken_board_has_problems_and_no_summary(small: Any, write: Write) -> None:
    small["routes"][0]["length"] = 9
    small["tickets"][0]["points"] = 0
    report = check(write(small))
    assert not report.ok
    assert report.summary is None
    assert [problem.path for problem in report.problems] == [
        "routes[0].length",
        "tickets[0].points",
    ]
    assert str(report).count("problem  ") == 2


def test_a_missing_file_is_a_problem(tmp_path: Path) -> None:
    assert "no such file" in str(check(tmp_path / "none.json"))


@pytest.mark.parametrize(("points", "warned"), [(1, False), (7, False), (8, True), (40, True)])
def test_tickets_far_from_the_shortest_way(
    small: Any, write: Write, points: int, warned: bool
) -> None:
    small["tickets"][0]["points"] = points  # east to west: 4 spaces by way of mid
    report = check(write(small))
    assert report.ok
    assert any(w.path == "tickets[0].points" for w in report.warnings) == warned


def test_unequal_colors(small: Any, write: Write) -> None:
    (warning,) = check(write(small)).warnings
    assert warning.path == "routes"
    assert "very unequal colours: 6 black spaces, but 0" in warning.message


def test_fewer_spaces_than_trains(small: Any, write: Write) -> None:
    small["edition"]["trains"] = 10
    assert any("20 trains for 18 spaces" in w.message for w in check(write(small)).warnings)


def test_long_tickets_that_nobody_is_dealt(small: Any, write: Write) -> None:
    small["edition"]["deals"] = [{"regular": 3, "keep_min": 2}]
    warnings = check(write(small)).warnings
    assert any("the 2 of the board are not used" in w.message for w in warnings)
