"""The benchmark page: what this machine reaches, measured now, as Markdown."""

import multiprocessing
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from ferrovia.boards import edition
from ferrovia.bots import make
from ferrovia.bots.kernel.arena import COUNTS, play_games
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.bots.search.root import TRIES, Root
from ferrovia.bots.search.workspace import Workspace, make_workspace
from ferrovia.game import Game, View
from ferrovia.game.codec.lexicon import Lexicon, lexicon
from ferrovia.machine.benchmarks.study import study_cost
from ferrovia.rules import calls, gpu
from ferrovia.rules.chapters.menu import list_menu, menu
from ferrovia.rules.chapters.turn import play, start
from ferrovia.rules.compiler import kernel
from ferrovia.rules.playout import next_seat, random_action
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import BOOK, NONE, RNG_WORDS, SCORE, STATE
from ferrovia.rules.state.log import COLUMNS, Log

RANDOM_PLAY = (("usa", 2), ("usa", 4), ("europe", 2), ("europe", 4), ("mega-europe", 5))
SECONDS = 1.5


def page() -> str:
    """All figures that need no GPU."""
    return "\n".join(
        [
            "# Benchmarks",
            "",
            f"Printed by `ferrovia bench` (`make bench`) on {machine()}.",
            "",
            *_random_play(),
            *_kernel(),
            *_bots(),
            *_search(),
            *_study(),
            *_python(),
            *_starting(),
        ]
    )


def gpu_page() -> str:
    """The figures of the GPU; NoGpu where there is none."""
    lines = [
        "# Benchmarks on a GPU",
        "",
        f"Printed by `ferrovia bench --gpu` on {_gpu_name()}.",
        "",
        "Random legal play of whole games, full rules and scoring, one thread a game.",
        "",
        "| edition | seats | games per second | decisions per second | equal to the CPU |",
        "|---|---|---|---|---|",
    ]
    for name, players in RANDOM_PLAY:
        games, decisions = _gpu_rate(name, players)
        same = "byte for byte" if _gpu_agrees(name, players) else "NO"
        lines.append(f"| {name} | {players} | {games:,.0f} | {decisions:,.0f} | {same} |")
    return "\n".join([*lines, ""])


def machine() -> str:
    """The machine in a few words."""
    cpu = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                cpu = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return (
        f"{cpu}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"Numba {version('numba')}"
    )


def _table(title: str, head: str, rows: list[str]) -> list[str]:
    columns = head.count("|") - 1
    return [f"## {title}", "", head, "|" + "---|" * columns, *rows, ""]


def _rate(work: Callable[[], float], seconds: float = SECONDS) -> float:
    """Units of work per second, the median of several runs."""
    rates: list[float] = []
    end = time.perf_counter() + seconds
    while len(rates) < 3 or time.perf_counter() < end:
        begin = time.perf_counter()
        done = work()
        rates.append(done / (time.perf_counter() - begin))
    return statistics.median(rates)


# Random play


def _batch(players: int, games: int) -> tuple[Any, Any, Any]:
    seeds = np.random.default_rng(players).integers(0, 256, (games, 32), dtype=np.uint8)
    states = np.zeros((games, STATE.itemsize), np.uint8)
    return states, np.zeros((games, SCORE.itemsize), np.uint8), seeds


def _games_rate(name: str, players: int) -> tuple[float, float]:
    """Games per second on one core, and decisions in a game."""
    words = lexicon(edition(name))
    states, scores, seeds = _batch(players, 2000)
    decisions = 0

    def work() -> float:
        nonlocal decisions
        decisions = calls.play_random_games(words.book, states, scores, seeds, players)
        return len(seeds)

    rate = _rate(work)
    return rate, decisions / len(seeds)


def _worker(name: str, players: int, barrier: Any, results: Any) -> None:
    _games_rate(name, players)
    barrier.wait()
    results.put(_games_rate(name, players)[0])


def _cores_rate(name: str, players: int, cores: int) -> float:
    """Games per second of so many processes at the same time."""
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(cores), context.Queue()
    processes = [
        context.Process(target=_worker, args=(name, players, barrier, results))
        for _ in range(cores)
    ]
    for process in processes:
        process.start()
    total: float = sum(results.get() for _ in processes)
    for process in processes:
        process.join()
    return total


def _random_play() -> list[str]:
    rows = []
    for name, players in RANDOM_PLAY:
        rate, decisions = _games_rate(name, players)
        rows.append(
            f"| {name} | {players} | {rate:,.0f} | {decisions:.1f} | {rate * decisions:,.0f} |"
        )
    head = "| edition | seats | games per second | decisions in a game | decisions per second |"
    one, two = _cores_rate("europe", 4, 1), _cores_rate("europe", 4, 2)
    return [
        *_table("Random legal play, full rules and scoring, one core", head, rows),
        f"Two processes on two cores together play {two / one:.2f} times as many games as one "
        "alone (europe, 4 seats, both measured in this run).",
        "",
    ]


