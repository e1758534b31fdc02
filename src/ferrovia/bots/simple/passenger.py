"""Passenger: a beginner. It plays as greedy does, with the mistakes that people make.

It keeps tickets without a look at the map; always takes a face-up locomotive; forgets in one turn
of four what it was about to claim, and in one of eight claims whatever it can; and every other time
it pays with cards chosen at random.
"""

from ferrovia.bots.kernel.scratch import Plan
from ferrovia.bots.simple import greedy
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.actions import DRAW_TICKETS, ROUTE, TAKE
from ferrovia.rules.chapters.cards import cards_left, place_of
from ferrovia.rules.chapters.claims import claimable
from ferrovia.rules.playout import random_action
from ferrovia.rules.state.bits import nth, popcount
from ferrovia.rules.state.chance import choose
from ferrovia.rules.state.layout import (
    KEEP,
    LOCOMOTIVE,
    NONE,
    PAY,
    ROUTE_WORDS,
    START,
    TURN,
    Book,
    State,
    Words,
)

_FORGETS, _WANDERS, _MOODS = 2, 1, 8  # turns out of this many


@kernel
def _any_claim(book: Book, s: State, seat: int, rng: Words) -> int:
    """Return any route that it can pay for as a claim, or NONE."""
    routes = claimable(book, s, seat)
    count = popcount(routes[0]) + popcount(routes[1]) + popcount(routes[2])
    if count == 0:
        return NONE
    index = choose(rng, count)
    for word in range(ROUTE_WORDS):
        here = popcount(routes[word])
        if index < here:
            return ROUTE + 64 * word + nth(routes[word], index)
        index -= here
    return NONE


@kernel
def _choose_action(book: Book, s: State, seat: int, plan: Plan, rng: Words) -> int:
    action = greedy.decide(book, s, seat, plan)
    mood = choose(rng, _MOODS)
    if mood < _WANDERS:
        claim = _any_claim(book, s, seat, rng)
        if claim != NONE:
            return claim
    elif mood < _WANDERS + _FORGETS and cards_left(s):
        action = greedy.choose_card(s, seat, plan, True)
    if action < DRAW_TICKETS and place_of(s, LOCOMOTIVE) != NONE:
        return TAKE + LOCOMOTIVE
    return action


@kernel
def decide(book: Book, s: State, seat: int, plan: Plan, rng: Words) -> int:
    """Return the decision of a seat that may act, from its view."""
    if s.phase == START or s.phase == KEEP:
        return random_action(book, s, seat, rng)
    if s.phase == PAY and choose(rng, 2) == 0:
        return random_action(book, s, seat, rng)
    if s.phase != TURN:
        return greedy.decide(book, s, seat, plan)
    return _choose_action(book, s, seat, plan, rng)
