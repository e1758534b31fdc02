"""Every kind of fault once, on both kinds of store, and a checker that finds what is wrong."""

from typing import Any

import pytest

from ferrovia.server.table.entries import Paused, write_entry
from tests.faults.attack import attack
from tests.faults.history import History, Operation, agree, check
from tests.server.conftest import Cluster, cluster  # noqa: F401


def test_nothing_is_lost_on_sqlite() -> None:
    report = attack(None, seed=1)
    assert report.problems == []
    assert report.verdict.answered > 3 * report.faults.total()
    assert report.verdict.viewed


@pytest.mark.xdist_group("postgresql")
def test_nothing_is_lost_on_postgresql_with_two_servers(cluster: Cluster) -> None:  # noqa: F811
    with cluster.small_disk() as disk:
        report = attack(cluster, seed=2, disk=disk)
        assert ("full disk" in report.faults) == (disk is not None)
    assert report.problems == []
    assert report.verdict.answered > 3 * report.faults.total()
    assert report.verdict.viewed


# The checker


def log(*ids: str | None) -> list[bytes]:
    return [write_entry(Paused(at=1.0, by=0, command=id)) for id in ids]


def done(id: str, number: int | None, sent: float, answered: float | None) -> Operation:
    return Operation("t", id, sent, answered, number)


def entry(number: int, **more: Any) -> dict[str, Any]:
    return {"entry": "paused", "number": number, "at": 1, **more}


GOOD = [done("a", 1, 0.0, 1.0), done("b", 2, 0.5, 3.0), done("c", 3, 2.0, 4.0)]


def found(operations: list[Operation], entries: list[bytes], *views: dict[int, Any]) -> list[str]:
    seen = [("t", str(place), view) for place, view in enumerate(views)]
    verdict = check(History(operations, seen), {"t": entries})
    return [problem.partition(":")[0] for problem in verdict.problems]


def test_the_checker_is_content_with_what_is_right() -> None:
    views = [{1: entry(1), 2: entry(2, card=None)}, {1: entry(1), 2: entry(2, card="blue")}]
    unanswered = [done("x", None, 0.0, None), done("y", None, 0.0, None)]
    assert found([*GOOD, *unanswered], log("a", "b", "c", "x"), *views) == []


@pytest.mark.parametrize(
    ("kind", "operations", "entries"),
    [
        ("lost", GOOD, log("a", "b")),
        ("lost", GOOD, log("a", "x", "c")),
        ("twice", GOOD, log("a", "b", "c", "a")),
        ("refused_and_done", [Operation("t", "a", 0.0, 1.0, None, "stale")], log("a")),
        ("out_of_order", [done("a", 2, 0.0, 1.0), done("b", 1, 2.0, 3.0)], log("b", "a")),
    ],
)
def test_the_checker_finds(kind: str, operations: list[Operation], entries: list[bytes]) -> None:
    assert found(operations, entries) == [kind]


def test_the_checker_finds_what_was_seen_differently() -> None:
    entries = log("a", "b", "c")
    assert found([], entries, {1: entry(1), 3: entry(3)}) == ["differently_seen"]  # a gap
    assert found([], entries, {n: entry(n) for n in range(1, 5)}) == ["differently_seen"]
    views = ({1: entry(1, seat=0)}, {1: entry(1, seat=1)})
    assert found([], entries, *views) == ["differently_seen"]
    assert found([], entries, {1: {**entry(1), "entry": "resumed"}}) == ["differently_seen"]
    assert check(History(contradictions=["1"]), {"t": entries}).differently_seen == ["1"]


def test_what_is_hidden_from_one_may_be_anything() -> None:
    shown = {"cards": ["blue", "red"], "seat": 1}
    assert agree(shown, {"cards": [None, None], "seat": 1})
    assert agree(shown, {"cards": None, "seat": 1})
    assert not agree(shown, {"cards": [None], "seat": 1})
    assert not agree(shown, {"cards": ["blue", "green"], "seat": 1})
