"""What a position is worth as it stands: the measure that a net learns to predict.

A seat is given what it gains in routes and tickets at once, with part of the credit for ways that
are half built, and at the end what is missing to its margin over the mean of the others, and a
share for winning.
"""

from array import array
from functools import lru_cache
from typing import Any

from ferrovia.boards import Edition, ways
from ferrovia.bots.kernel.paths import find_ways
from ferrovia.bots.kernel.scratch import Plan
from ferrovia.kernel import Ints, kernel
from ferrovia.rules.chapters.stations import built
from ferrovia.rules.chapters.ticket_scoring import score_tickets
from ferrovia.rules.state.bits import EMPTY, ONE, lowest
from ferrovia.rules.state.layout import SEATS, TICKET_WORDS, TICKETS, Book, State

Numbers = Any


@lru_cache(maxsize=64)
def distances(edition: Edition) -> Ints:
    """Return the trains of the shortest way of each ticket on the empty board."""
    starts = {ticket.a for ticket in edition.tickets}
    trains = {city: ways.distances(edition.board.routes, city) for city in starts}
    found = [trains[ticket.a][ticket.b] for ticket in edition.tickets]
    return array("h", found + [1] * (TICKETS - len(found)))


@kernel
def standing(
    book: Book, s: State, seat: int, plan: Plan, distances: Numbers, partial: float
) -> float:
    """Return a seat's points as they stand, with part of the credit for half-built ways."""
    score_tickets(book, s, seat, plan.score, plan.work)
    points = float(s.points[seat]) + float(plan.score.tickets[seat])
    points -= float(book.station_bonus * built(s, seat))
    if partial > 0.0:
        for word in range(TICKET_WORDS):
            left = s.tickets[seat, word] & ~plan.score.completed[seat, word]
            while left != EMPTY:
                ticket = 64 * word + lowest(left)
                left &= left - ONE
                b = int(book.ticket_b[ticket])
                find_ways(book, s, seat, int(book.ticket_a[ticket]), b, plan)
                cost, whole = int(plan.cost[b]), int(distances[ticket])
                if cost < whole and cost <= s.trains[seat]:
                    worth = 2.0 * float(book.ticket_points[ticket])
                    points += partial * worth * (1.0 - float(cost) / float(whole))
    return points


@kernel
def mean_of_others(numbers: Numbers, players: int, seat: int) -> float:
    total = 0.0
    for each in range(players):
        if each != seat:
            total += float(numbers[each])
    return total / float(players - 1)


@kernel
def share_of_win(winners: int, seat: int) -> float:
    """Return 1 for a seat that has won alone, less where several have."""
    if (winners >> seat) & 1 == 0:
        return 0.0
    count = 0
    for each in range(SEATS):
        count += (winners >> each) & 1
    return 1.0 / float(count)
