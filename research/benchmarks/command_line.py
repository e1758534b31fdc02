"""The benchmarks of the command line itself, measured as people run it."""

import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from research.benchmarks.measurement import table

_FERROVIA = (sys.executable, "-m", "ferrovia")
_IMPORT = "import ferrovia"
_IMPORT_BOTS = "import ferrovia.bots"

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
    """Play greedy games, keep them and make the report; RuntimeError if that fails.

    Not on Windows, which does not report the memory.
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
    shown = statistics.median(_seconds("--help") for _ in range(5))
    later = statistics.median(_seconds(simulate) for _ in range(5))
    imported = statistics.median(_seconds_of(sys.executable, "-c", _IMPORT) for _ in range(5))
    bots = statistics.median(_seconds_of(sys.executable, "-c", _IMPORT_BOTS) for _ in range(5))
    rows = [
        f"| `ferrovia --help` | {shown:.2f} s |",
        f"| `import ferrovia` in a new process | {imported:.2f} s |",
        f"| `import ferrovia.bots` in a new process | {bots:.2f} s |",
        f"| `ferrovia simulate`, to the end of its first game | {later:.2f} s |",
    ]
    return table("Starting", "| what | time |", rows)


def _seconds(arguments: str) -> float:
    return _seconds_of(*_FERROVIA, *arguments.split())


def _seconds_of(*command: str) -> float:
    begin = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begin


class FirstMove(NamedTuple):
    """Seconds from `ferrovia play` to the page and to a first move, and the CPU up to then; the
    memory (MB) of the server, and of the process that its bots think in."""

    page: float
    move: float
    cpu: float | None
    server: float | None
    worker: float | None


def play() -> list[str]:
    """Return the section on `ferrovia play`."""
    cost = first_move()

    def megabytes(number: float | None) -> str:
        return "" if number is None else f"{number:.0f} MB"

    rows = [
        f"| the page is there, with its board | {cost.page:.2f} s |",
        f"| the first move is made, against Director | {cost.move:.2f} s |",
        f"| CPU until then | {'' if cost.cpu is None else f'{cost.cpu:.2f} s'} |",
        f"| memory of the server | {megabytes(cost.server)} |",
        f"| memory of its bot worker | {megabytes(cost.worker)} |",
    ]
    return table("`ferrovia play`, with an empty data folder", "| what | figure |", rows)


def first_move() -> FirstMove:
    """Start `ferrovia play` with an empty data folder, and make a move against Director."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        process = subprocess.Popen(
            [*_FERROVIA, "play", "usa", "--bots", "director", "--no-browser", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "FERROVIA_DATA": folder},
        )
        try:
            assert process.stdout is not None
            link = urlsplit(process.stdout.readline().split()[3])
            at = _Table(f"http://{link.netloc}", link.path.rpartition("/")[2], link.fragment)
            for path in (link.path, "/api/editions/usa", "/api/editions/usa/picture"):
                at.read(path)
            page = time.perf_counter() - began
            at.move()
            move, cpu = time.perf_counter() - began, _cpu_seconds(process.pid)
            workers = _children(process.pid)
            held = _megabytes(process.pid), max(map(_megabytes, workers), default=None)
        finally:
            process.terminate()
            process.wait()
        return FirstMove(page, move, cpu, *held)


class _Table:
    """A table as a client sees it."""

    def __init__(self, address: str, table: str, fragment: str) -> None:
        self._address = address
        self._hello = {
            "type": "hello",
            "table": table,
            "token": parse_qs(fragment)["token"][0],
            "known": None,
        }

    def read(self, path: str) -> bytes:
        with urllib.request.urlopen(self._address + path) as answer:
            found: bytes = answer.read()
        return found

    def move(self) -> None:
        """Connect, wait until a decision is awaited, and make it."""
        from websockets.sync.client import connect

        with connect(f"{self._address.replace('http', 'ws', 1)}/socket") as socket:
            socket.send(json.dumps(self._hello))
            while True:
                state = json.loads(socket.recv())
                moves = state["own"]["moves"] if state["type"] == "state" else None
                if moves:
                    break
            command = {"type": "decide", "id": secrets.token_hex(8), "known": state["number"]}
            socket.send(json.dumps(command | {"action": moves["actions"][0]}))
            while (answer := json.loads(socket.recv()))["type"] not in ("accepted", "refused"):
                pass
        if answer["type"] == "refused":
            raise RuntimeError(f"the first move was refused: {answer}")


def _cpu_seconds(process: int) -> float | None:
    """Return the CPU time of a process and its children that have ended; None if unknown."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    ticks: float = sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _children(process: int) -> list[int]:
    try:
        return [*map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())]
    except OSError:
        return []


def _megabytes(process: int) -> float:
    """Return the memory that a process holds; 0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024