# The kernel's functions


@kernel
def _sweep(book_bytes: Any, seeds: Any, players: int, out: Any, listing: int, rows: Any) -> int:
    """Random games; every position is listed `listing` times more. Gives the decisions."""
    book = book_bytes.view(BOOK)[0]
    state = np.empty(STATE_BYTES, np.uint8)
    rng = np.empty(RNG_WORDS, np.uint32)
    nobody = Log(rows, out[:0])
    decisions = 0
    for game in range(seeds.shape[0]):
        state[:] = 0
        s = state.view(STATE)[0]
        start(book, s, seeds[game], players, NONE, nobody)
        seed_generator(rng, seeds[game], 1)
        seat = next_seat(s)
        while seat != NONE:
            for _ in range(listing):
                list_menu(book, menu(book, s, seat), out)
            play(book, s, seat, random_action(book, s, seat, rng), nobody)
            decisions += 1
            seat = next_seat(s)
    return decisions


STATE_BYTES = STATE.itemsize


def _sweep_time(words: Lexicon, players: int, listing: int) -> float:
    """Seconds for one decision with so many extra listings."""
    _, _, seeds = _batch(players, 500)
    out, rows = np.empty(1024, np.int16), np.zeros((0, COLUMNS), np.int16)
    return 1 / _rate(lambda: _sweep(words.book, seeds, players, out, listing, rows))


def _kernel() -> list[str]:
    words = lexicon(edition("europe"))
    bare, listed = _sweep_time(words, 4, 0), _sweep_time(words, 4, 4)
    legal = (listed - bare) / 4
    rows = [
        f"| `legal`: list all legal decisions | {legal * 1e9:.0f} ns |",
        f"| a whole random decision: menu, choice, `apply` | {bare * 1e9:.0f} ns |",
        f"| a state | {STATE.itemsize} bytes |",
        f"| `Game` from Python, per call of `legal` | {_call_time('legal') * 1e6:.2f} µs |",
        f"| the same for `apply`, with its check | {_call_time('apply') * 1e6:.2f} µs |",
    ]
    return _table("The kernel (europe, 4 seats)", "| what | figure |", rows)


def _call_time(name: str) -> float:
    """Seconds for one call across the border from Python."""
    game = Game("europe", 4, seed=1)
    while game.turn is None:
        seat = game.awaited[0]
        game.play(seat, game.legal_actions(seat)[0])
    book, state, seat = game.words.book, game.state, int(game.turn or 0)
    out = np.empty(1024, np.int16)
    rows, tape = np.zeros((0, COLUMNS), np.int16), np.zeros(0, np.int16)
    fresh = state.copy()
    count = 2000

    def work() -> float:
        for _ in range(count):
            if name == "legal":
                calls.legal(book, state, seat, out)
            else:
                calls.apply(book, fresh, seat, 0, rows, tape)
                fresh[:] = state
        return count

    return 1 / _rate(work, 0.3)


# Bots


def _bots() -> list[str]:
    rows = []
    for name in ("greedy", "planner"):
        for ed, players in (("usa", 2), ("usa", 4), ("europe", 4)):
            words = lexicon(edition(ed))
            states, scores, seeds = _batch(players, 300)
            kinds = [SCRIPTS.index(name)] * players
            counts = np.zeros((len(seeds), COUNTS), np.int32)
            nothing = np.zeros((len(seeds), 0, COLUMNS), np.int16)

            def work(
                all_of: Any = (words.book, states, scores, seeds, kinds, counts, nothing),
            ) -> float:
                play_games(*all_of)
                return float(len(all_of[3]))

            rows.append(f"| {name} | {ed} | {players} | {_rate(work):,.0f} |")
    head = "| all seats | edition | seats | games per second |"
    return _table("Scripted bots inside compiled code, one core", head, rows)


def _middle_of(name: str, players: int) -> View:
    """What the seat to move sees when about half of a game has been played."""
    game = Game(name, players, seed=3)
    bots = [make("planner", 3) for _ in range(players)]
    while game.view(None).turns < 17 * players:
        seat = game.awaited[0]
        game.play(seat, bots[seat].decide(game.view(seat)))
    return game.view(game.awaited[0])


