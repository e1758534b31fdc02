"""Expert iteration: the net learns what trying its options shows, round by round.

A round tries the options of many positions (see trials.py), trains the net towards them, and lets
the new net meet the one before it in paired games with held-out seeds. It goes on from the new one
if that is better beyond doubt.
"""

import copy
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from ferrovia.bots.net.columns import layout_for
from ferrovia.learn import checkpoint
from ferrovia.learn.config import Recipe
from ferrovia.learn.evaluate import Evaluation
from ferrovia.learn.league import kinds_of
from ferrovia.learn.net import Net, plain_arrays
from research.expert.trials import NEVER, Trials, Tried

_WARM_UP = 150  # steps until games are in different turns
_ELSEWHERE = 1e-4  # the least share of all options that were not tried


@dataclass(frozen=True)
class Rounds:
    """The settings of expert iteration. As many trials run at the same time as a recipe has games,
    on positions of a quarter as many games."""

    positions: int = 3_000_000  # of a round, at least
    worlds: int = 4  # trials of each option
    turns: int = 6  # own turns of a trial
    tau: float = 0.01  # the gain that makes an option e times as likely
    lr: float = 3e-4
    epochs: int = 6
    rows: int = 16384  # positions in one update
    smooth: float = 0.02  # share of the new weights in the mean that is kept of them
    value_weight: float = 0.5
    norm: float = 1.0  # of the gradient, at most
    duels: int = 16384  # games of each kind against the net before


def divergence(logits: torch.Tensor, tried: Tried, tau: float) -> torch.Tensor:
    """Return how far policies are from what was found, by position.

    The aim is the chance of an option before, times e to the power of its gain by tau; options that
    were not tried count as one, which gains as little as the worst. Gains enter linearly, so their
    errors have no weight in the mean of many positions.
    """
    every = torch.log_softmax(logits, -1)
    listed = tried.chances > NEVER / 2
    now = every.gather(1, tried.actions).masked_fill(~listed, NEVER)
    gains = torch.where(listed, tried.gains, tried.gains.amin(1, keepdim=True))
    aim = torch.where(listed, tried.chances, 0.0) + gains / tau
    share = now.exp()
    among = torch.where(listed, share * (now - aim), 0.0).sum(1)
    rest = (1 - share.sum(1)).clamp(min=_ELSEWHERE)
    before = (1 - torch.where(listed, tried.chances.exp(), 0.0).sum(1)).clamp(min=_ELSEWHERE)
    return among + rest * (rest.log() - before.log() - gains.amin(1) / tau)


def learn(net: Net, tried: Tried, rounds: Rounds) -> Net:
    """Return a net that has learned from what was tried: the mean of its last weights."""
    net, mean = copy.deepcopy(net), copy.deepcopy(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=rounds.lr, eps=1e-5)
    updates = rounds.epochs * max(1, len(tried.values) // rounds.rows)
    done = 0
    for _ in range(rounds.epochs):
        order = torch.randperm(len(tried.values), device=tried.values.device)
        for part in order.split(rounds.rows):
            if len(part) < min(rounds.rows, len(order)):
                continue
            some = tried.picked(part)
            logits, values = net(some.obs.t())
            loss = divergence(logits, some, rounds.tau).mean()
            loss = loss + rounds.value_weight * ((values - some.values) ** 2).mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), rounds.norm)
            for group in optimizer.param_groups:
                group["lr"] = rounds.lr * (1 - done / updates)
            optimizer.step()
            done += 1
            with torch.no_grad():
                for kept, new in zip(mean.parameters(), net.parameters(), strict=True):
                    kept.lerp_(new, max(rounds.smooth, 1 / (1 + done)))
    return mean


@torch.no_grad()
def mean_divergence(net: Net, tried: Tried, rounds: Rounds) -> float:
    """Return how far a net is from what was found, over all positions."""
    total = 0.0
    for part in torch.arange(len(tried.values), device=tried.values.device).split(rounds.rows):
        some = tried.picked(part)
        total += float(divergence(net(some.obs.t())[0], some, rounds.tau).sum())
    return total / len(tried.values)


class ExpertIteration:
    """Rounds that go on from the net of a run's folder, which `smooth.pt` is.

    `rounds.jsonl` tells how each went; `net.npz` are the weights of the best so far.
    """

    def __init__(self, recipe: Recipe, rounds: Rounds, folder: Path, device: str) -> None:
        self.recipe, self.rounds, self.folder, self.device = recipe, rounds, folder, device
        kinds = kinds_of(recipe)
        columns = layout_for(kind.edition for kind in kinds)
        self.net = Net(columns, recipe.wide, recipe.narrow, recipe.trust).to(device)
        start = folder / "smooth.pt"
        if not start.exists():
            raise ValueError(f"{folder} has no net to go on from: train one first")
        self.net.load_state_dict(checkpoint.load(start, device)["net"])
        torch.manual_seed(recipe.seed)
        self.trials = Trials(
            recipe,
            device,
            games=max(1, recipe.batch // 4),
            slots=recipe.batch,
            worlds=rounds.worlds,
            turns=rounds.turns,
        )
        self.trials.play_games(self.net, _WARM_UP)
        self._duels: Evaluation | None = None
        self._tried: list[Tried] = []  # with the net as it is
        self.done = 0

    def collect(self) -> Tried:
        """Try the options of as many positions as a round asks for.

        Return all that were tried with this net: a round that was not kept is not lost.
        """
        count = 0
        while count < self.rounds.positions:
            self._tried.append(self.trials.collect(self.net))
            count += len(self._tried[-1].values)
        self._tried = [Tried.joined(self._tried)]
        return self._tried[0]

    def meet(self, new: Net) -> list[dict[str, Any]]:
        """Play the new net against the one before it."""
        if self._duels is None:
            games = self.rounds.duels
            self._duels = Evaluation(kinds_of(self.recipe), games, self.device, key=987654)
        return self._duels.play(new, self.net)

    def round(self) -> dict[str, Any]:
        """Run one round, keep the new net if it is better, and return how it went."""
        begin = time.perf_counter()
        tried = self.collect()
        middle = time.perf_counter()
        order = torch.randperm(len(tried.values), device=tried.values.device)
        held_out = max(1, len(order) // 20)
        last = tried.picked(order[:held_out])
        new = learn(self.net, tried.picked(order[held_out:]), self.rounds)
        distance = [round(mean_divergence(net, last, self.rounds), 4) for net in (self.net, new)]
        end = time.perf_counter()
        games = self.meet(new)
        better = sum(row["share"] - 0.5 for row in games)
        doubt = sum(row["half"] ** 2 for row in games) ** 0.5
        self.done += 1
        row = {
            "round": self.done,
            "positions": len(tried.values),
            "options": round(float((tried.chances > NEVER / 2).sum(1).float().mean()), 2),
            "collect": round(middle - begin, 1),
            "learn": round(end - middle, 1),
            "divergence": distance,
            "kept": better > doubt,
            "games": games,
        }
        if row["kept"]:
            self.net, self._tried = new, []
            self.save()
        with (self.folder / "rounds.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(row) + "\n")
        return row

    def save(self) -> None:
        """Keep the net, for rounds that go on from it, and its weights."""
        checkpoint.save(self.folder / "smooth.pt", {"net": self.net.state_dict()})
        arrays = plain_arrays(self.net.state_dict(), self.net.scales)
        checkpoint.save_arrays(self.folder / "net.npz", arrays)
