"""How well a net plays: paired games with held-out seeds against the ladder, or another net."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.bots.registry import LEVELS, bot_behind
from ferrovia.env.batch import Kind
from ferrovia.env.batch_game import SCRIPT
from ferrovia.learn.league import paired_games
from ferrovia.learn.lockstep import Lockstep
from ferrovia.learn.net import Net
from ferrovia.rules.state.layout import NONE

HELD_OUT = 424242  # the key of seeds that no training uses
PLANNER = "planner"
WEAKER = tuple(bot for bot in map(bot_behind, LEVELS) if bot in SCRIPTS and bot != PLANNER)
"""The scripts behind the levels below planner's, weakest first."""

_LIMIT = 2000  # steps: more than any game takes
_LOOK_EVERY = 16


class Evaluation:
    """A number of games of each kind between a net and planner, or another net.

    `others` are the games of each kind against other scripts, by name. Planner's moves are a
    part of what is observed; the other scripts decide on the device, too.
    """

    def __init__(
        self,
        kinds: Sequence[Kind],
        games: int,
        device: str,
        key: int = HELD_OUT,
        others: Mapping[str, int] | None = None,
    ) -> None:
        met = {PLANNER: games, **(others or {})}
        self.against = tuple(met)
        self._kinds = len(kinds)
        all_kinds = [kind for _ in met for kind in kinds]
        counts = [count for count in met.values() for _ in kinds]
        self.env, self.other_seats = paired_games(all_kinds, counts, key, device)
        self._games = Lockstep(self.env)
        opponents = (self.env.kind_of // self._kinds).astype(np.uint8)
        self._opponent = torch.as_tensor(opponents).to(device)

    def compile(self) -> None:
        """Compile the scripts now, so that the first evaluation takes no longer than others."""
        games = self._games
        games.reset()
        games.observe()
        self._scripted()

    @torch.no_grad()
    def play(self, net: Net, other: Net | None = None) -> list[dict[str, Any]]:
        """Play all games against the scripts, or against another net.

        Return the share of wins for each script and kind, with its 95% half-width; the games
        against planner come first.
        """
        games = self._games
        games.reset()
        for step in range(_LIMIT):
            games.observe()
            chosen = net(games.obs)[0].argmax(-1)
            theirs = self._scripted() if other is None else other(games.obs)[0].argmax(-1)
            games.step(torch.where(games.pilots == SCRIPT, theirs, chosen))
            if step % _LOOK_EVERY == _LOOK_EVERY - 1 and bool((games.seats == NONE).all()):
                break
        return self._sum_up(self.env.results())

    def _scripted(self) -> torch.Tensor:
        """Return what the scripts do, each in its games."""
        games = self._games
        mine = torch.where(games.pilots == SCRIPT, self._opponent, len(self.against))
        for number, name in enumerate(self.against):
            if name != PLANNER:
                games.decide_by(name, mine, number)
        return games.scripted

    def _sum_up(self, results: Any) -> list[dict[str, Any]]:
        rows = []
        for number, kind in enumerate(self.env.kinds):
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
                    "against": self.against[number // self._kinds],
                    "edition": kind.edition.id,
                    "players": kind.players,
                    "games": len(won),
                    "share": round(float(np.mean(won)), 4),
                    "half": round(1.96 * spread, 4),
                    "points": round(float(np.mean(points)), 1),
                    "opponent": round(float(np.mean(other_points)), 1),
                }
            )
        return rows
