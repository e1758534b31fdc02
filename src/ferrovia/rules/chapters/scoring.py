"""Chapter 10: the score of every seat, and who has won."""

from ferrovia.kernel import int16, kernel, uint64
from ferrovia.rules.chapters.stations import built
from ferrovia.rules.chapters.ticket_scoring import score_tickets
from ferrovia.rules.chapters.trail import score_longest
from ferrovia.rules.state.bits import has, single
from ferrovia.rules.state.layout import (
    BY_LONGEST,
    BY_STATIONS,
    BY_TICKETS,
    SEATS,
    Book,
    Score,
    State,
    Work,
)

_BY_TOTAL = 0


@kernel
def _longest(s: State, out: Score) -> int:
    """Return the greatest length, at least 1: with no routes nobody has the longest one."""
    most = 1
    for seat in range(s.players):
        most = max(most, int(out.longest[seat]))
    return most


@kernel
def _merit(s: State, out: Score, seat: int, criterion: int) -> int:
    """Return how a seat stands by one criterion: more is better."""
    if criterion == BY_TICKETS:
        return int(out.completed_count[seat])
    if criterion == BY_STATIONS:
        return -built(s, seat)
    if criterion == BY_LONGEST:
        return 1 if out.longest[seat] == _longest(s, out) else 0
    return int(out.total[seat])


@kernel
def _leave_best(s: State, out: Score, criterion: int) -> None:
    """Leave in `out.winners` only the seats that are best by a criterion."""
    still_in = uint64(out.winners)
    best = -32768
    for seat in range(s.players):
        if has(still_in, seat):
            best = max(best, _merit(s, out, seat, criterion))
    for seat in range(s.players):
        if has(still_in, seat) and _merit(s, out, seat, criterion) < best:
            still_in &= ~single(seat)
    out.winners = int16(still_in)


@kernel
def score(book: Book, s: State, out: Score, work: Work) -> None:
    """Score the position as it stands, as if the game ended here."""
    for seat in range(SEATS):
        out.total[seat] = 0
        out.bonus[seat] = 0
    for seat in range(s.players):
        score_tickets(book, s, seat, out, work)
        score_longest(book, s, seat, out, work)
        out.routes[seat] = s.points[seat]
        out.stations[seat] = book.station_bonus * (book.stations - built(s, seat))  # R10.4
    most = _longest(s, out)
    for seat in range(s.players):
        if out.longest[seat] == most:  # R10.5
            out.bonus[seat] = book.longest_bonus
        out.total[seat] = (
            out.routes[seat] + out.tickets[seat] + out.stations[seat] + out.bonus[seat]
        )
    out.winners = (1 << s.players) - 1
    _leave_best(s, out, _BY_TOTAL)
    for criterion in book.tie_break:  # R10.6
        if criterion != 0:
            _leave_best(s, out, criterion)
