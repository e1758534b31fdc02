"""The benchmarks of the command line itself, measured as people run it."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from ferrovia.machine.benchmarks.measurement import table

_FERROVIA = (sys.executable, "-m", "ferrovia")

# A process inherits the peak of the one that started it, so a small one starts it and prints its
# peak.
_PRINT_PEAK = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""


class StudyCost(NamedTuple):
    """Seconds from the command to its end, and the most memory that one process held (MB)."""

    games: int
    seconds: float
    megabytes: float


def study() -> list[str]:
    """Return the section on simulations that are kept and reported."""
    rows = []
    for games in (20_000, 100_000):
        cost = study_cost(games)
        rows.append(f"| {games:,} | {cost.seconds:.0f} s | {cost.megabytes:.0f} MB |")
    head = "| games | time | largest process |"
    title = "Greedy games of europe with four seats, kept, counted and reported, two workers"
    return table(title, head, rows)


def study_cost(games: int, workers: int = 2, edition: str = "europe", seats: int = 4) -> StudyCost:
    """Play so many greedy games, keep them and make the report; RuntimeError if that fails.

    The rules must be compiled already. Not on Windows, which does not report the memory.
    """
    bots = ",".join(["greedy"] * seats)
    command = (
        f"simulate {edition} --bots {bots} --games {games} --seed 7 --workers {workers} "
        "--out study.run --report study.html"
    )
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", _PRINT_PEAK, *_FERROVIA, *command.split()],
            cwd=folder,
            stdout=subprocess.PIPE,
            check=False,
        )
        seconds = time.perf_counter() - began
        if done.returncode or not (Path(folder) / "study.html").stat().st_size:
            raise RuntimeError(f"ferrovia {command} failed with status {done.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
    return StudyCost(games, seconds, int(done.stdout) * unit / 1e6)


def start() -> list[str]:
    """Return the section on how long commands take to start."""
    simulate = "simulate europe --bots random,random --games 1"
    with tempfile.TemporaryDirectory() as cache:
        first = _seconds(simulate, cache)
        later = statistics.median(_seconds(simulate, cache) for _ in range(3))
    help_shown = statistics.median(_seconds("--help") for _ in range(5))
    rows = [
        f"| `ferrovia --help` | {help_shown:.2f} s |",
        f"| the first `simulate` on a new machine, which compiles | {first:.1f} s |",
        f"| every later one, to the end of its first game | {later:.2f} s |",
    ]
    return table("Starting", "| what | time |", rows)


def _seconds(arguments: str, cache: str | None = None) -> float:
    environment = dict(os.environ)
    if cache is not None:
        environment["FERROVIA_CACHE"] = cache
    begin = time.perf_counter()
    subprocess.run(
        [*_FERROVIA, *arguments.split()], env=environment, check=True, capture_output=True
    )
    return time.perf_counter() - begin
