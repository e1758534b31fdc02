"""The kernel: random play of whole games, and the cost of its functions."""

import multiprocessing
from typing import Any

import numpy as np

from ferrovia.boards import edition
from ferrovia.game import Game
from ferrovia.game.codec.lexicon import Lexicon, lexicon
from ferrovia.lab.ctrl_c import ctrl_c_ignored
from ferrovia.machine.benchmarks.measurement import rate, table
from ferrovia.rules import calls
from ferrovia.rules.chapters.menu import list_menu, menu
from ferrovia.rules.chapters.turn import play, start
from ferrovia.rules.compiler import kernel
from ferrovia.rules.playout import next_seat, random_action
from ferrovia.rules.state.chance import seed_generator
from ferrovia.rules.state.layout import BOOK, NONE, RNG_WORDS, SCORE, STATE
from ferrovia.rules.state.log import COLUMNS, NOBODY, Log

RANDOM_PLAY = (("usa", 2), ("usa", 4), ("europe", 2), ("europe", 4), ("mega-europe", 5))
"""Editions and seats of which random play is measured."""

STATE_BYTES = STATE.itemsize


def empty_batch(players: int, games: int) -> tuple[Any, Any, Any]:
    """Return room for the states and the scores of a batch of games, and their seeds."""
    seeds = np.random.default_rng(players).integers(0, 256, (games, 32), dtype=np.uint8)
    states = np.zeros((games, STATE.itemsize), np.uint8)
    return states, np.zeros((games, SCORE.itemsize), np.uint8), seeds


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
    words = lexicon(edition("europe"))
    bare, listed = _decision_time(words, 4, 0), _decision_time(words, 4, 4)
    legal = (listed - bare) / 4
    rows = [
        f"| `legal`: list all legal decisions | {legal * 1e9:.0f} ns |",
        f"| a whole random decision: menu, choice, `apply` | {bare * 1e9:.0f} ns |",
        f"| a state | {STATE.itemsize} bytes |",
        f"| `Game` from Python, per call of `legal` | {_call_time('legal') * 1e6:.2f} µs |",
        f"| the same for `apply`, with its check | {_call_time('apply') * 1e6:.2f} µs |",
    ]
    return table("The kernel (europe, 4 seats)", "| what | figure |", rows)


def _games_rate(name: str, players: int) -> tuple[float, float]:
    """Return the games per second on one core, and the decisions in a game."""
    words = lexicon(edition(name))
    states, scores, seeds = empty_batch(players, 2000)
    decisions = 0

    def work() -> float:
        nonlocal decisions
        decisions = calls.play_random_games(words.book, states, scores, seeds, players)
        return len(seeds)

    games = rate(work)
    return games, decisions / len(seeds)


def _processes_rate(name: str, players: int, processes: int) -> float:
    """Return the games per second of so many processes together."""
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


@kernel
def _sweep(book_bytes: Any, seeds: Any, players: int, out: Any, listing: int, rows: Any) -> int:
    """Play random games, list every position `listing` times more, and return the decisions."""
    book = book_bytes.view(BOOK)[0]
    state = np.empty(STATE_BYTES, np.uint8)
    rng = np.empty(RNG_WORDS, np.uint32)
    nobody = Log(rows, NOBODY.tape)
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


def _decision_time(words: Lexicon, players: int, listing: int) -> float:
    """Return the seconds for one decision with so many extra listings."""
    _, _, seeds = empty_batch(players, 500)
    out, rows = np.empty(1024, np.int16), np.zeros((0, COLUMNS), np.int16)
    return 1 / rate(lambda: _sweep(words.book, seeds, players, out, listing, rows))


def _call_time(name: str) -> float:
    """Return the seconds for one call from Python into compiled code."""
    game = Game("europe", 4, seed=1)
    while game.turn is None:
        seat = game.awaited[0]
        game.play(seat, game.legal_actions(seat)[0])
    book, state, seat = game.words.book, game.state, int(game.turn or 0)
    out = np.empty(1024, np.int16)
    rows, tape = np.zeros((0, COLUMNS), np.int16), np.zeros(0, np.int32)
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
