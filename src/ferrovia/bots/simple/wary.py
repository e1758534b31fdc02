"""Wary: a yardstick that plays as greedy does until the end of the game comes near.

It is alarmed once an opponent has 15 trains or fewer, or in the last round: then it draws no more
tickets, drops those that it cannot finish in the turns likely left (the nearest opponent places
about 3 trains a turn), and without a target claims any route for its points.
"""

from ferrovia.bots.kernel.scratch import Plan
from ferrovia.bots.simple import greedy
from ferrovia.bots.simple.claims import longest_of_any
from ferrovia.bots.simple.targets import NO_LIMIT, find_targets_within
from ferrovia.kernel import kernel
from ferrovia.rules.chapters.actions import ROUTE
from ferrovia.rules.state.layout import NONE, TRAINS, TURN, Book, State

ALARM_TRAINS = 15
TRAINS_A_TURN = 3


@kernel
def turns_likely_left(s: State, seat: int) -> int:
    """Return the seat's turns until the end, with this one; NO_LIMIT before the alarm."""
    if s.turns_left != NONE:
        return 1
    fewest = TRAINS
    for other in range(s.players):
        if other != seat:
            fewest = min(fewest, int(s.trains[other]))
    if fewest > ALARM_TRAINS:
        return NO_LIMIT
    return (fewest + TRAINS_A_TURN - 1) // TRAINS_A_TURN


@kernel
def decide(book: Book, s: State, seat: int, plan: Plan) -> int:
    """Return the decision of a seat that may act, from its view."""
    turns = turns_likely_left(s, seat)
    if turns == NO_LIMIT:
        return greedy.decide(book, s, seat, plan)
    find_targets_within(book, s, seat, plan, turns)
    if s.phase != TURN:
        return greedy.answer(book, s, seat, plan)
    action = greedy.claim_target(book, s, seat, plan)
    if action == NONE and not greedy.has_targets(plan):
        route = longest_of_any(book, s, seat)
        action = NONE if route == NONE else ROUTE + route
    return greedy.draw_card(book, s, seat, plan) if action == NONE else action
