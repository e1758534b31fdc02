"""Playtests by bots: what is contested, which tickets are finished, what it is worth to begin, and
whether a board is better than an earlier version of it. They need nothing but the kernel.
"""

from array import array
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import mean, stdev
from typing import Final, Literal, get_args

import msgspec

from ferrovia.boards.edition import Edition
from ferrovia.bots.kernel.arena import play_games
from ferrovia.bots.kernel.results import RESULT
from ferrovia.bots.registry import script_kind
from ferrovia.game.chance.seeds import game_seeds
from ferrovia.game.codec.lexicon import lexicon_of
from ferrovia.game.scores import bits_of
from ferrovia.rules.state.layout import SCORE, STATE
from ferrovia.rules.state.log import new_rows

Level = Literal["passenger", "conductor", "stoker", "driver"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""The levels that play whole games inside the kernel."""

Measure = Literal["finished", "margin", "first", "turns", "points", "claimed"]
Verdict = Literal["better", "worse", "more", "less", "open"]

_SURE = 1.96  # standard errors to either side of 95 in 100


class Mean(msgspec.Struct, frozen=True):
    """A mean over games, and by how much it may be off (95%)."""

    value: float
    give: float


class Change(msgspec.Struct, frozen=True):
    """A measure of a board and of an earlier version, from games with the same deals.

    It is `better` or `worse` only if every difference within the interval would be, and `more` or
    `less` where neither is better; `open` if the games do not say.
    """

    measure: Measure
    before: float
    after: float
    difference: Mean
    verdict: Verdict


class Playtest(msgspec.Struct, frozen=True):
    """Games of bots of a level against themselves.

    `measures`: the share of the tickets kept that was `finished`, the `margin` between the best two
    seats, the wins of whoever is `first`, the `turns` of a game, the `points` of a seat, and the
    share of all routes that was `claimed`. `places`: wins by place in the order of play. `taken`:
    in how many of the games each route was claimed; `finished`: how many of those who kept each
    ticket completed it, null where nobody did. `changes` compare it with an earlier version.
    """

    players: int
    games: int
    level: Level
    measures: dict[Measure, Mean]
    places: tuple[Mean, ...]
    taken: dict[str, float]
    finished: dict[str, float | None]
    changes: tuple[Change, ...] = ()


def playtest(
    edition: Edition,
    players: int,
    *,
    games: int = 1000,
    seed: int = 1,
    level: Level = "driver",
    against: Edition | None = None,
) -> Playtest:
    """Return what happens in a number of games, the same each time; `against` is an earlier
    version, on which the same games are played. Raises `ValueError` for tables that a board does
    not have.
    """
    played = _Played(edition, players, games, seed, level)
    measures = {name: _mean(values) for name, values in played.measures.items()}
    changes: tuple[Change, ...] = ()
    if against is not None:
        before = _Played(against, players, games, seed, level).measures
        changes = tuple(
            _change(name, before[name], after, players) for name, after in played.measures.items()
        )
    return Playtest(
        players=players,
        games=games,
        level=level,
        measures=measures,
        places=tuple(map(_mean, played.places)),
        taken={id: played.claims[number] / games for number, id in enumerate(played.routes)},
        finished={
            id: played.completed[number] / played.kept[number] if played.kept[number] else None
            for number, id in enumerate(played.tickets)
        },
        changes=changes,
    )


class _Played:
    """Some games of one board: every measure game by game, and totals by route and ticket."""

    def __init__(self, edition: Edition, players: int, games: int, seed: int, level: Level) -> None:
        edition.check_seats(players)
        kind = script_kind(level)
        assert kind is not None, level
        lexicon = lexicon_of(edition)
        self.routes, self.tickets = lexicon.routes, lexicon.tickets
        self.claims: Counter[int] = Counter()
        self.kept: Counter[int] = Counter()
        self.completed: Counter[int] = Counter()
        self.places: list[list[float]] = [[] for _ in range(players)]
        self.measures: dict[Measure, list[float]] = {name: [] for name in get_args(Measure)}
        states, scores, results = STATE.new(games), SCORE.new(games), RESULT.new(games)
        seeds = b"".join(game_seeds(seed, range(games)))
        kinds = array("q", [kind] * players)
        play_games(lexicon.book, states, scores, seeds, kinds, results, new_rows(0))
        for game in range(games):
            state, score = STATE.of(states, game), SCORE.of(scores, game)
            claimed = kept = completed = 0
            for seat in range(players):
                claimed += _count(bits_of(state.routes[seat]), self.claims)
                kept += _count(bits_of(state.tickets[seat]), self.kept)
                completed += _count(bits_of(score.completed[seat]), self.completed)
            result = RESULT.of(results, game)
            totals = sorted(result.total[:players], reverse=True)
            winners = int(result.winners)
            wins = [(winners >> seat & 1) / winners.bit_count() for seat in range(players)]
            for place, won in enumerate(self.places):
                won.append(wins[(result.first + place) % players])
            for name, value in (
                ("finished", completed / kept if kept else 0.0),
                ("margin", totals[0] - totals[1]),
                ("first", self.places[0][-1]),
                ("turns", result.turns),
                ("points", sum(totals) / players),
                ("claimed", claimed / len(self.routes)),
            ):
                self.measures[name].append(value)  # type: ignore[index]


def _count(members: int, totals: Counter[int]) -> int:
    """Count the members of a set, and return how many there are."""
    number = members.bit_count()
    while members:
        lowest = members & -members
        totals[lowest.bit_length() - 1] += 1
        members ^= lowest
    return number


def _mean(values: Sequence[float]) -> Mean:
    return Mean(mean(values), _SURE * stdev(values) / sqrt(len(values)))


def _change(
    measure: Measure, before: Sequence[float], after: Sequence[float], players: int
) -> Change:
    difference = _mean([b - a for a, b in zip(before, after, strict=True)])
    old = mean(before)
    low, high = difference.value - difference.give, difference.value + difference.give
    verdict: Verdict = "open"
    if measure in ("finished", "margin", "first"):
        was = _fault(measure, old, players)
        now = [_fault(measure, old + by, players) for by in (low, high)]
        verdict = "better" if max(now) < was else "worse" if min(now) > was else "open"
    elif low > 0 or high < 0:
        verdict = "more" if low > 0 else "less"
    return Change(measure, old, mean(after), difference, verdict)


def _fault(measure: Measure, value: float, players: int) -> float:
    """Return how far a board is from a good one: its tickets finished, its games close, and no
    win to be had by beginning.
    """
    match measure:
        case "finished":
            return -value
        case "first":
            return abs(value - 1 / players)
    return value
