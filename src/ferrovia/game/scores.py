"""The final score in words: the last line of a record."""

from typing import Any

import msgspec
import numpy as np

from ferrovia.game.lexicon import Buffer, Lexicon
from ferrovia.rules import calls
from ferrovia.rules.layout import SCORE, STATE


class SeatScore(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one seat scored. `tickets` is the balance of completed and failed ones."""

    routes: int
    tickets: int
    stations: int
    longest: int
    bonus: int
    total: int
    completed: tuple[str, ...]
    failed: tuple[str, ...]
    borrowed: dict[str, str]


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scores by seat, and the seats that have won."""

    scores: tuple[SeatScore, ...]
    winners: tuple[int, ...]


def members(words: Any) -> list[int]:
    """The members of a set of several words, ascending."""
    bits = sum(int(word) << (64 * place) for place, word in enumerate(words))
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def raw_score(words: Lexicon, state: Buffer) -> np.record:
    """The kernel's score of a state."""
    out = np.zeros(SCORE.itemsize, np.uint8)
    calls.score(words.book, state, out)
    score: np.record = out.view(SCORE)[0]
    return score


def result_of(words: Lexicon, state: Buffer) -> Result:
    """The score of a state as if the game ended there."""
    score = raw_score(words, state)
    s = state.view(STATE)[0]
    seats = []
    for seat in range(int(s.players)):
        completed = members(score.completed[seat])
        held = members(s.tickets[seat])
        borrowed = {
            words.cities[city]: words.routes[route]
            for city, route in zip(s.stations[seat], score.borrowed[seat], strict=True)
            if route >= 0
        }
        seats.append(
            SeatScore(
                routes=int(score.routes[seat]),
                tickets=int(score.tickets[seat]),
                stations=int(score.stations[seat]),
                longest=int(score.longest[seat]),
                bonus=int(score.bonus[seat]),
                total=int(score.total[seat]),
                completed=tuple(words.tickets[n] for n in completed),
                failed=tuple(words.tickets[n] for n in held if n not in completed),
                borrowed=borrowed,
            )
        )
    winners = tuple(seat for seat in range(len(seats)) if int(score.winners) >> seat & 1)
    return Result(tuple(seats), winners)


def longest_routes(words: Lexicon, state: Buffer) -> tuple[tuple[str, ...], ...]:
    """For each seat the routes of one longest continuous route (R10.5)."""
    score = raw_score(words, state)
    players = int(state.view(STATE)[0].players)
    return tuple(
        tuple(words.routes[number] for number in members(score.trail[seat]))
        for seat in range(players)
    )
