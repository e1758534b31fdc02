"""The scripted bots by number, for compiled code: each is one function from a view to a decision.

The contract of a script: `decide(book, view, seat, plan, rng)` returns a legal decision of a seat
that may act; it reads nothing but the seat's view, writes nothing but `plan` and `rng`, and
allocates nothing, so that it runs on the CPU, on a GPU and uncompiled alike.
"""

from typing import Any

from ferrovia.bots.kernel.scratch import PLAN, Plan
from ferrovia.bots.planner import planner, stoker
from ferrovia.bots.planner.weights import COLLECTOR, PLANNER
from ferrovia.bots.simple import greedy, passenger, racer, wary
from ferrovia.kernel import INT, One, entry, kernel
from ferrovia.rules.calls import GENERATOR, RULES, SEEN
from ferrovia.rules.playout import random_action
from ferrovia.rules.state.layout import Book, State, Words


@kernel
def _random(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return random_action(book, view, seat, rng)


@kernel
def _greedy(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return greedy.decide(book, view, seat, plan)


@kernel
def _wary(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return wary.decide(book, view, seat, plan)


@kernel
def _racer(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return racer.decide(book, view, seat, plan)


@kernel
def _collector(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return planner.decide(book, view, seat, plan, COLLECTOR)


@kernel
def _planner(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return planner.decide(book, view, seat, plan, PLANNER)


@kernel
def _passenger(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return passenger.decide(book, view, seat, plan, rng)


@kernel
def _stoker(book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    return stoker.decide(book, view, seat, plan, rng)


_SCRIPTS = (_random, _greedy, _wary, _racer, _collector, _planner, _passenger, _stoker)

SCRIPTS = tuple(script.__name__[1:] for script in _SCRIPTS)
"""The names of the scripted bots; the place of a name is its kind."""

RANDOM = SCRIPTS.index("random")


def script(name: str) -> Any:
    """Return the script of a name, as a function of the kernel."""
    return _SCRIPTS[SCRIPTS.index(name)]


@kernel
def decide(kind: int, book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    """Return the decision of the script of a kind."""
    if kind == 0:
        return _random(book, view, seat, plan, rng)
    if kind == 1:
        return _greedy(book, view, seat, plan, rng)
    if kind == 2:
        return _wary(book, view, seat, plan, rng)
    if kind == 3:
        return _racer(book, view, seat, plan, rng)
    if kind == 4:
        return _collector(book, view, seat, plan, rng)
    if kind == 5:
        return _planner(book, view, seat, plan, rng)
    if kind == 6:
        return _passenger(book, view, seat, plan, rng)
    return _stoker(book, view, seat, plan, rng)


@entry(INT, RULES, SEEN, INT, One(PLAN), GENERATOR)
def decide_by(kind: int, book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    """Return the decision of the script of a kind."""
    return int(decide(kind, book, view, seat, plan, rng))
