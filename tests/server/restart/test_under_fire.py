"""kill -9 at random instants under load: nothing accepted is lost, nothing is applied twice."""

import os
from pathlib import Path

import pytest

from tests.server.bench import BRIEF, section
from tests.server.support.under_fire import play_under_fire

# A thread of websockets that was writing when its server was killed says so too.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")

KILLS = int(os.environ.get("FERROVIA_KILLS", "3"))


def test_nothing_accepted_is_lost_and_nothing_is_applied_twice(tmp_path: Path) -> None:
    """On SQLite; tests/faults also kills servers that share a PostgreSQL."""
    report = play_under_fire(KILLS, str(tmp_path / "games.sqlite"), seed=KILLS)
    assert report.lost == []
    assert report.twice == []
    assert report.accepted >= KILLS


def test_the_benchmark_of_the_server_measures_everything() -> None:
    """Whatever the figures are here: there is one in every line, and nothing was lost."""
    text = section(BRIEF)
    assert "0 lost, 0 twice" in text
    rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 9
    assert all(any(sign.isdigit() for sign in row.split("|")[2]) for row in rows)
