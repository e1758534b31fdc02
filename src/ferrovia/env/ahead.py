"""The loops of the environments as entries that can be compiled before they are needed.

They take the arrays of a batch, so their types are those of a small one. What is declared here is
what `ferrovia doctor --compile --environments` compiles; a loop that is not compiled by then says
so when it is.
"""

import sys
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numba
import numpy as np

from ferrovia.boards import edition
from ferrovia.env import loops
from ferrovia.env.batch import BatchEnv, Kind
from ferrovia.rules.compiler import COMPILED, Entry, Need, cache_folder, declare, entries
from ferrovia.rules.state.layout import SEATS

_typeof: Any = numba.typeof

LOOPS: tuple[Any, ...] = (
    loops.reset_games,
    loops.play_and_see,
    loops.play_and_advise,
    loops.see_games,
    loops.see_from,
    loops.observe_games,
    loops.look_at,
    loops.draw_games,
    loops.step_games,
    loops.finish_games,
    loops.result_games,
)


def _calls() -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Yield every loop with arguments of the types that a batch passes."""
    first = np.zeros(2, np.int64)  # one game alone has arrays that are contiguous in all orders
    env = BatchEnv([Kind(edition("usa"), 2)], first, key=0, advice=False, threads=1)
    room, places, count = env._room, env._places, env.columns.count
    games = (0, 2, room)
    obs, beside = np.zeros((1, count, 2), np.uint8), env.observations()
    seats, actions = np.zeros((1, 2), np.int32), np.zeros((1, 2), np.int64)
    flags, rewards = np.zeros((1, 2), np.uint8), np.zeros((1, 2), np.float32)
    lasts, column = np.zeros((1, 2, SEATS), np.float32), np.zeros((count, 1), np.uint8)
    yield loops.reset_games, games
    yield loops.play_and_see, (*env._alone, 0)
    alone, worths, planner = env._alone[:3], env.arrays["worths"][0], np.zeros(1, np.int64)
    yield loops.play_and_advise, (*alone, worths, 0, 0, column, planner, 0)
    for each in (beside, obs):
        yield loops.see_games, (*games, places, each.transpose(0, 2, 1), seats, flags, 0)
    yield loops.see_from, (room, 0, 0, places, column)
    yield loops.observe_games, (*games, 0, 0, obs, seats, flags, actions, 0)
    yield loops.look_at, (room, 0, 0, 0, 0, column)
    yield loops.draw_games, (*games, actions, 0)
    yield loops.step_games, (*games, actions, rewards, flags, 0, 0.0, 0.0)
    yield loops.finish_games, (*games, lasts, flags, 0, 0.0, 0.0)
    yield loops.result_games, (*games, np.zeros((2, 1 + SEATS), np.int32))


@cache
def _types() -> dict[Any, list[tuple[Any, ...]]]:
    found: dict[Any, list[tuple[Any, ...]]] = {loop: [] for loop in LOOPS}
    for loop, arguments in _calls():
        found[loop].append(tuple(map(_typeof, arguments)))
    return found


def _load(loop: Any) -> None:
    if COMPILED:
        for types in _types()[loop]:
            loop.compile(types)


for _loop in LOOPS:
    _function = getattr(_loop, "py_func", _loop)
    declare(_function.__name__, _function, Need.ENVIRONMENT, partial(_load, _loop))


def declared() -> list[Entry]:
    """Return what the environments need that can be compiled ahead."""
    return [entry for entry in entries() if entry.needed_for & Need.ENVIRONMENT]


def say_what_is_compiled(loop: Any) -> None:
    """Say on stderr that a loop is compiled now, and how far that is; nothing if it is not."""
    if not COMPILED:
        return
    waiting = [entry for entry in declared() if not entry.is_cached()]
    name = loop.py_func.__name__
    if any(entry.name == name for entry in waiting):
        once = "once on this machine" if cache_folder("env") else "every time, as none can be kept"
        print(
            f"Compiling the environment, {once}: {name} "
            f"({len(LOOPS) - len(waiting) + 1} of {len(LOOPS)}; all of it ahead: "
            "ferrovia doctor --compile --environments)",
            file=sys.stderr,
            flush=True,
        )
