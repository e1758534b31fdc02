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

from ferrovia.machine.benchmarks.measurement import table

_FERROVIA = (sys.executable, "-m", "ferrovia")
_IMPORT = "import ferrovia"

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
    imported = statistics.median(_seconds_of(sys.executable, "-c", _IMPORT) for _ in range(5))
    rows = [
        f"| `ferrovia --help` | {help_shown:.2f} s |",
        f"| `import ferrovia` in a new process | {imported:.2f} s |",
        f"| the first `simulate` on a new machine, which compiles | {first:.1f} s |",
        f"| every later one, to the end of its first game | {later:.2f} s |",
    ]
    return table("Starting", "| what | time |", rows)


def _seconds(arguments: str, cache: str | None = None) -> float:
    return _seconds_of(*_FERROVIA, *arguments.split(), cache=cache)


def _seconds_of(*command: str, cache: str | None = None) -> float:
    environment = dict(os.environ)
    if cache is not None:
        environment["FERROVIA_CACHE"] = cache
    begin = time.perf_counter()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return time.perf_counter() - begin


class ColdStart(NamedTuple):
    """Seconds from `ferrovia play` where nothing is compiled: of the clock, and of CPU up to then.

    The CPU of `ready` has all that was compiled in it; None where the system does not tell.
    """

    page: float
    move: float
    ready: float
    cpu_of_move: float | None
    cpu_of_ready: float | None


def cold_start() -> list[str]:
    """Return the section on a machine where nothing is compiled yet."""
    cost = cold_start_cost()

    def row(what: str, seconds: float, cpu: float | None) -> str:
        return f"| {what} | {seconds:.1f} s | {'' if cpu is None else f'{cpu:.1f} s'} |"

    rows = [
        row("the page is there, with its board", cost.page, None),
        row("the first move is made, uncompiled", cost.move, cost.cpu_of_move),
        row("all levels play, with compiled rules", cost.ready, cost.cpu_of_ready),
    ]
    return table("`ferrovia play` where nothing is compiled", "| until | time | CPU |", rows)


def cold_start_cost() -> ColdStart:
    """Start `ferrovia play` with an empty cache, make a move, and wait for compiled rules."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        process = subprocess.Popen(
            [*_FERROVIA, "play", "europe", "--no-browser", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "FERROVIA_CACHE": f"{folder}/cache", "FERROVIA_DATA": folder},
        )
        try:
            assert process.stdout is not None
            link = urlsplit(process.stdout.readline().split()[3])
            table = _Table(f"http://{link.netloc}", link.path.rpartition("/")[2], link.fragment)
            for path in (link.path, "/api/editions/europe", "/api/editions/europe/picture"):
                table.read(path)
            page = time.perf_counter() - began
            table.move()
            move, cpu_of_move = time.perf_counter() - began, _cpu_seconds(process.pid)
            while table.waits_for_levels():
                time.sleep(1.0)
            ready, cpu_of_ready = time.perf_counter() - began, _cpu_seconds(process.pid)
            table.move()
        finally:
            process.terminate()
            process.wait()
        return ColdStart(page, move, ready, cpu_of_move, cpu_of_ready)


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

    def waits_for_levels(self) -> bool:
        """Return whether a level cannot play yet."""
        offerings = json.loads(self.read("/api/offerings"))
        preparing = offerings["preparing"] or {"bots": ()}
        return bool(set(preparing["bots"]) & set(offerings["levels"]))

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
