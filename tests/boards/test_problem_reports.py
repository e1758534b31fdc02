"""How problems are reported: all at once, with file, line and path, and never without end."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ferrovia.boards import BoardError, FileProblem, load_edition

ProblemsOf = Callable[[Any], tuple[FileProblem, ...]]


def test_all_problems_are_told_at_once_in_the_order_of_the_lines(
    small: Any, problems_of: ProblemsOf
) -> None:
    small["cities"][0]["lat"] = 100
    small["routes"][2]["color"] = "pinkish"
    small["tickets"][1]["points"] = -3
    small["edition"]["trains"] = 0
    problems = problems_of(small)
    paths = [problem.path for problem in problems]
    assert paths == ["cities[0].lat", "routes[2].color", "tickets[1].points", "edition.trains"]
    lines = [problem.line or 0 for problem in problems]
    assert lines == sorted(lines)


def test_a_problem_names_file_line_and_path(small_text: str, write: Callable[[Any], Path]) -> None:
    path = write(small_text.replace('"length": 3', '"length": 33'))
    with pytest.raises(BoardError) as caught:
        load_edition(path)
    assert str(caught.value) == f"{path}:13: routes[2].length: must be from 1 to 8, not 33"


def test_what_is_missing_is_told_at_the_line_of_what_should_hold_it(
    small_text: str, problems_of: ProblemsOf
) -> None:
    (problem,) = problems_of(small_text.replace(', "color": "green"', ""))
    assert (problem.line, problem.path, problem.message) == (15, "routes[4].color", "is missing")


def test_too_many_routes(small: Any, problems_of: ProblemsOf) -> None:
    small["routes"] *= 33
    assert any("holds 198 entries; at most 192" in str(p) for p in problems_of(small))


def test_too_few_cards_to_deal_hands(small: Any, problems_of: ProblemsOf) -> None:
    colors = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
    small["edition"]["cards"] = dict.fromkeys(colors, 0) | {"locomotive": 7}
    assert [p.path for p in problems_of(small)] == ["edition.cards"]


def test_a_board_without_cities(problems_of: ProblemsOf) -> None:
    empty = {"board": "none", "cities": [], "routes": [], "tickets": []}
    assert any("a board needs cities" in problem.message for problem in problems_of(empty))


def test_a_hundred_problems_are_enough(small: Any, problems_of: ProblemsOf) -> None:
    small["cities"] = [1] * 60
    small["routes"] = [2] * 100
    problems = problems_of(small)
    assert len(problems) == 101
    assert "and 60 more problems" in problems[-1].message
