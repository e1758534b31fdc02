"""What learns and what simulates: batches, PettingZoo beside its own floor, the net, runs."""

import statistics
import time
from collections.abc import Iterable

import numpy as np

from ferrovia.boards import editions, load_edition
from ferrovia.bots.net.net_bot import NetBot
from ferrovia.env.batch import BatchEnv, Kind
from ferrovia.errors import MissingExtra
from ferrovia.game import Game
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.lab.results import Tally
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.run import play_run
from ferrovia.rules import calls
from ferrovia.rules.state.layout import NONE, SEATS
from research.benchmarks.kernel import empty_batch
from research.benchmarks.measurement import least_costs, rate, table

# The games of a batch: what 256 touch stays in a core's cache; with more than one thread there are
# more, since to wake a thread takes as long as a step of some hundred.
_GAMES, _GAMES_PER_THREAD = 256, 1024
_STEPS = 400  # that are measured together: games are cheap at their beginning
_SPREAD = 200  # steps before the first that is measured, so that games stand at all stages


def batches() -> list[str]:
    """Return the section on games in lockstep."""
    return _batches([(name, players) for name in editions() for players in (2, 4)])


def some_batches() -> list[str]:
    """Return that section for one kind of games on either board."""
    return _batches([("usa-classic", 2), ("europe", 4)])


def _batches(kinds: Iterable[tuple[str, int]]) -> list[str]:
    rows = []
    for name, players in kinds:
        one, two = (steps_per_second(name, players, threads) for threads in (1, 2))
        rows.append(f"| {name} | {players} | {one:,.0f} | {two:,.0f} |")
    head = f"| edition | seats | {_GAMES} games | {2 * _GAMES_PER_THREAD:,} games, two threads |"
    title = "Steps a second of `BatchEnv` on the CPU, every one observed, without advice"
    return table(title, head, rows)


def steps_per_second(name: str, players: int, threads: int, advice: bool = False) -> float:
    """Return the steps a second with an action at random: seen, chosen, made, begun again.

    Of one thread by its least CPU time over about a whole game, of several by the clock.
    """
    games = _GAMES if threads == 1 else _GAMES_PER_THREAD * threads
    kinds, first = [Kind(load_edition(name), players)], np.zeros(games, np.int64)
    env = BatchEnv(kinds, first, key=1, advice=advice, threads=threads)
    obs, seats = env.observations(), np.full((1, games), NONE, np.int32)
    pilots, actions = np.zeros((1, games), np.uint8), np.zeros((1, games), np.int64)
    rewards, dones = np.zeros((1, games), np.float32), np.zeros((1, games), np.uint8)
    lasts = np.zeros((1, games, SEATS), np.float32)

    def step(seen: bool = True) -> None:
        if seen:
            env.observe(obs, seats, pilots, actions, 0)
        env.draw_actions(actions, 0)
        env.step(actions, rewards, dones, 0, 1.0, 0.0)
        env.finish(lasts, dones, 0, 1.0, 1.0)

    def work() -> float:
        for _ in range(_STEPS):
            step()
        return float(_STEPS * games)

    env.reset()
    step()
    for _ in range(_SPREAD):
        step(seen=False)
    return 1e6 / least_costs([work], 12)[0] if threads == 1 else rate(work)


def pettingzoo() -> list[str]:
    """Return the section on PettingZoo, beside the same loop over an environment that does nothing.

    There is none where the extra is not installed.
    """
    try:
        from research.benchmarks.pettingzoo_floor import floor_env, steps_of
    except MissingExtra:
        return []
    from ferrovia.env.pettingzoo import aec_env

    rows = []
    for name, players in (("usa-classic", 2), ("europe", 4)):
        envs = (
            floor_env(name, players),
            aec_env(name, players, advice=False),
            aec_env(name, players),
        )
        floor, plain, advised = least_costs([steps_of(env) for env in envs], 30)
        rows.append(
            f"| {name} | {players} | {floor:.1f} µs | {plain:.1f} µs ({floor / plain:.0%}) "
            f"| {advised:.1f} µs ({floor / advised:.0%}) |"
        )
    head = "| edition | seats | nothing but PettingZoo | without advice | with planner's advice |"
    title = "PettingZoo, CPU time of a step, and the speed as compared with doing nothing"
    return table(title, head, rows)


def net() -> list[str]:
    """Return the section on the learned player."""
    rows = []
    for name, players in (("usa-classic", 2), ("europe", 2), ("europe", 4), ("mega-europe", 5)):
        times = net_decisions(name, players)
        rows.append(
            f"| {name} | {players} | {statistics.median(times):.1f} µs "
            f"| {statistics.mean(times):.1f} µs |"
        )
    head = "| edition | seats | median | mean |"
    return table("CPU time of a decision of `net`, over whole games of its own", head, rows)


def net_decisions(name: str, players: int, games: int = 4) -> list[float]:
    """Return what every decision of some games took, in microseconds of CPU.

    The first game, in which weights and code are loaded, is not one of them.
    """
    times: list[float] = []
    for seed in range(games + 1):
        if seed == 1:
            times.clear()
        game = Game(name, players, seed=seed)
        bots = [NetBot(bytes(32)) for _ in range(players)]
        while not game.over:
            seat = game.awaited[0]
            view, bot = game.view(seat), bots[seat]
            began = time.thread_time_ns()
            bot.small_decision(view.lexicon, view.buffer, seat)
            times.append((time.thread_time_ns() - began) / 1000)
            game.play(seat, bot.decide(view))
    return times


def runs() -> list[str]:
    """Return the section on what a run costs beyond the kernel."""
    rows = []
    for name, players in (("usa", 2), ("europe", 4)):
        bare, whole = run_cost(name, players)
        rows.append(
            f"| {name} | {players} | {bare:.1f} µs | {whole:.1f} µs | {whole / bare - 1:.1%} |"
        )
    head = "| edition | seats | in the kernel | in a run | more |"
    return table("CPU time of a random game, alone and in a run of `simulate`", head, rows)


def run_cost(name: str, players: int, games: int = 1 << 11) -> tuple[float, float]:
    """Return the CPU time of a random game in the kernel and in a run, in microseconds."""
    book, plan = (
        lexicon_of(load_edition(name)).book,
        Plan(load_edition(name), ("random",) * players, games, 1),
    )
    states, scores, seeds = empty_batch(players, 256)

    def bare() -> float:
        for _ in range(games // 256):
            calls.play_random_games(book, states, scores, seeds, players)
        return games

    def whole() -> float:
        tally = Tally(players)
        for batch in play_run([plan], []):
            tally.add(batch.results)
        return games

    alone, in_run = least_costs([bare, whole], 40)
    return alone, in_run
