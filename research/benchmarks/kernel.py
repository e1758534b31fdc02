"""The kernel: random play of whole games, and the cost of its functions."""

import multiprocessing
import random
from array import array
from typing import Any

from ferrovia.boards import load_edition
from ferrovia.game import Game
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.lab.ctrl_c import ctrl_c_ignored
from ferrovia.rules import calls
from ferrovia.rules.state.layout import SCORE, STATE
from research.benchmarks.measurement import rate, table

RANDOM_PLAY = (("usa", 2), ("usa", 4), ("europe", 2), ("europe", 4), ("mega-europe", 5))
"""Editions and seats of which random play is measured."""


def empty_batch(players: int, games: int) -> tuple[Any, Any, Any]:
    """Return room for the states and the scores of a batch of games, and their seeds."""
    return STATE.new(games), SCORE.new(games), random.Random(players).randbytes(32 * games)


def random_play() -> list[str]:
    """Return the section on random legal play."""
    rows = []
    for name, players in RANDOM_PLAY:
        games, decisions = _games_rate(name, players)
        rows.append(
            f"| {name} | {players} | {games:,.0f} | {decisions:.1f} | {games * decisions:,.0f} |"
        )
    head = "| edition | seats | games per second | decisions in a game | decisions per second |"
    one, two = _processes_rate("europe", 4, 1), _processes_rate("europe", 4, 2)
    return [
        *table("Random legal play, full rules and scoring, one core", head, rows),
        f"Two processes on two cores together play {two / one:.2f} times as many games as one "
        "alone (europe, 4 seats, both measured in this run).",
        "",
    ]


def functions() -> list[str]:
    """Return the section on the kernel's functions."""
    games, decisions = _games_rate("europe", 4)
    rows = [
        f"| a random decision: menu, choice, `apply` | {1e9 / games / decisions:.0f} ns |",
        f"| a state | {STATE.size} bytes |",
        f"| `Game` from Python, per call of `legal` | {_call_time('legal') * 1e6:.2f} µs |",
        f"| the same for `apply`, with its check | {_call_time('apply') * 1e6:.2f} µs |",
    ]
    return table("The kernel (europe, 4 seats)", "| what | figure |", rows)


def _games_rate(name: str, players: int) -> tuple[float, float]:
    """Return the games per second on one core, and the decisions in a game."""
    lexicon = lexicon_of(load_edition(name))
    count = 2000
    states, scores, seeds = empty_batch(players, count)
    decisions = 0

    def work() -> float:
        nonlocal decisions
        decisions = calls.play_random_games(lexicon.book, states, scores, seeds, players)
        return count

    games = rate(work)
    return games, decisions / count


def _processes_rate(name: str, players: int, processes: int) -> float:
    """Return the games per second of several processes together."""
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(processes), context.Queue()
    started = [
        context.Process(target=_process, args=(name, players, barrier, results))
        for _ in range(processes)
    ]
    try:
        with ctrl_c_ignored():
            for process in started:
                process.start()
        total: float = sum(results.get() for _ in started)
    except BaseException:
        for process in started:
            if process.pid is not None:
                process.terminate()
        raise
    for process in started:
        process.join()
    return total


def _process(name: str, players: int, barrier: Any, results: Any) -> None:
    _games_rate(name, players)  # so that all of them are loaded before any is measured
    barrier.wait()
    results.put(_games_rate(name, players)[0])


def _call_time(name: str) -> float:
    """Return the seconds for one call from Python into compiled code."""
    game = Game("europe", 4, seed=1)
    while game.turn is None:
        seat = game.awaited[0]
        game.play(seat, game.legal_actions(seat)[0])
    book, state, seat = game.lexicon.book, game.state, game.turn or 0
    out, rows, tape = array("h", bytes(2048)), bytearray(), array("i")
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

    return 1 / rate(work, 0.3)
