"""The score of a game by seat: the last line of a record."""

from collections.abc import Sequence
from typing import Any

import msgspec

from ferrovia.game.codec.fields import ScoreReading, StateReading
from ferrovia.game.codec.lexicon import Lexicon
from ferrovia.kernel import Buffer
from ferrovia.rules import calls
from ferrovia.rules.state.layout import SCORE


class SeatScore(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one seat scored. `tickets` is the balance of completed and failed ones.

    A field that is added has a default: games that are in stores were written without it.
    """

    routes: int
    tickets: int
    stations: int
    longest: int
    bonus: int
    total: int
    completed: tuple[str, ...]
    failed: tuple[str, ...]
    borrowed: dict[str, str]


_OF_ALL = ("completed", "trail", "completed_count", "borrowed", "winners")
_COPIED = [name for name in SCORE.fields if name not in _OF_ALL]

for _name in _COPIED:
    if _name not in SeatScore.__struct_fields__:
        raise TypeError(
            f"nobody is told {_name} of a score: give SeatScore in game/scores.py a field of that "
            "name, with a default, since games that are in stores were written without it"
        )


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scores by seat, and the seats that have won."""

    scores: tuple[SeatScore, ...]
    winners: tuple[int, ...]


def members(masks: Any) -> list[int]:
    """Return the members of a set, ascending; it is kept in one or more masks of 64 bits."""
    found = []
    for place, mask in enumerate(masks):
        left = int(mask)
        while left:
            lowest = left & -left
            found.append(64 * place + lowest.bit_length() - 1)
            left ^= lowest
    return found


def bits_of(masks: Sequence[int]) -> int:
    """Return a set that is kept in masks of 64 bits as one whole number."""
    return sum(mask << 64 * place for place, mask in enumerate(masks))


def raw_score(lexicon: Lexicon, state: Buffer) -> Buffer:
    """Return the kernel's score of a state, as the bytes of a SCORE."""
    out = SCORE.new()
    calls.score(lexicon.book, state, out)
    return out


def score_of(lexicon: Lexicon, state: Buffer) -> ScoreReading:
    """Return the kernel's score of a state."""
    return ScoreReading(raw_score(lexicon, state))


def result_of(lexicon: Lexicon, state: Buffer) -> Result:
    """Return the score of a state as if the game ended there."""
    score, s = score_of(lexicon, state), StateReading(state)
    seats = []
    for seat in range(s.players):
        completed = members(score.completed[seat])
        held = members(s.tickets[seat])
        borrowed = {
            lexicon.cities[city]: lexicon.routes[route]
            for city, route in zip(s.stations[seat], score.borrowed[seat], strict=True)
            if route >= 0
        }
        seats.append(
            SeatScore(
                **{name: getattr(score, name)[seat] for name in _COPIED},
                completed=tuple(lexicon.tickets[n] for n in completed),
                failed=tuple(lexicon.tickets[n] for n in held if n not in completed),
                borrowed=borrowed,
            )
        )
    winners = tuple(seat for seat in range(len(seats)) if score.winners >> seat & 1)
    return Result(tuple(seats), winners)


def longest_routes(lexicon: Lexicon, state: Buffer) -> tuple[tuple[str, ...], ...]:
    """Return for each seat the routes of one longest continuous route (R10.5)."""
    trails = score_of(lexicon, state).trail[: StateReading(state).players]
    return tuple(tuple(lexicon.routes[number] for number in members(trail)) for trail in trails)
