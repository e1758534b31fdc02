"""kill -9 at random instants under load: nothing accepted is lost, nothing is applied twice."""

import os

from tests.server.under_fire import play_under_fire

KILLS = int(os.environ.get("FERROVIA_KILLS", "3"))


def test_nothing_accepted_is_lost_and_nothing_is_applied_twice(address: str) -> None:
    report = play_under_fire(KILLS, address, seed=KILLS)
    assert report.lost == []
    assert report.twice == []
    assert report.accepted >= KILLS
