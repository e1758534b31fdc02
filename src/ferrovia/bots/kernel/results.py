"""The result of a finished game in a few numbers, and the sums over many games."""

from typing import Any

from ferrovia.kernel import Array, Buffer, One, RecordLayout, entry, kernel, record, uint64
from ferrovia.rules.state.bits import has, popcount
from ferrovia.rules.state.layout import SCORE, SEATS, STATE, Score, State

PER_SEAT = ("total", "routes", "tickets", "stations", "bonus", "longest", "completed", "failed")

RESULT = RecordLayout(
    "RESULT",
    ("turns", "i4"),
    ("decisions", "i4"),
    *((name, "i2", (SEATS,)) for name in PER_SEAT),
    ("winners", "u1"),  # a bit for each seat
    ("first", "i1"),  # the seat that began
)

SUMS = RecordLayout(
    "SUMS",
    ("games", "i8"),
    ("turns", "i8"),
    ("decisions", "i8"),
    ("wins", "i8", (SEATS,)),  # in parts of a win
    *((name, "i8", (SEATS,)) for name in PER_SEAT),
)

WHOLE_WIN = 60  # a win is counted in sixtieths: up to six seats can share it without rounding

Result = Any
Sums = Any


@kernel
def write_result(s: State, score: Score, decisions: int, out: Result) -> None:
    """Write the result of a finished game."""
    out.turns = s.turns
    out.decisions = decisions
    out.winners = score.winners
    out.first = s.first
    for seat in range(SEATS):
        out.total[seat] = score.total[seat]
        out.routes[seat] = score.routes[seat]
        out.tickets[seat] = score.tickets[seat]
        out.stations[seat] = score.stations[seat]
        out.bonus[seat] = score.bonus[seat]
        out.longest[seat] = score.longest[seat]
        out.completed[seat] = score.completed_count[seat]
        out.failed[seat] = int(s.ticket_count[seat]) - int(score.completed_count[seat])


@entry(
    Array("u1", (STATE.size,), constant=True),
    Array("u1", (SCORE.size,), constant=True),
    Array("i4", constant=True),
    Array(RESULT),
)
def write_results(states: Buffer, scores: Buffer, decisions: Any, results: Any) -> None:
    """Write the results of finished games, from their states, scores and numbers of decisions."""
    for game in range(states.shape[0]):
        s, score = record(states[game], STATE), record(scores[game], SCORE)
        write_result(s, score, decisions[game], results[game])


@entry(Array(RESULT, constant=True), One(SUMS))
def add_results(results: Any, sums: Sums) -> None:
    """Add the results of some games to the sums over many."""
    for game in range(results.shape[0]):
        result = results[game]
        sums.games += 1
        sums.turns += result.turns
        sums.decisions += result.decisions
        winners = uint64(result.winners)
        for seat in range(SEATS):
            if has(winners, seat):
                sums.wins[seat] += WHOLE_WIN // popcount(winners)
            sums.total[seat] += result.total[seat]
            sums.routes[seat] += result.routes[seat]
            sums.tickets[seat] += result.tickets[seat]
            sums.stations[seat] += result.stations[seat]
            sums.bonus[seat] += result.bonus[seat]
            sums.longest[seat] += result.longest[seat]
            sums.completed[seat] += result.completed[seat]
            sums.failed[seat] += result.failed[seat]
