"""What a study costs: the one command that plays and reports, measured as people would run it."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

# A process inherits the peak of whoever started it, so a small one starts it and tells its peak.
_TELL_PEAK = """
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
        done = subprocess.run(
            [sys.executable, "-c", _TELL_PEAK, sys.executable, "-m", "ferrovia", *command.split()],
            cwd=folder,
            stdout=subprocess.PIPE,
            check=False,
        )
        seconds = time.perf_counter() - began
        if done.returncode or not (Path(folder) / "study.html").stat().st_size:
            raise RuntimeError(f"ferrovia {command} failed with status {done.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes
    return StudyCost(games, seconds, int(done.stdout) * unit / 1e6)
