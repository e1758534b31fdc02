"""What a position is worth as it stands: the measure that a net learns to foresee.

A seat is given what it gains in routes and tickets at once, with part of the credit for ways that
are half built, and at the end what is missing to its margin over the mean of the others, and a
share for winning.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from ferrovia.bots.kernel.paths import find_ways
from ferrovia.bots.kernel.scratch import Plan
from ferrovia.rules.chapters.stations import built
from ferrovia.rules.chapters.ticket_scoring import score_tickets
from ferrovia.rules.compiler import kernel
from ferrovia.rules.state.bits import EMPTY, ONE, lowest
from ferrovia.rules.state.layout import SEATS, TICKET_WORDS, TICKETS, Book, State

Numbers = Any


def distances(book: Any) -> npt.NDArray[np.int16]:
    """Return the trains of the shortest way of each ticket on the empty board."""
    n = int(book.cities)
    ways = np.full((n, n), 999)
    np.fill_diagonal(ways, 0)
    for route in range(int(book.routes)):
        a, b, length = int(book.end_a[route]), int(book.end_b[route]), int(book.length[route])
        ways[a, b] = ways[b, a] = min(ways[a, b], length)
    for city in range(n):
        ways = np.minimum(ways, ways[:, city : city + 1] + ways[city : city + 1, :])
    out = np.ones(TICKETS, np.int16)
    for ticket in range(int(book.tickets)):
        out[ticket] = ways[int(book.ticket_a[ticket]), int(book.ticket_b[ticket])]
    return out


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
