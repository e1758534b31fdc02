"""Stoker: an experienced player who does not always look up from the work at hand.

It plans as planner does, but does not watch what others may take; and in three turns of ten, and
as often when it chooses tickets, it loses sight of the whole and does what is nearest, as greedy
does.
"""

from ferrovia.bots.kernel.scratch import Plan
from ferrovia.bots.planner import planner
from ferrovia.bots.planner.weights import PLANNER
from ferrovia.bots.simple import greedy
from ferrovia.kernel import kernel
from ferrovia.rules.state.chance import choose
from ferrovia.rules.state.layout import KEEP, START, TURN, Book, State, Words

STYLE = PLANNER._replace(danger=0, block=0, alarm=1000)

_NEAREST, _MOODS = 3, 10  # turns out of this many


@kernel
def decide(book: Book, s: State, seat: int, plan: Plan, rng: Words) -> int:
    """Return the decision of a seat that may act, from its view."""
    offer = s.phase == START or s.phase == KEEP
    if offer or s.phase == TURN:
        if choose(rng, _MOODS) < _NEAREST:
            plan.seen_turns = 0  # what greedy remembers was overwritten by planner
            return greedy.decide(book, s, seat, plan)
    return planner.decide(book, s, seat, plan, STYLE)
