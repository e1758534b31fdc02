"""Counts of all sequences of decisions from fixed games, frozen: a change of any rule shows.

`python -m tests.properties.test_perft` prints the counts as they are now.
"""

import json
from pathlib import Path

import pytest

from .kernel_games import Table, table

FROZEN = Path(__file__).with_name("perft.json")


def perft(t: Table, depth: int) -> int:
    """The number of sequences of a number of decisions, by any awaited seat at each."""
    if depth == 0:
        return 1
    count = 0
    before = t.state.copy()
    for seat in t.awaited():
        legal = t.legal(seat)
        if depth == 1:
            count += len(legal)
            continue
        for action in legal:
            t.apply(seat, action)
            count += perft(t, depth - 1)
            t.state[:] = before
    return count


def later_position(edition: str, players: int, seed: int, decisions: int) -> Table:
    t = table(edition, players, seed)
    for number in t.steps():
        if number == decisions:
            break
    return t


def counts() -> list[dict[str, object]]:
    cases = [
        (edition, players, decisions)
        for edition in ("usa", "usa-classic", "europe", "europe-1912", "mega-europe", "big-cities")
        for players, decisions in ((2, 0), (2, 60), (3, 150), (5, 260))
    ]
    return [
        {
            "edition": edition,
            "players": players,
            "decisions": decisions,
            "perft": [perft(later_position(edition, players, 42, decisions), d) for d in (1, 2, 3)],
        }
        for edition, players, decisions in cases
    ]


@pytest.mark.parametrize(
    "case",
    json.loads(FROZEN.read_text()),
    ids=lambda c: f"{c['edition']}-{c['players']}p-{c['decisions']}",
)
def test_perft(case: dict[str, object]) -> None:
    edition, players, decisions = str(case["edition"]), case["players"], case["decisions"]
    assert isinstance(players, int)
    assert isinstance(decisions, int)
    t = later_position(edition, players, 42, decisions)
    assert [perft(t, depth) for depth in (1, 2, 3)] == case["perft"]


if __name__ == "__main__":
    print("[\n" + ",\n".join(json.dumps(case) for case in counts()) + "\n]")
