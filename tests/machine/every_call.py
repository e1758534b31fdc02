"""A program: loads what is compiled ahead, then plays and prints, as JSON, what that left out.

`everything` does all that is done anywhere, `server` what the server does itself. It is a process
of its own, since whatever another test has called would count as compiled.
"""

import json
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from ferrovia import Game, read_position, write_position
from ferrovia.analysis.analysis import analyse
from ferrovia.analysis.findings import Budget
from ferrovia.boards import edition
from ferrovia.bots import make
from ferrovia.bots.program import decision_line
from ferrovia.game import Action, View
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.run import simulate
from ferrovia.machine import compile
from ferrovia.rules import calls
from ferrovia.rules.state.layout import SCORE, STATE

POSITION = """
edition: europe
turn: 1
seat 0: hand red*3 locomotive | routes paris-zurich | stations wien | tickets europe:berlin-roma
seat 1: hand blue*4
"""


def dispatchers() -> Iterator[tuple[str, Any]]:
    """Return every compiled function of Ferrovia with its name."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "ferrovia":
            for it in vars(module).values():
                if isinstance(it, Dispatcher) and it.py_func.__module__ == name:
                    yield f"{name}.{it.py_func.__name__}", it


def signatures() -> dict[str, list[str]]:
    return {name: [str(types) for types in it.signatures] for name, it in dispatchers()}


def play(game: Game, decide: Callable[[View], Action]) -> None:
    """Play a game as people and programs do, every seat being shown every position."""
    while not game.over:
        views = [game.view(seat) for seat in range(game.players)]
        for view in (*views, game.view(None)):
            view.legal_actions()
            if view.seat is not None:
                decision_line(view)
        seat = game.awaited[0]
        action = decide(views[seat])
        assert game.why_not(seat, action) is None
        if len(views[seat].offer) == 3:
            game.why_not(seat, "keep 2 back 3 1")
        game.play(seat, action)
    game.result()
    game.longest_routes()
    Game.from_record(game.record().text())


def reseed(game: Game) -> None:
    """Let another stream decide the future, as for a game that resumes under other rules."""
    calls.seed_generator(game.state.view(STATE)[0].rng, np.zeros(32, np.uint8), 0)


def server() -> None:
    chance = random.Random(1)
    for name in ("europe", "usa"):
        game = Game(name, 3, seed=1)
        play(game, lambda view: chance.choice(view.legal_actions()))
        reseed(game)


def everything() -> None:
    server()
    for name, bots in (
        ("europe", ("greedy", "random", "search:8")),
        ("usa", ("passenger", "planner", "racer", "wary", "collector")),
    ):
        game = Game(name, len(bots), seed=1)
        seated = [make(bot, 1) for bot in bots]
        play(game, lambda view, seated=seated: seated[view.seat].decide(view))  # type: ignore[misc]
    game = Game("europe", 2, seed=1)  # of two: an analysis takes long, and calls the same for five
    play(game, lambda view: make("greedy", 1).decide(view))
    analyse(game, Budget(worlds=10, seconds=0.0))
    game = read_position(POSITION)
    read_position(write_position(game)).legal_actions(1)
    for bots in (("random", "greedy"), ("search:8", "random")):
        list(simulate(Plan(edition("usa"), bots, games=2, seed=1)))
    seeds = np.zeros((2, 32), np.uint8)
    states = np.zeros((2, STATE.itemsize), np.uint8)
    scores = np.zeros((2, SCORE.itemsize), np.uint8)
    calls.play_random_games(game.words.book, states, scores, seeds, 2)
    reseed(game)
    rng = game.state.view(STATE)[0].rng.copy()
    calls.sample(game.words.book, game.view(0).buffer, states[0], rng)


declared, work = {
    "everything": (compile.EVERYTHING, everything),
    "server": (compile.FOR_SERVER, server),
}[sys.argv[1]]
compile.load(declared)
before = signatures()
work()
after = signatures()
print(
    json.dumps(
        {name: types for name, types in after.items() if types != before.get(name, [])}, indent=1
    )
)
