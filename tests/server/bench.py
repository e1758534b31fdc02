"""What the server can bear: a section of the benchmark page.

`python -m tests.server.bench` prints it; `--brief` tries everything out in small. With `--load` it
prints how commands go up to what two processors bear: one server on SQLite, and two on PostgreSQL,
each of which has half of the tables.
"""

import argparse
import asyncio
import dataclasses
import gc
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ferrovia.server.store import Append
from ferrovia.server.store.address import open_store
from tests.server.load import Load, load, measure
from tests.server.support.people import PERSON, Person, bot, create, metrics
from tests.server.support.processes import Server
from tests.server.support.under_fire import play_under_fire


@dataclass(frozen=True)
class Size:
    """How much of everything is measured."""

    games: int = 250
    seats: int = 4
    rate: float = 500.0
    seconds: float = 30.0
    settle: float = 1.0
    idle: int = 1000
    sleep_after: float = 20.0
    stored: int = 10_000
    events: int = 250
    kills: int = 50


BRIEF = Size(
    games=5,
    rate=250.0,
    seconds=0.2,
    settle=0.0,
    idle=20,
    sleep_after=0.1,
    stored=20,
    events=20,
    kills=1,
)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Nobody waits for the garbage of the program that measures."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def under_load(folder: str, size: Size) -> Iterator[str]:
    with Server(f"{folder}/load.sqlite", sleep_after=600.0) as server, _without_collection():
        done = asyncio.run(
            load(server, size.games, size.seats, size.rate, size.seconds, size.settle)
        )
    offered = f"{size.games * size.seats:,} seats in {size.games} games, {size.rate:g} commands/s"
    times = ", ".join(f"{1000 * took:.1f} ms" for took in (done.median, done.p99, done.worst))
    yield f"| {offered} for {size.seconds:g} s: carried out | {done.rate:.0f} commands/s |"
    yield f"| until all viewers of a command know it: median, p99, worst | {times} |"
    yield f"| CPU of the server for a command | {1000 * done.server_cpu:.2f} ms |"
    yield f"| CPU of the load itself, on the same machine | {1000 * done.own_cpu:.2f} ms |"


def up_to_the_limit(seconds: float, times: int) -> Iterator[str]:
    """The load at growing rates; each row is the run whose p99 is the median of some."""
    yield (
        "| servers | commands/s wanted, carried out | until all viewers know: median, p99, worst "
        "| CPU of all servers for a command |"
    )
    yield "|---|---|---|---|"
    for servers, rates in ((0, (500, 700, 1000)), (2, (400, 600))):
        for rate in rates:
            with _without_collection():
                runs = [measure(250, 4, rate, seconds, servers) for _ in range(times)]
            yield _row(servers, rate, sorted(runs, key=lambda run: run.p99)[times // 2])


def _row(servers: int, rate: float, run: Load) -> str:
    name = f"{servers} on PostgreSQL" if servers else "1 on SQLite"
    took = ", ".join(f"{1000 * late:.1f} ms" for late in (run.median, run.p99, run.worst))
    return f"| {name} | {rate:g}, {run.rate:.0f} | {took} | {1000 * run.server_cpu:.2f} ms |"


def when_idle(folder: str, size: Size) -> Iterator[str]:
    """Memory of games at which nobody is; those that were dropped from it live in the store.

    Those before them fill what does not grow with the games, such as the page cache of SQLite.
    """
    with Server(f"{folder}/idle.sqlite", sleep_after=size.sleep_after) as server:
        for _ in range(size.idle // 2):
            _visit(server)
        before = _memory(server)
        for _ in range(size.idle):
            _visit(server)
        awake = _memory(server)
        while "ferrovia_tables_awake 0.0" not in metrics(server.address):
            time.sleep(size.sleep_after / 10)
        asleep = _memory(server)
    each = [max(0.0, (then - before) / size.idle) for then in (awake, asleep)]
    yield f"| memory of an idle game, on top of {before / 1024:.0f} MiB | {each[0]:.1f} KiB |"
    yield f"| ... once it sleeps, two minutes after the last command | {each[1]:.1f} KiB |"


def _visit(server: Server) -> None:
    made = create(server.address, PERSON, PERSON)
    Person(server.address, made["table"], made["held"][0]["token"]).come().go()


def _memory(server: Server) -> float:
    """KiB that the server holds."""
    assert server.process is not None
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def after_a_restart(folder: str, size: Size) -> Iterator[str]:
    store = f"{folder}/many.sqlite"
    with Server(store) as server:
        made = create(server.address, bot("random"), bot("random"), bot("random"))
        watcher = Person(server.address, made["table"]).come()
        while watcher.state["number"] < size.events:
            watcher.hear("state")
        server.stop()
    events = _copy(store, made["table"], size.stored)
    stored = f"{size.stored:,} stored games of {events} events"
    disk = Path(store).stat().st_size / 2**20
    started = time.perf_counter()
    with Server(store) as server:
        ready = time.perf_counter() - started
        times = []
        for number in range(min(50, size.stored)):
            person = Person(server.address, f"copy-{number}")
            began = time.perf_counter()
            person.come(known=None)
            times.append(time.perf_counter() - began)
            person.go()
    times.sort()
    yield f"| restart with {stored} ({disk:.0f} MiB): ready in | {ready:.2f} s |"
    yield (
        "| ... a game resumes, until a client sees it: median, slowest of 50 | "
        f"{1000 * times[len(times) // 2]:.1f} ms, {1000 * times[-1]:.1f} ms |"
    )


def _copy(store: str, table: str, games: int) -> int:
    """Store copies of a table at which people are awaited; return the number of its events."""
    opened = open_store(store)
    [stored] = [stored for stored in opened.tables() if stored.table == table]
    entries = tuple(opened.entries(table))
    summary = dataclasses.replace(stored.summary, due=None)
    for first in range(0, games, 100):
        names = [f"copy-{number}" for number in range(first, min(games, first + 100))]
        opened.append([Append(name, 1, entries, summary) for name in names])
    opened.remove([(table, stored.number)])
    opened.close()
    return len(entries)


def killed(folder: str, size: Size) -> Iterator[str]:
    report = play_under_fire(size.kills, f"{folder}/fire.sqlite")
    outcome = f"{report.accepted:,} accepted, {len(report.lost)} lost, {len(report.twice)} twice"
    yield f"| `kill -9` at random instants, {report.kills} times under load: commands | {outcome} |"


def section(size: Size) -> str:
    lines = ["", "## The server", "", "Printed by `python -m tests.server.bench`.", ""]
    lines += ["| what | figure |", "|---|---|"]
    with tempfile.TemporaryDirectory() as folder:
        for measure in (under_load, when_idle, after_a_restart, killed):
            lines += measure(folder, size)
    return "\n".join(lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--brief", action="store_true", help="a small part of everything")
    options.add_argument("--load", action="store_true", help="growing rates, and nothing else")
    options.add_argument("--seconds", type=float, default=20.0, help="of each run of --load")
    options.add_argument("--times", type=int, default=3, help="runs of each rate with --load")
    chosen = options.parse_args()
    if chosen.load:
        runs = f"Of {chosen.times} runs of {chosen.seconds:.0f} s each that with the median p99"
        print(f"\n### At growing rates\n\n{runs}, by `python -m tests.server.bench --load`.\n")
        for line in up_to_the_limit(chosen.seconds, chosen.times):
            print(line, flush=True)
    else:
        print(section(BRIEF if chosen.brief else Size()))


if __name__ == "__main__":
    main()
