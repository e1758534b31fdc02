"""What a study costs: the one command that plays and reports, measured as people would run it."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple


class StudyCost(NamedTuple):
    """Seconds from the command to its end, and the most memory that one process held (MB)."""

    games: int
    seconds: float
    megabytes: float


def study_cost(games: int, workers: int = 2, edition: str = "europe", seats: int = 4) -> StudyCost:
    """Play so many greedy games, keep them and make the report; RuntimeError if that fails.

    The rules must be compiled already. Not on Windows, which does not tell the memory.
    """
    bots = ",".join(["greedy"] * seats)
    command = (
        f"simulate {edition} --bots {bots} --games {games} --seed 7 --workers {workers} "
        "--out study.run --report study.html"
    )
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "ferrovia", *command.split()],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode or not (Path(folder) / "study.html").stat().st_size:
            raise RuntimeError(f"ferrovia {command} failed with status {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
    return StudyCost(games, seconds, usage.ru_maxrss * unit / 1e6)
