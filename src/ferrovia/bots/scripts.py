"""The scripted bots by number, for compiled code: each is one function from a view to a decision.

Contract of a script: `decide(book, view, seat, plan, rng)` gives a legal decision of a seat that
may act; it reads nothing but the seat's view, writes nothing but `plan` and `rng`, and allocates
nothing, so that it runs on the CPU, on a GPU and uncompiled alike.
"""

from typing import Any

from ferrovia.bots import greedy, planner, racer, wary
from ferrovia.bots.plan import PLAN, Plan
from ferrovia.bots.style import COLLECTOR, PLANNER
from ferrovia.rules.compiling import kernel
from ferrovia.rules.layout import BOOK, STATE, Book, State, Words
from ferrovia.rules.playout import random_action

SCRIPTS = ("random", "greedy", "wary", "racer", "collector", "planner")
"""The names of the scripted bots; the place of a name is its kind."""

RANDOM, GREEDY, WARY, RACER, COLLECT, PLAN_AHEAD = range(len(SCRIPTS))


@kernel
def decide(kind: int, book: Book, view: State, seat: int, plan: Plan, rng: Words) -> int:
    """The decision of the scripted bot of a kind."""
    if kind == GREEDY:
        return greedy.decide(book, view, seat, plan)
    if kind == WARY:
        return wary.decide(book, view, seat, plan)
    if kind == RACER:
        return racer.decide(book, view, seat, plan)
    if kind == COLLECT:
        return planner.decide(book, view, seat, plan, COLLECTOR)
    if kind == PLAN_AHEAD:
        return planner.decide(book, view, seat, plan, PLANNER)
    return random_action(book, view, seat, rng)


@kernel
def decide_from(kind: int, book: Any, view: Any, seat: int, plan: Any, rng: Words) -> int:
    """`decide` over byte buffers (see ferrovia.rules.calls)."""
    return decide(kind, book.view(BOOK)[0], view.view(STATE)[0], seat, plan.view(PLAN)[0], rng)
