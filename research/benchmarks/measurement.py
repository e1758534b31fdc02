"""How the benchmarks measure and show: work per second, and tables in Markdown."""

import statistics
import time
from collections.abc import Callable, Sequence

_SECONDS = 1.5


def rate(work: Callable[[], float], seconds: float = _SECONDS) -> float:
    """Return the units of work done per second, the median of at least three calls.

    `work` does some and returns how many units that was.
    """
    rates: list[float] = []
    end = time.perf_counter() + seconds
    while len(rates) < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        done = work()
        rates.append(done / (time.perf_counter() - begin))
    return statistics.median(rates)


def least_costs(works: Sequence[Callable[[], float]], rounds: int = 7) -> list[float]:
    """Return the CPU time of a unit of each work in microseconds, all of them done in alternation.

    The least of the rounds counts: everything else on the machine can only make it longer.
    """
    costs: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, found in zip(works, costs, strict=True):
            began = time.process_time()
            done = work()
            found.append((time.process_time() - began) / done * 1e6)
    return [min(found) for found in costs]


def table(title: str, head: str, rows: list[str]) -> list[str]:
    """Return the lines of a section with a table; head and rows are lines of Markdown."""
    columns = head.count("|") - 1
    return [f"## {title}", "", head, "|" + "---|" * columns, *rows, ""]
