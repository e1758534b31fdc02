"""Proximal policy optimisation by self-play: one run of a recipe."""

import copy
import json
import random
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from ferrovia.bots.net.columns import layout_for
from ferrovia.env.batch_game import (
    COMPLETED,
    GAMES,
    KEPT,
    LEARNER,
    PAST,
    POINTS,
    SCRIPT,
    STATIONS_BUILT,
    TICKET_POINTS,
    TURNS,
)
from ferrovia.learn import checkpoint
from ferrovia.learn.config import Recipe, fitted
from ferrovia.learn.curves import write_page
from ferrovia.learn.evaluate import WEAKER, Evaluation
from ferrovia.learn.export import export_run
from ferrovia.learn.league import EarlierVersions, kinds_of, training_games
from ferrovia.learn.net import Net, plain_arrays
from ferrovia.rules.state.layout import SEATS

SAY_EVERY = 10.0  # seconds
_FREE = 0.7  # of a GPU's free memory may be taken by what games see

MEASURES = ("policy", "value", "entropy", "kl", "clipped", "norm")


def draw(net: Net, obs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return random actions by a net's policy, the logarithms of their chances, and its values."""
    logits, values = net(obs)
    noise = torch.empty_like(logits).exponential_().log_()
    drawn = (logits - noise).argmax(-1)
    chances = torch.log_softmax(logits, -1).gather(1, drawn[:, None]).squeeze(1)
    return drawn, chances, values


def _line(row: dict[str, Any]) -> str:
    """Return what a row of the log says, for people."""
    each = f"{row['iteration'] / max(row['seconds'], 0.1):.2g}"
    return (
        f"{row['seconds']:7.0f} s  {row['decisions']:,} decisions learned from,"
        f" {row['games']:,} games, {row['points']} points a seat, entropy {row['entropy']}"
        f" ({each} iterations a second)"
    )


class Training:
    """A run in a folder: `checkpoint.pt` goes on with it, `net.npz` are its smoothed weights,
    `train.jsonl` and `evaluation.jsonl` tell how it went, `curves.html` shows it at the end. `tell`
    is called with a line about it now and then."""

    def __init__(
        self,
        recipe: Recipe,
        folder: Path,
        device: str,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._tell = tell
        self.on_gpu = device != "cpu"
        seen = layout_for(kind.edition for kind in kinds_of(recipe)).count
        room = int(_FREE * torch.cuda.mem_get_info(device)[0]) if self.on_gpu else None
        recipe = fitted(recipe, device, seen, room)
        self.recipe, self.folder, self.device = recipe, folder, device
        folder.mkdir(parents=True, exist_ok=True)
        torch.manual_seed(recipe.seed)
        random.seed(recipe.seed)
        self.env, self.against_past = training_games(recipe, device)
        columns = self.env.columns
        self.net = Net(columns, recipe.wide, recipe.narrow, recipe.trust).to(device)
        self.smooth = copy.deepcopy(self.net)
        self.frozen = copy.deepcopy(self.net)
        self.past = EarlierVersions(recipe.snapshots)
        self._knobs = torch.zeros(2, device=device)  # entropy, weight of the policy
        self._lr = torch.tensor(recipe.lr[0], device=device)
        self.optimizer = torch.optim.Adam(
            self.net.parameters(),
            lr=self._lr if self.on_gpu else recipe.lr[0],
            eps=1e-5,
            fused=self.on_gpu,
            capturable=self.on_gpu,
        )
        self._make_buffers()
        # Triton makes one program of what lies between two products of matrices.
        fuse = self.on_gpu and recipe.fuse and find_spec("triton") is not None
        self._losses: Any = torch.compile(self._loss, dynamic=False) if fuse else self._loss
        self._draws: Any = torch.compile(draw, dynamic=False) if fuse else draw
        self.iteration = 0
        self.seconds = 0.0
        self.decisions = 0.0
        self.games = 0.0
        self.evaluating = 0.0  # seconds that the last evaluation took
        self._graph: Any = None
        self._resume()
        self.env.reset()
        self._compile()

    def _make_buffers(self) -> None:
        steps, games = self.recipe.steps, self.env.games

        def zeros(kind: torch.dtype, *shape: int) -> torch.Tensor:
            return torch.zeros((steps, *shape, games), dtype=kind, device=self.device)

        self.obs = zeros(torch.uint8, self.env.columns.count)
        self.seats = zeros(torch.int32)
        self.pilots = zeros(torch.uint8)
        self.scripted = zeros(torch.int64)
        self.actions = zeros(torch.int64)
        self.rewards = zeros(torch.float32)
        self.dones = zeros(torch.uint8)
        self.lasts = torch.zeros((steps, games, SEATS), device=self.device)
        self.learns = zeros(torch.uint8)
        self.values = zeros(torch.float32)
        self.chances = zeros(torch.float32)  # logarithms
        self.advantages = zeros(torch.float32)
        self.targets = zeros(torch.float32)
        self.valid = zeros(torch.float32)
        self._index = torch.zeros(self.recipe.slices, dtype=torch.int64, device=self.device)
        self._sums = torch.zeros(len(MEASURES), device=self.device)
        share = self.env.array
        self._seen = share(self.obs), share(self.seats), share(self.pilots), share(self.scripted)
        self._stepped = share(self.actions), share(self.rewards), share(self.dones)
        self._finished = share(self.lasts), share(self.dones)
        self._traced = [
            share(x)
            for x in (
                self.seats,
                self.rewards,
                self.lasts,
                self.dones,
                self.learns,
                self.values,
                self.advantages,
                self.targets,
                self.valid,
            )
        ]

    def _resume(self) -> None:
        path = self.folder / "checkpoint.pt"
        if not path.exists():
            self.past.add(self.net.state_dict())
            return
        kept = checkpoint.load(path, self.device)
        self.net.load_state_dict(kept["net"])
        self.optimizer.load_state_dict(kept["optimizer"])
        if self.on_gpu:
            self._lr = torch.tensor(self.recipe.lr[0], device=self.device)
            for group in self.optimizer.param_groups:
                group["lr"] = self._lr
        self.iteration, self.seconds = kept["iteration"], kept["seconds"]
        self.decisions, self.games = kept["decisions"], kept["games"]
        self.evaluating = kept["evaluating"]
        torch.manual_seed(self.recipe.seed + self.iteration)
        random.seed(self.recipe.seed + self.iteration)
        smooth = self.folder / "smooth.pt"
        self.smooth.load_state_dict(
            checkpoint.load(smooth, self.device)["net"] if smooth.exists() else kept["net"]
        )
        league = self.folder / "league.pt"
        if league.exists():
            for version in checkpoint.load(league, self.device)["versions"]:
                self.past.versions.append({k: v.float() for k, v in version.items()})
        else:
            self.past.add(self.net.state_dict())

    def _compile(self) -> None:
        """Compile what a run needs, before its time counts."""
        self.profile(1)
        self.env.advantages(*self._traced, decay=self.recipe.decay)
        self.env.results()
        self.env.take_counts()

    def save(self) -> None:
        """Write everything that the run needs to go on."""
        content = {
            "net": self.net.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "iteration": self.iteration,
            "seconds": self.seconds,
            "decisions": self.decisions,
            "games": self.games,
            "evaluating": self.evaluating,
            "wide": self.recipe.wide,
            "narrow": self.recipe.narrow,
        }
        checkpoint.save(self.folder / "checkpoint.pt", content)
        checkpoint.save(self.folder / "smooth.pt", {"net": self.smooth.state_dict()})
        arrays = plain_arrays(self.smooth.state_dict(), self.smooth.scales)
        checkpoint.save_arrays(self.folder / "net.npz", arrays)

    def _save_league(self) -> None:
        versions = [{k: v.half() for k, v in each.items()} for each in self.past.versions]
        checkpoint.save(self.folder / "league.pt", {"versions": versions})

    @property
    def progress(self) -> float:
        """How much of the run is done, by its time."""
        return min(1.0, self.seconds / self.recipe.seconds)

    def _now(self, pair: tuple[float, float]) -> float:
        return pair[0] + (pair[1] - pair[0]) * self.progress

    @torch.no_grad()
    def _choose(self, t: int) -> None:
        mine, self.chances[t], self.values[t] = self._draws(self.net, self.obs[t])
        pilots = self.pilots[t]
        chosen = torch.where(pilots == SCRIPT, self.scripted[t], mine)
        if self.against_past.stop > self.against_past.start:
            part = self.against_past
            theirs, _, _ = self._draws(self.frozen, self.obs[t][:, part])
            chosen[part] = torch.where(pilots[part] == PAST, theirs, chosen[part])
        self.actions[t] = chosen
        self.learns[t] = pilots == LEARNER

    def collect(self) -> None:
        """Play all steps of all games, and weigh what was decided."""
        recipe = self.recipe
        point, win = self._now(recipe.point), self._now(recipe.win)
        self.frozen.load_state_dict(self.past.any())
        for t in range(recipe.steps):
            self.env.observe(*self._seen, t)
            self._choose(t)
            self.env.step(*self._stepped, t, point, recipe.partial)
            if t % recipe.finish_every == recipe.finish_every - 1:
                self.env.finish(*self._finished, t, point, win)
        self.env.advantages(*self._traced, decay=recipe.decay)

    def profile(self, steps: int = 8) -> dict[str, float]:
        """Return the milliseconds of each part of a step, one after the other."""
        spent = {"observe": 0.0, "choose": 0.0, "step": 0.0, "finish": 0.0}
        for t in range(min(steps, self.recipe.steps)):
            parts = (
                ("observe", lambda t=t: self.env.observe(*self._seen, t)),
                ("choose", lambda t=t: self._choose(t)),
                ("step", lambda t=t: self.env.step(*self._stepped, t, 0.02, self.recipe.partial)),
                ("finish", lambda t=t: self.env.finish(*self._finished, t, 0.02, 1.0)),
            )
            for name, part in parts:
                begin = self._wait()
                part()
                spent[name] += 1000 * (self._wait() - begin) / min(steps, self.recipe.steps)
        return {name: round(value, 2) for name, value in spent.items()}

    def _minibatch(self) -> None:
        """Make one step of the optimizer over the steps of the games that `_index` names."""
        loss, measures = self._losses()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.recipe.norm)
        self.optimizer.step()
        with torch.no_grad():
            self._sums += torch.cat([measures, norm.reshape(1)])

    def _loss(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the loss, and all MEASURES of it but the last."""
        recipe = self.recipe

        def pick(x: torch.Tensor) -> torch.Tensor:
            return x.index_select(0, self._index)

        logits, values = self.net(pick(self.obs))
        every = torch.log_softmax(logits, -1)
        weight = pick(self.valid)
        weight = weight / weight.sum().clamp(min=1.0)
        before = pick(self.chances)
        now = every.gather(-1, pick(self.actions).unsqueeze(-1)).squeeze(-1)
        # What others decided may be next to impossible for this net; it has no weight.
        ratio = torch.exp(torch.where(weight > 0, now - before, torch.zeros_like(now)))
        gain = pick(self.advantages)
        bounded = ratio.clamp(1 - recipe.clip, 1 + recipe.clip)
        policy = -torch.min(ratio * gain, bounded * gain)
        entropy = -(every.exp() * every).sum(-1)
        error = (values - pick(self.targets)) ** 2
        loss = (
            weight
            * (self._knobs[1] * (policy - self._knobs[0] * entropy) + recipe.value_weight * error)
        ).sum()
        measures = torch.stack(
            [
                (weight * policy).sum(),
                (weight * error).sum(),
                (weight * entropy).sum(),
                (weight * (before - now)).sum(),
                (weight * ((ratio - 1).abs() > recipe.clip)).sum(),
            ]
        )
        return loss, measures.detach()

    def _capture(self) -> None:
        """Record one minibatch as a CUDA graph, so that an update is few launches."""
        kept = copy.deepcopy(self.net.state_dict()), copy.deepcopy(self.optimizer.state_dict())
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.optimizer.zero_grad(set_to_none=True)
                self._minibatch()
        torch.cuda.current_stream().wait_stream(side)
        self.optimizer.zero_grad(set_to_none=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._minibatch()
        self.net.load_state_dict(kept[0])
        for group, was in zip(self.optimizer.param_groups, kept[1]["param_groups"], strict=True):
            for number, parameter in zip(was["params"], group["params"], strict=True):
                state = self.optimizer.state[parameter]
                before = kept[1]["state"].get(number)
                for key, value in state.items():
                    value.copy_(before[key]) if before else value.zero_()
        self._graph = graph

    def update(self) -> list[float]:
        """Learn from what was collected; return the means of MEASURES."""
        recipe = self.recipe
        lr = self._now(recipe.lr)
        if self.on_gpu:
            self._lr.fill_(lr)
        else:
            for group in self.optimizer.param_groups:
                group["lr"] = lr
        self._knobs[0] = self._now(recipe.entropy)
        self._knobs[1] = 0.0 if self.iteration < recipe.warm_up else 1.0
        count = self.valid.sum().clamp(min=1.0)
        mean = (self.advantages * self.valid).sum() / count
        spread = (((self.advantages - mean) ** 2 * self.valid).sum() / count).sqrt()
        self.advantages.sub_(mean).div_(spread + 1e-6)
        if self.on_gpu and self._graph is None:
            self._capture()
        self._sums.zero_()
        updates = 0
        for _ in range(recipe.epochs):
            order = torch.randperm(recipe.steps, device=self.device)
            for i in range(0, recipe.steps - recipe.slices + 1, recipe.slices):
                self._index.copy_(order[i : i + recipe.slices])
                if self._graph is not None:
                    self._graph.replay()
                else:
                    self.optimizer.zero_grad(set_to_none=True)
                    self._minibatch()
                updates += 1
        with torch.no_grad():
            for mine, new in zip(self.smooth.parameters(), self.net.parameters(), strict=True):
                mine.lerp_(new, recipe.smooth)
        self.decisions += float(count)
        return [float(x) for x in (self._sums / max(1, updates)).tolist()]

    def _wait(self) -> float:
        if self.on_gpu:
            torch.cuda.synchronize()
        return time.perf_counter()

    def run(self, until: float | None = None) -> None:
        """Train until the recipe's time is used, or until this wall-clock second of the run.

        The last evaluation is within that time, as far as the first one told how long it takes.
        """
        recipe = self.recipe
        limit = min(recipe.seconds, until or recipe.seconds)
        self._tell(
            f"{recipe.name} on {self.device}: {self.env.games:,} games at a time of"
            f" {len(recipe.games)} kinds, from {self.seconds:.0f} to {limit:.0f} s,"
            f" in {self.folder}"
        )
        log = (self.folder / "train.jsonl").open("a", encoding="utf-8")
        evaluation = self.evaluation()
        evaluation.compile()
        began = self._wait() - self.seconds
        if self.iteration == 0:
            self.evaluate(evaluation)
            self.seconds = self._wait() - began
        saved = snapshot = evaluated = self.seconds
        said = -SAY_EVERY
        longest = 0.0
        while self.seconds + longest + self.evaluating < limit:
            begin = self._wait()
            self.collect()
            middle = self._wait()
            measures = self.update()
            end = self._wait()
            longest = max(longest, end - begin)
            self.seconds = end - began
            self.iteration += 1
            say = self.seconds - said > SAY_EVERY
            if self.iteration % 10 == 0 or self.iteration <= 5 or say:
                row = self._row(middle - begin, end - middle, measures)
                log.write(json.dumps(row) + "\n")
                log.flush()
                if say:
                    said = self.seconds
                    self._tell(_line(row))
            if self.iteration == 8:
                self._tell(f"milliseconds of a step: {self.profile()}")
            if self.seconds - snapshot > recipe.snapshot_every:
                snapshot = self.seconds
                self.past.add(self.net.state_dict())
                self._save_league()
            if self.seconds - saved > recipe.save_every:
                saved = self.seconds
                self.save()
            if self.seconds - evaluated > recipe.evaluate_every:
                self.evaluate(evaluation)
                evaluated = self.seconds = self._wait() - began
        self.save()
        self._save_league()
        self.evaluate(evaluation)
        log.close()
        self._tell(f"finished: {write_page(self.folder, recipe)}")
        weights = export_run(recipe, self.env.columns, self.folder)
        self._tell(f"for the bot net, with FERROVIA_NETS={weights.parent}: {weights}")

    def _row(self, collecting: float, updating: float, measures: list[float]) -> dict[str, Any]:
        counts = self.env.take_counts()
        self.games += float(counts[:, GAMES].sum())
        first = counts[0] / max(1.0, counts[0, GAMES])
        row = {
            "iteration": self.iteration,
            "seconds": round(self.seconds, 1),
            "games": int(self.games),
            "decisions": int(self.decisions),
            "collect": round(collecting, 3),
            "update": round(updating, 3),
            "points": round(float(first[POINTS]), 1),
            "tickets": round(float(first[TICKET_POINTS]), 1),
            "completed": round(float(first[COMPLETED]), 2),
            "kept": round(float(first[KEPT]), 2),
            "stations": round(float(first[STATIONS_BUILT]), 2),
            "turns": round(float(first[TURNS]), 1),
        }
        row.update({name: round(x, 4) for name, x in zip(MEASURES, measures, strict=True)})
        return row

    def evaluation(self) -> Evaluation:
        """Return the games against the ladder that the recipe asks for."""
        recipe = self.recipe
        others = dict.fromkeys(WEAKER, recipe.ladder_games) if recipe.ladder_games > 1 else {}
        return Evaluation(kinds_of(recipe), recipe.evaluate_games, self.device, others=others)

    def evaluate(self, evaluation: Evaluation) -> None:
        """Play the smoothed net against the ladder and note the results."""
        begin = self._wait()
        rows = evaluation.play(self.smooth)
        self.evaluating = self._wait() - begin
        took = round(self.evaluating, 1)
        with (self.folder / "evaluation.jsonl").open("a", encoding="utf-8") as log:
            for name in evaluation.against:
                kinds = [row for row in rows if row["against"] == name]
                row = {
                    "iteration": self.iteration,
                    "seconds": round(self.seconds, 1),
                    "took": took,
                    "against": name,
                    "kinds": kinds,
                }
                log.write(json.dumps(row) + "\n")
                shares = " ".join(f"{r['edition']}/{r['players']}:{r['share']:.3f}" for r in kinds)
                self._tell(f"EVALUATION {self.seconds:.0f}s ({took}s) {name} {shares}")
