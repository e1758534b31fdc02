"""Playtests: the same games each time, in a page too, and nothing is called better by chance."""

import subprocess
import sys
from dataclasses import replace

import pytest

from ferrovia.boards import Edition
from ferrovia.workshop.generator import make_board
from ferrovia.workshop.playtest import Measure, Verdict, playtest


@pytest.fixture(scope="module")
def board() -> Edition:
    return make_board("portugal", "small", 7, "")


def verdicts(after: Edition, before: Edition) -> dict[Measure, Verdict]:
    found = playtest(after, 2, games=300, level="conductor", against=before)
    return {change.measure: change.verdict for change in found.changes}


def test_a_playtest_is_the_same_each_time_and_counts_every_game(board: Edition) -> None:
    found = playtest(board, 3, games=200, seed=5, level="conductor")
    assert found == playtest(board, 3, games=200, seed=5, level="conductor")
    assert sum(place.value for place in found.places) == pytest.approx(1)
    assert found.measures["first"] == found.places[0]
    assert found.measures["claimed"].value == pytest.approx(
        sum(found.taken.values()) / len(board.board.routes)
    )
    assert set(found.finished) == {ticket.id for ticket in board.tickets}


def test_a_board_beside_itself_is_neither_better_nor_worse(board: Edition) -> None:
    assert set(verdicts(board, board).values()) == {"open"}


def test_better_is_only_said_where_the_interval_says_so(board: Edition) -> None:
    """With fewer trains fewer tickets can be finished, and with more again more."""
    short = replace(board, trains=board.trains - 10)
    assert verdicts(short, board)["finished"] == "worse"
    assert verdicts(short, board)["turns"] == "less"
    assert verdicts(board, short)["finished"] == "better"
    # A route that hardly anybody takes became a tunnel: the games do not tell that.
    routes = board.board.routes
    rare = min(routes, key=lambda route: playtest(board, 2, games=50).taken[route.id])
    other = tuple(replace(route, tunnel=True) if route == rare else route for route in routes)
    changed = replace(board, board=replace(board.board, routes=other))
    assert verdicts(changed, board)["margin"] == "open"


def test_a_playtest_needs_no_numpy() -> None:
    """As in a page, where there is none."""
    subprocess.run(
        [
            *(sys.executable, "-c"),
            "import sys; sys.modules['numpy'] = None\n"
            "from ferrovia.boards import load_edition\n"
            "from ferrovia.workshop.playtest import playtest\n"
            "playtest(load_edition('usa'), 2, games=10, level='conductor')",
        ],
        check=True,
    )
