"""The benchmark page is put together; what it measures is no matter of a test."""

import warnings
from collections.abc import Callable

import pytest

from ferrovia.kernel.library import COMPILED
from research.benchmarks import (
    bots,
    environments,
    gpu,
    kernel,
    page,
    python,
)
from research.benchmarks.measurement import least_costs, rate, table

ENVIRONMENTS = ("batches", "pettingzoo", "net", "runs")


def once(work: Callable[[], float], _seconds: float = 0.0) -> float:
    return work()


def test_the_page_has_every_section_and_those_of_the_command_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module, section in (
        (kernel, "random_play"),
        (kernel, "functions"),
        (bots, "scripts"),
        (bots, "search"),
        (python, "from_python"),
        *((environments, section) for section in ENVIRONMENTS),
    ):
        monkeypatch.setattr(module, section, lambda title=section: table(title, "| a |", ["| 1 |"]))
    done: list[str] = []
    parts = page.sections(lambda: table("more", "| a |", ["| 1 |"]))
    lines = page.page(parts, done.append).splitlines()
    assert len(done) == len(parts)
    *quick, batches = page.sections(quick=True)
    assert set(quick) < set(parts)
    assert batches is environments.some_batches
    assert lines[0] == "# Benchmarks"
    titles = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    rules = ["random_play", "functions", "scripts", "search", "from_python"]
    assert titles == [*rules, *ENVIRONMENTS, "more"]


@pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")
def test_environments_are_measured_as_they_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_GAMES", "_GAMES_PER_THREAD", "_STEPS", "_SPREAD"):
        monkeypatch.setattr(environments, name, 2)
    monkeypatch.setattr(environments, "least_costs", lambda works, _: least_costs(works, 1))
    monkeypatch.setattr(environments, "rate", once)
    monkeypatch.setattr(environments, "editions", lambda: ["usa-classic"])
    for section in (environments.batches, environments.some_batches, environments.pettingzoo):
        title, *_, row, _ = section()
        assert title.startswith("## ")
        assert row.startswith("| ")
    assert environments.steps_per_second("usa-classic", 2, 2) == 2 * 2 * 2
    assert min(environments.net_decisions("usa-classic", 2, games=1)) > 0
    assert min(environments.run_cost("usa", 2, games=256)) > 0


def test_the_least_of_works_done_by_turns_counts() -> None:
    done: list[str] = []

    def work(name: str) -> Callable[[], float]:
        def once_more() -> float:
            done.append(name)
            return 1.0

        return once_more

    assert len(least_costs([work("a"), work("b")], rounds=2)) == 2
    assert done == ["a", "b", "a", "b"]


def test_sections_are_tables_of_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "rate", once)
    monkeypatch.setattr(python, "rate", once)
    assert "| usa | 2 | 400 |" in bots.search()
    section = python.from_python()
    assert section[:4] == [
        "## From Python, one core (europe, 4 seats)",
        "",
        "| what | per second |",
        "|---|---|",
    ]
    assert len(section) == 9


def test_a_rate_is_work_by_time_and_measured_three_times_at_least() -> None:
    calls = []

    def work() -> float:
        calls.append(1)
        return 1.0

    assert rate(work, seconds=0.0) > 0
    assert len(calls) == 3


def test_the_page_of_a_gpu_does_not_warn_of_the_games_that_are_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def compare(_name: str, _players: int) -> bool:
        warnings.warn(
            "\x1b[1mGrid size 4 will likely result in GPU under-utilization", stacklevel=1
        )
        return True

    monkeypatch.setattr(gpu, "_device", lambda: "an imagined GPU")
    monkeypatch.setattr(gpu, "_rates", lambda *_: (1e6, 2e8))
    monkeypatch.setattr(gpu, "_equal_to_cpu", compare)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        lines = gpu.gpu_section().splitlines()
    assert lines[-1] == "| mega-europe | 5 | 1,000,000 | 200,000,000 | byte for byte |"
    assert warned == []
