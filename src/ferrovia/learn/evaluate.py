"""How well a net plays against planner or another net: paired games with held-out seeds."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from ferrovia.env.batch import Kind
from ferrovia.env.batch_game import SCRIPT
from ferrovia.learn.league import paired_games
from ferrovia.learn.lockstep import Lockstep
from ferrovia.learn.net import Net
from ferrovia.rules.state.layout import NONE

HELD_OUT = 424242  # the key of seeds that no training uses
_LIMIT = 2000  # steps: more than any game takes
_LOOK_EVERY = 16


class Evaluation:
    """So many games of each kind between a net and planner, or another net."""

    def __init__(self, kinds: Sequence[Kind], games: int, device: str, key: int = HELD_OUT) -> None:
        self.kinds = tuple(kinds)
        self.env, self.other_seats = paired_games(kinds, games, key, device)
        self._games = Lockstep(self.env)

    @torch.no_grad()
    def play(self, net: Net, other: Net | None = None) -> list[dict[str, Any]]:
        """Play all games against planner, or against another net.

        Returns the share of wins for each kind, with its 95% half-width.
        """
        games = self._games
        games.reset()
        for step in range(_LIMIT):
            games.observe()
            chosen = net(games.obs)[0].argmax(-1)
            theirs = games.scripted if other is None else other(games.obs)[0].argmax(-1)
            games.step(torch.where(games.pilots == SCRIPT, theirs, chosen))
            if step % _LOOK_EVERY == _LOOK_EVERY - 1 and bool((games.seats == NONE).all()):
                break
        return self._sum_up(self.env.results())

    def _sum_up(self, results: Any) -> list[dict[str, Any]]:
        rows = []
        for number, kind in enumerate(self.kinds):
            mine = np.nonzero(self.env.kind_of == number)[0]
            won: list[float] = []
            points: list[int] = []
            other_points: list[int] = []
            for g in mine:
                winners, others = int(results[g, 0]), int(self.other_seats[g])
                if winners == NONE:
                    continue
                won.append((winners & ~others).bit_count() / winners.bit_count())
                for seat in range(kind.players):
                    some = other_points if (others >> seat) & 1 else points
                    some.append(int(results[g, 1 + seat]))
            pairs = np.array(won).reshape(-1, 2).mean(1) if len(won) == len(mine) else np.array(won)
            spread = float(pairs.std() / math.sqrt(max(1, len(pairs))))
            rows.append(
                {
                    "edition": kind.edition.id,
                    "players": kind.players,
                    "games": len(won),
                    "share": round(float(np.mean(won)), 4),
                    "half": round(1.96 * spread, 4),
                    "points": round(float(np.mean(points)), 1),
                    "planner": round(float(np.mean(other_points)), 1),
                }
            )
        return rows
