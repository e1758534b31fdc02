"""How well a net plays against planner: paired games with held-out seeds, on the device."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from ferrovia.env.batch import Kind
from ferrovia.env.batch_game import SCRIPT
from ferrovia.learn.league import paired_games
from ferrovia.learn.net import Net
from ferrovia.rules.state.layout import NONE

HELD_OUT = 424242  # the key of seeds that no training uses
_LIMIT = 2000  # steps: more than any game takes
_LOOK_EVERY = 16


class Evaluation:
    """So many games of each kind between a net and planner."""

    def __init__(self, kinds: Sequence[Kind], games: int, device: str, key: int = HELD_OUT) -> None:
        self.kinds = tuple(kinds)
        self.env, self.scripted_seats = paired_games(kinds, games, key, device)
        self._patterns = self.scripted_seats.copy()
        count, columns = self.env.games, self.env.columns
        where = torch.device(device)
        self._obs = torch.zeros((1, columns.count, count), dtype=torch.uint8, device=where)
        self._seats = torch.zeros((1, count), dtype=torch.int32, device=where)
        self._pilots = torch.zeros((1, count), dtype=torch.uint8, device=where)
        self._scripted = torch.zeros((1, count), dtype=torch.int64, device=where)
        self._actions = torch.zeros((1, count), dtype=torch.int64, device=where)
        self._rewards = torch.zeros((1, count), dtype=torch.float32, device=where)
        self._dones = torch.zeros((1, count), dtype=torch.uint8, device=where)
        share = self.env.array
        self._seen = (
            share(self._obs),
            share(self._seats),
            share(self._pilots),
            share(self._scripted),
        )
        self._done = (share(self._actions), share(self._rewards), share(self._dones))

    @torch.no_grad()
    def play(self, net: Net) -> list[dict[str, Any]]:
        """Play all games; returns the share of wins for each kind, with its 95% half-width."""
        self.env.reset()
        for step in range(_LIMIT):
            self.env.observe(*self._seen, 0)
            logits, _ = net(self._obs[0])
            chosen = logits.argmax(-1)
            self._actions[0] = torch.where(self._pilots[0] == SCRIPT, self._scripted[0], chosen)
            self.env.step(*self._done, 0, 0.0, 0.0)
            if step % _LOOK_EVERY == _LOOK_EVERY - 1 and bool((self._seats == NONE).all()):
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
                winners, script = int(results[g, 0]), int(self.scripted_seats[g])
                if winners == NONE:
                    continue
                won.append((winners & ~script).bit_count() / winners.bit_count())
                for seat in range(kind.players):
                    some = other_points if (script >> seat) & 1 else points
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
