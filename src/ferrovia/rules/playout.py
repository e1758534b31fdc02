"""Whole games at random, inside compiled code."""

from typing import Any

from ferrovia.kernel import kernel
from ferrovia.rules.chapters.menu import action_at, menu, size
from ferrovia.rules.chapters.turn import play
from ferrovia.rules.state.chance import choose
from ferrovia.rules.state.layout import NONE, OVER, START, Book, State, Words


@kernel
def next_seat(s: State) -> int:
    """Return a seat whose decision is awaited, or NONE when the game is over.

    At the start it is the lowest with an open offer, later the one whose turn it is.
    """
    if s.phase == START:
        for seat in range(s.players):
            if s.offered[seat] > 0:
                return seat
    if s.phase == OVER:
        return NONE
    return int(s.seat)


@kernel
def random_action(book: Book, s: State, seat: int, rng: Words) -> int:
    """Return a legal decision of a seat that may act, each being equally likely."""
    options = menu(book, s, seat)
    return action_at(book, options, choose(rng, size(options)))


@kernel
def play_random(book: Book, s: State, rng: Words, log: Any) -> int:
    """Play at random to the end, and return the number of decisions."""
    decisions = 0
    seat = next_seat(s)
    while seat != NONE:
        play(book, s, seat, random_action(book, s, seat, rng), log)
        decisions += 1
        seat = next_seat(s)
    return decisions
