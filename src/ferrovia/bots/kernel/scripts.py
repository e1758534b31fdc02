"""The scripted bots by number, for compiled code: each is one function from a view to a decision.

The contract of a script: `decide(book, view, seat, plan, rng)` returns a legal decision of a seat
that may act; it reads nothing but the seat's view, writes nothing but `plan` and `rng`, and
allocates nothing, so that it runs on the CPU, on a GPU and uncompiled alike.

Each is compiled on its own when it is first needed, and passed as an argument to functions that
play with it.
"""

from functools import cache, partial
from typing import Any

import numba

from ferrovia.bots.kernel.scratch import PLAN, Plan
from ferrovia.bots.planner import planner, stoker
from ferrovia.bots.planner.weights import COLLECTOR, PLANNER
from ferrovia.bots.simple import greedy, passenger, racer, wary
from ferrovia.rules.compiler import BYTES, INT, RNG, Need, callback, declare, entry
from ferrovia.rules.playout import random_action
from ferrovia.rules.state.layout import BOOK, STATE, Book, State, Words

Script = Any  # a compiled function of the type below

_types: Any = numba.types
_record: Any = numba.from_dtype
SCRIPT_TYPE: Any = _types.FunctionType(
    _types.int64(_record(BOOK), _record(STATE), _types.int64, _record(PLAN), _types.uint32[::1])
)


def _random(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return random_action(book, view, seat, rng)


def _greedy(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return greedy.decide(book, view, seat, plan)


def _wary(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return wary.decide(book, view, seat, plan)


def _racer(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return racer.decide(book, view, seat, plan)


def _collector(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return planner.decide(book, view, seat, plan, COLLECTOR)


def _planner(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return planner.decide(book, view, seat, plan, PLANNER)


def _passenger(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return passenger.decide(book, view, seat, plan, rng)


def _stoker(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return stoker.decide(book, view, seat, plan, rng)


_SOURCES = (_random, _greedy, _wary, _racer, _collector, _planner, _passenger, _stoker)

SCRIPTS = tuple(source.__name__[1:] for source in _SOURCES)
"""The names of the scripted bots; the place of a name is its kind."""

RANDOM = SCRIPTS.index("random")


def source(name: str) -> Any:
    """Return the script of a name, uncompiled."""
    return _SOURCES[SCRIPTS.index(name)]


@cache
def script(kind: int) -> Script:
    """Return the script of a kind, compiled."""
    return callback(_SOURCES[kind], SCRIPT_TYPE.signature)


for _kind, _source in enumerate(_SOURCES):
    declare(SCRIPTS[_kind], _source, Need(0), partial(script, _kind))  # by its bots alone


@entry(SCRIPT_TYPE, BYTES, BYTES, INT, BYTES, RNG, needed_for=Need.PLAY)
def decide_by(script: Script, book: Any, view: Any, seat: int, plan: Any, rng: Words) -> int:
    """Return the decision of a script, over byte buffers (see ferrovia.rules.calls)."""
    return int(script(book.view(BOOK)[0], view.view(STATE)[0], seat, plan.view(PLAN)[0], rng))
