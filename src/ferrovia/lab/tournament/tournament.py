"""Round robin: every bot against every other, on the same seeds from both sides of the table."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

from ferrovia.boards import Edition
from ferrovia.lab.results import WHOLE_WIN, Tally
from ferrovia.lab.run.batches import Batch
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.tournament.elo import Matrix, Rating, bounded, ratings
from ferrovia.lab.tournament.intervals import Share, paired_share


class Seating(NamedTuple):
    """Which bot of a pair sits where, for a part of the seeds."""

    sides: tuple[int, ...]  # 0 or 1, by seat
    first: int  # place of its first seed among all of the pair
    seeds: int


@dataclass(frozen=True)
class Tournament:
    """A number of games for every pair of bots; ValueError if that cannot be played.

    A pair takes the seats in turn. Every seed is played twice, the second time with the seats
    exchanged, and all pairs play the same seeds. With an odd number of seats the first bot has one
    more, then the other, and where they begin moves around the table from part to part.
    """

    edition: Edition
    bots: tuple[str, ...]
    games: int
    seed: int
    seats: int = 2

    def __post_init__(self) -> None:
        if len(self.bots) < 2:
            raise ValueError("a tournament needs two bots or more")
        for bot, count in Counter(self.bots).items():
            if count > 1:
                raise ValueError(f"the bot {bot} is named twice")
        if self.games % 2:
            raise ValueError("games must be even: every seed is played from both sides")
        _ = self.plans  # which cannot be made for bots and seats that do not exist

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs, by the places of their bots."""
        return list(combinations(range(len(self.bots)), 2))

    @property
    def seatings(self) -> list[Seating]:
        """How a pair sits, in as many ways as it takes for every bot to have every seat equally
        often.
        """
        sides = tuple(seat % 2 for seat in range(self.seats))
        turns = range(self.seats if self.seats % 2 else 1)
        seeds = self.games // 2
        parts = [seeds * turn // len(turns) for turn in (*turns, len(turns))]
        return [
            Seating(sides[-turn:] + sides[:-turn], first, end - first)
            for turn, first, end in zip(turns, parts[:-1], parts[1:], strict=True)
            if end > first
        ]

    @property
    def plans(self) -> list[Plan]:
        """Two for every pair and seating, the second with the seats exchanged."""
        return [
            Plan(
                self.edition, tuple(pair[side] for side in seating.sides), seating.seeds, self.seed
            )
            for one, other in combinations(self.bots, 2)
            for seating in self.seatings
            for pair in ((one, other), (other, one))
        ]


class Standings:
    """The results of a tournament, as far as it is played."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.games = 0
        # What the first bot of a pair won, in parts of WHOLE_WIN; by pair, seed and side of the
        # table. None: not played.
        self._won: list[list[list[int | None]]] = [
            [[None, None] for _ in range(tournament.games // 2)] for _ in tournament.pairs
        ]
        self._sums: list[Counter[str]] = [Counter() for _ in tournament.bots]

    def add(self, batch: Batch) -> None:
        """Count some games."""
        seatings = self.tournament.seatings
        pair, rest = divmod(batch.plan, 2 * len(seatings))
        which, side = divmod(rest, 2)
        seating, results = seatings[which], batch.results
        seats = range(self.tournament.seats)
        mine = [seat for seat in seats if seating.sides[seat] == side]
        first = seating.first + batch.games.start
        for place, won in enumerate(results.wins(len(seats)), start=first):
            self._won[pair][place][side] = sum(won[seat] for seat in mine)
        tally = Tally(len(seats))
        tally.add(results)
        self.games += len(results)
        for number, bot in enumerate(self.tournament.pairs[pair]):
            mine = [seat for seat in seats if seating.sides[seat] == (number + side) % 2]
            sums = self._sums[bot]
            sums["seats"] += len(results) * len(mine)
            sums["games"] += len(results)
            sums["turns"] += tally.turns
            for name in ("total", "completed", "failed"):
                sums[name] += sum(tally.sums(name)[seat] for seat in mine)

    def played(self, one: int, other: int) -> int:
        """Return how many games two bots have played."""
        pair = self.tournament.pairs.index((min(one, other), max(one, other)))
        return sum(won is not None for both in self._won[pair] for won in both)

    def share(self, one: int, other: int) -> Share | None:
        """Return the share that one bot won against another; None if no seed was played twice."""
        pair = self.tournament.pairs.index((min(one, other), max(one, other)))
        both = [[won / WHOLE_WIN for won in two if won is not None] for two in self._won[pair]]
        both = [two for two in both if len(two) == 2]
        if not both:
            return None
        return paired_share(both if one < other else [[1 - won for won in two] for two in both])

    @property
    def wins(self) -> Matrix:
        """The games that each bot won against each other."""
        count = len(self.tournament.bots)
        wins = [[0.0] * count for _ in range(count)]
        for (one, other), games in zip(self.tournament.pairs, self._won, strict=True):
            played = [won for two in games for won in two if won is not None]
            wins[one][other] = sum(played) / WHOLE_WIN
            wins[other][one] = sum(WHOLE_WIN - won for won in played) / WHOLE_WIN
        return wins

    @property
    def one_sided(self) -> bool:
        """Whether a drawn game has to be added to every pair, so that all ratings are finite."""
        return not bounded(self.wins)

    def ratings(self, anchor: int, at: float) -> list[Rating | None]:
        """Return the rating of every bot, that of the anchor being given; None for the unplayed."""
        return ratings(self.wins, anchor, at)

    def ranking(self, anchor: int, at: float) -> list[tuple[int, Rating | None]]:
        """Return the bots by their places, the strongest first, with their ratings."""
        rated = enumerate(self.ratings(anchor, at))
        return sorted(rated, key=lambda it: -it[1].elo if it[1] else inf)

    def means(self, bot: int) -> dict[str, float]:
        """Return a bot's means of points, tickets kept and completed, and turns of a game."""
        sums = self._sums[bot]
        seats, games = max(sums["seats"], 1), max(sums["games"], 1)
        return {
            "points": sums["total"] / seats,
            "tickets_kept": (sums["completed"] + sums["failed"]) / seats,
            "tickets_completed": sums["completed"] / seats,
            "turns": sums["turns"] / games,
        }

    def summary(self, anchor: int, at: float) -> dict[str, Any]:
        """Return everything, for programs."""
        bots = self.tournament.bots
        rated = self.ratings(anchor, at)
        return {
            "games": self.games,
            "bots": [
                {
                    "bot": bot,
                    "elo": round(rating.elo, 1) if rating else None,
                    "elo_error": round(rating.error, 1) if rating else None,
                    **{name: round(mean, 3) for name, mean in self.means(n).items()},
                }
                for n, (bot, rating) in enumerate(zip(bots, rated, strict=True))
            ],
            "pairs": [
                {
                    "bots": [bots[one], bots[other]],
                    "games": self.played(one, other),
                    "win_share": round(share.value, 4),
                    "confidence": [round(share.low, 4), round(share.high, 4)],
                }
                for one, other in self.tournament.pairs
                if (share := self.share(one, other)) is not None
            ],
        }
