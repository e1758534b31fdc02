"""Round robin: every bot against every other, on the same seeds from both sides of the table."""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import Any

import numpy as np

from ferrovia.boards import Edition
from ferrovia.lab.results import WHOLE_WIN, won_sixtieths
from ferrovia.lab.run.batches import Batch
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.tournament.elo import Matrix, Rating, bounded, ratings
from ferrovia.lab.tournament.intervals import Share, paired_share


@dataclass(frozen=True)
class Tournament:
    """So many games of every pair of bots; ValueError if that cannot be played.

    With four seats a pair takes two seats each, in turn. Every seed is played twice, the second
    time with the seats exchanged, and all pairs play the same seeds.
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
        if self.games % 2 or self.seats % 2:
            raise ValueError("games and seats must be even: every seed is played from both sides")
        _ = self.plans  # which cannot be made for bots and seats that do not exist

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The pairs, by the places of their bots."""
        return list(combinations(range(len(self.bots)), 2))

    @property
    def plans(self) -> list[Plan]:
        """Two for every pair, the second with the seats exchanged."""
        return [
            Plan(self.edition, sides * (self.seats // 2), self.games // 2, self.seed)
            for one, other in combinations(self.bots, 2)
            for sides in ((one, other), (other, one))
        ]


class Standings:
    """The results of a tournament, as far as it is played."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.games = 0
        # What the first bot of a pair won, in sixtieths; by pair, seed and side of the table.
        self._won = np.full((len(tournament.pairs), tournament.games // 2, 2), -1, np.int16)
        self._sums: list[Counter[str]] = [Counter() for _ in tournament.bots]

    def add(self, batch: Batch) -> None:
        """Count some games."""
        pair, side = divmod(batch.plan, 2)
        seats, results = self.tournament.seats, batch.results
        won = won_sixtieths(results, seats)
        self._won[pair, batch.games.start : batch.games.stop, side] = won[:, side::2].sum(axis=1)
        self.games += len(results)
        for number, bot in enumerate(self.tournament.pairs[pair]):
            mine = slice((number + side) % 2, seats, 2)
            sums = self._sums[bot]
            sums["seats"] += len(results) * (seats // 2)
            sums["games"] += len(results)
            sums["turns"] += int(results["turns"].sum(dtype=np.int64))
            for name in ("total", "completed", "failed"):
                sums[name] += int(results[name][:, mine].sum(dtype=np.int64))

    def played(self, one: int, other: int) -> int:
        """Return how many games two bots have played."""
        pair = self.tournament.pairs.index((min(one, other), max(one, other)))
        return int(np.count_nonzero(self._won[pair] >= 0))

    def share(self, one: int, other: int) -> Share | None:
        """Return the share that one bot won against another; None if no seed was played twice."""
        pair = self.tournament.pairs.index((min(one, other), max(one, other)))
        won = self._won[pair]
        both = won[(won >= 0).all(axis=1)] / WHOLE_WIN
        if not len(both):
            return None
        return paired_share(both if one < other else 1 - both)

    @property
    def wins(self) -> Matrix:
        """The games that each bot won against each other."""
        count = len(self.tournament.bots)
        wins = np.zeros((count, count))
        for (one, other), won in zip(self.tournament.pairs, self._won, strict=True):
            played = won[won >= 0] / WHOLE_WIN
            wins[one, other], wins[other, one] = played.sum(), (1 - played).sum()
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
