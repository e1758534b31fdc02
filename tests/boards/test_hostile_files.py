"""Files that are no boards at all: each is refused, quickly, and with a reason."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ferrovia.boards import BoardError, FileProblem, load_edition

ProblemsOf = Callable[[Any], tuple[FileProblem, ...]]


def test_not_json_names_line_and_column(problems_of: ProblemsOf) -> None:
    (problem,) = problems_of('{\n "board": "x",\n "cities": [,]\n}')
    assert problem.line == 3
    assert "is not valid JSON" in problem.message
    assert "column 13" in problem.message


@pytest.mark.parametrize("text", ["", "\n", "{", '"board', "nul", "{'board': 1}", "[1, 2]]"])
def test_text_that_is_not_json(problems_of: ProblemsOf, text: str) -> None:
    (problem,) = problems_of(text)
    assert "is not valid JSON" in problem.message


@pytest.mark.parametrize("text", ["[]", "5", "null", '"board"', "true"])
def test_json_that_is_no_object(problems_of: ProblemsOf, text: str) -> None:
    (problem,) = problems_of(text)
    assert "must be an object" in problem.message


def test_a_key_that_is_given_twice(small_text: str, problems_of: ProblemsOf) -> None:
    text = small_text.replace('"lat": 10,', '"lat": 10, "lat": 11,')
    (problem,) = problems_of(text)
    assert (problem.line, problem.path) == (5, "cities[1].lat")
    assert "is given twice" in problem.message


def test_a_list_that_is_given_twice_is_one_problem(
    small_text: str, problems_of: ProblemsOf
) -> None:
    end = small_text.rindex("}")
    text = small_text[:end] + ', "cities": [{"id": "mid"}]\n}'
    (problem,) = problems_of(text)
    assert problem.path == "cities"


def test_not_utf8(problems_of: ProblemsOf) -> None:
    (problem,) = problems_of(b'{\n "board": "caf\xe9"}')
    assert (problem.line, problem.message) == (2, "is not UTF-8 text")


def test_too_large(problems_of: ProblemsOf) -> None:
    (problem,) = problems_of(b" " * (1 << 20) + b"{}")
    assert "larger than 1024 KiB" in problem.message


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"b":'])
def test_too_deep(problems_of: ProblemsOf, opening: str) -> None:
    (problem,) = problems_of(opening * 100_000)
    assert "nested more than 16 levels deep" in problem.message


def test_sixteen_levels_are_not_too_deep(problems_of: ProblemsOf) -> None:
    (problem,) = problems_of("[" * 16 + "]" * 16)
    assert "must be an object" in problem.message


def test_brackets_in_text_are_not_depth(small: Any, problems_of: ProblemsOf) -> None:
    small["cities"][0]["name"] = '\\"[' * 30
    (problem,) = problems_of(small)
    assert problem.path == "cities[0].name"


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "1e999", "-1E+400", "NaN"])
def test_numbers_out_of_all_bounds(small_text: str, problems_of: ProblemsOf, number: str) -> None:
    for key, value, line in (("points", "6", 20), ("lat", "10", 5)):
        text = small_text.replace(f'"{key}": {value}', f'"{key}": {number}')
        (problem,) = problems_of(text)
        assert problem.line == line
        assert problem.path.endswith(key)
        assert len(problem.message) < 200


def test_messages_stay_short_whatever_the_file_holds(small: Any, problems_of: ProblemsOf) -> None:
    small["routes"][0]["a"] = "x" * 100_000
    small["routes"][1]["color"] = "y" * 100_000
    small["cities"][0]["name"] = "z" * 100_000
    assert all(len(problem.message) < 200 for problem in problems_of(small))


@pytest.mark.parametrize(
    "text",
    [
        '"\\"' + '\\"' * 500_000,
        "[" + "0," * 500_000 + "0]",
        '{"cities": [' + "{}," * 300_000 + "{}]}",
        "{" + ",".join(f'"k{n}": 0' for n in range(60_000)) + "}",
    ],
    ids=["quotes", "numbers", "entries", "keys"],
)
def test_hostile_sizes_are_refused_quickly(problems_of: ProblemsOf, text: str) -> None:
    start = time.process_time()  # not the time of day: the machine may have other things to do
    assert len(problems_of(text)) <= 101
    assert time.process_time() - start < 10


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match=r"nothing\.json: there is no such file"):
        load_edition(tmp_path / "nothing.json")


def test_folder(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="is a folder, not a file"):
        load_edition(tmp_path)


def test_file_below_a_file(small_path: Path) -> None:
    with pytest.raises(BoardError, match="cannot be read"):
        load_edition(small_path / "board.json")


@pytest.mark.parametrize("path", ["./" + "x" * 5000 + ".json", "a\0b.json", ""])
def test_impossible_paths(path: str) -> None:
    with pytest.raises(BoardError):
        load_edition(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(BoardError, match="not an ordinary file"):
        load_edition(tmp_path / "pipe.json")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.json"
    path.write_text("{}", encoding="utf-8")
    path.chmod(0)
    with pytest.raises(BoardError, match="cannot be read: Permission denied"):
        load_edition(path)