def _search() -> list[str]:
    rows = []
    for name, players in (("usa", 2), ("usa-classic", 2), ("europe", 4), ("mega-europe", 5)):
        view, workspace = _middle_of(name, players), make_workspace(bytes(32))

        def work(view: View = view, workspace: Workspace = workspace) -> float:
            assert view.seat is not None
            root = Root(view.words.book, view.buffer, view.seat, [workspace], 400 // TRIES)
            root.search(400, inf)
            return root.iterations

        rows.append(f"| {name} | {players} | {_rate(work):,.0f} |")
    head = "| edition | seats | iterations per second |"
    return _table("Search in the middle of a game, one core", head, rows)


def _study() -> list[str]:
    rows = []
    for games in (20_000, 100_000):
        cost = study_cost(games)
        rows.append(f"| {games:,} | {cost.seconds:.0f} s | {cost.megabytes:.0f} MB |")
    head = "| games | time | largest process |"
    title = "Greedy games of europe with four seats, kept, counted and reported, two workers"
    return _table(title, head, rows)


# Python


def _played(seed: int) -> Game:
    """A game of random actions in words."""
    game = Game("europe", 4, seed=seed)
    chance = np.random.default_rng(seed)
    while not game.over:
        seat = game.awaited[0]
        listed = game.legal_actions(seat)
        game.play(seat, listed[chance.integers(len(listed))])
    return game


def _python() -> list[str]:
    games = [_played(seed) for seed in range(6)]
    records = [game.record().text() for game in games]
    events = sum(len(game.events) for game in games)

    def with_listing() -> float:
        return float(sum(_decisions(_played(seed)) for seed in range(4)))

    rates = {
        "`Game.play`, one decision at a time, decisions": _rate(_replaying(games)),
        "the same, listing all legal actions before each": _rate(with_listing),
        "writing records, events": _rate(lambda: _write(games, events)),
        "reading, replaying and checking records, events": _rate(lambda: _verify(records, events)),
    }
    rows = [f"| {what} | {rate:,.0f} |" for what, rate in rates.items()]
    return _table("From Python, one core (europe, 4 seats)", "| what | per second |", rows)


def _decisions(game: Game) -> int:
    """Events that somebody's decision led to at once, as a count of decisions."""
    kinds = ("Keep", "Take", "Draw", "Claim", "Tunnel", "Withdraw", "Station", "PassTurn")
    return sum(type(event).__name__ in kinds for event in game.events)


def _replaying(games: list[Game]) -> Callable[[], float]:
    """Playing the same actions again, which are worked out beforehand."""
    scripts = []
    for game in games:
        moves, again = [], Game("europe", 4, seed=game.seed)
        chance = np.random.default_rng(int.from_bytes(game.seed, "big"))
        while not again.over:
            seat = again.awaited[0]
            listed = again.legal_actions(seat)
            action = listed[chance.integers(len(listed))]
            moves.append((seat, action))
            again.play(seat, action)
        scripts.append((game.seed, moves))

    def work() -> float:
        for seed, moves in scripts:
            game = Game("europe", 4, seed=seed)
            for seat, action in moves:
                game.play(seat, action)
        return float(sum(len(moves) for _, moves in scripts))

    return work


def _write(games: list[Game], events: int) -> float:
    for game in games:
        game.record().text()
    return events


def _verify(records: list[str], events: int) -> float:
    for text in records:
        Game.from_record(text)
    return events


# Starting


def _seconds(command: list[str], cache: str | None = None) -> float:
    environment = dict(os.environ)
    if cache is not None:
        environment["FERROVIA_CACHE"] = cache
    begin = time.perf_counter()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return time.perf_counter() - begin


def _starting() -> list[str]:
    ferrovia = [sys.executable, "-m", "ferrovia"]
    simulate = [*ferrovia, "simulate", "europe", "--bots", "random,random", "--games", "1"]
    with tempfile.TemporaryDirectory() as cache:
        first = _seconds(simulate, cache)
        later = statistics.median(_seconds(simulate, cache) for _ in range(3))
    told = statistics.median(_seconds([*ferrovia, "--help"]) for _ in range(5))
    rows = [
        f"| `ferrovia --help` | {told:.2f} s |",
        f"| the first `simulate` on a new machine, which compiles | {first:.1f} s |",
        f"| every later one, to the end of its first game | {later:.2f} s |",
    ]
    return _table("Starting", "| what | time |", rows)


# GPU


def _gpu_name() -> str:
    name = gpu.device_name()
    return f"an {name}, Numba {version('numba')}, numba-cuda {version('numba-cuda')}"


def _gpu_rate(name: str, players: int, games: int = 1 << 20) -> tuple[float, float]:
    """Games and decisions per second, results left on the device."""
    batch = gpu.Batch(lexicon(edition(name)).book, players, games)
    _, _, seeds = _batch(players, games)
    on_device = batch.upload(seeds)
    batch.run(on_device)
    batch.wait()
    times = []
    for _ in range(3):
        begin = time.perf_counter()
        batch.run(on_device)
        batch.wait()
        times.append(time.perf_counter() - begin)
    seconds = statistics.median(times)
    return games / seconds, batch.decisions_made() / seconds


def _gpu_agrees(name: str, players: int, games: int = 4096) -> bool:
    book = lexicon(edition(name)).book
    states, scores, seeds = _batch(players, games)
    calls.play_random_games(book, states, scores, seeds, players)
    on_gpu = gpu.play_random_games(book, seeds, players)
    return bool((on_gpu[0] == states).all() and (on_gpu[1] == scores).all())
