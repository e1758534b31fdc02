"""Whole games inside compiled code."""

from typing import Any

from ferrovia.rules.chapters.menu import action_at, menu, size
from ferrovia.rules.chapters.turn import play
from ferrovia.rules.compiler import kernel
from ferrovia.rules.state.chance import choose
from ferrovia.rules.state.layout import NONE, OVER, START, Book, State, Words


@kernel
def next_seat(s: State) -> int:
    """A seat whose decision is awaited: the lowest with an open offer, or whose turn it is."""
    if s.phase == START:
        for seat in range(s.players):
            if s.offered[seat] > 0:
                return seat
    if s.phase == OVER:
        return NONE
    return int(s.seat)


@kernel
def random_action(book: Book, s: State, seat: int, rng: Words) -> int:
    """Uniform over the legal decisions of a seat that may act."""
    options = menu(book, s, seat)
    return action_at(book, options, choose(rng, size(options)))


@kernel
def play_random(book: Book, s: State, rng: Words, log: Any) -> int:
    """Random legal play to the end; gives the number of decisions."""
    decisions = 0
    seat = next_seat(s)
    while seat != NONE:
        play(book, s, seat, random_action(book, s, seat, rng), log)
        decisions += 1
        seat = next_seat(s)
    return decisions
