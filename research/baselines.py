"""What others' learners and ours reach on one core: curves for the page of baselines.

python -m research.baselines learn FILE WHO [--seconds N]
python -m research.baselines page FILE...

`learn` lets one of these learn `usa-classic` with two seats, meets `greedy` every now and then in
games with held-out seeds, each deal from both seats, and adds a line to the file for every
meeting. Seconds are those of one core. `page` prints the table of the files and writes
docs/images/baselines.svg.

    loop    the loop of examples/learn_ppo.py over BatchEnv, against itself; needs PyTorch
    sb3     MaskablePPO over SeatEnv, against greedy; needs sb3-contrib
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ferrovia.env.single import SingleGame
from ferrovia.lab.tournament.intervals import wilson

Report = Callable[[int, Callable[[], float]], bool]  # decisions, and who plays; whether to go on

PICTURE = Path(__file__).parents[1] / "docs/images/baselines.svg"
NAMES = {
    "loop": "`examples/learn_ppo.py`, against itself",
    "sb3": "MaskablePPO of sb3-contrib, against greedy",
}
_EDITION, _OPPONENT = "usa-classic", "greedy"
_GAMES = 200  # of a meeting
_EVERY = 30.0  # seconds of learning between two meetings
_COLORS = ("#1f5fb4", "#c4251d")


class Clock:
    """Counts the seconds of one core that learning takes, and writes down what came of it."""

    def __init__(self, file: Path, who: str, seconds: float) -> None:
        self._file, self._who, self._seconds = file, who, seconds
        self._begun, self._away, self._next = time.process_time(), 0.0, 0.0

    def report(self, decisions: int, meet: Callable[[], float]) -> bool:
        """Meet the opponent if it is time; return whether there is time to learn more."""
        spent = time.process_time() - self._begun - self._away
        over = spent >= self._seconds
        if spent >= self._next or over:
            share, self._next = meet(), spent + _EVERY
            row = {"who": self._who, "seconds": round(spent, 1), "decisions": decisions}
            with self._file.open("a", encoding="utf-8") as out:
                out.write(json.dumps({**row, "games": _GAMES, "share": round(share, 4)}) + "\n")
            self._away = time.process_time() - self._begun - spent
        return not over


def learn_by_loop(report: Report) -> None:
    """Run the loop of the example."""
    import torch

    example: Any = import_module("examples.learn_ppo")
    torch.manual_seed(1)
    np.random.seed(1)
    for update, net in enumerate(example.train(1 << 20), 1):
        meet = partial(example.share_against, _OPPONENT, net, _GAMES)
        if not report(update * example.STEPS * example.GAMES, meet):
            return


def learn_by_sb3(report: Report) -> None:
    """Run MaskablePPO over eight seats at a time, given points as they are gained."""
    import gymnasium
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import DummyVecEnv

    from ferrovia.env.gymnasium import SeatEnv

    class Scaled(gymnasium.ObservationWrapper[Any, Any, Any]):
        """Columns from 0 to 1, as a net likes them."""

        def __init__(self) -> None:
            env = SeatEnv(_EDITION, opponents=[_OPPONENT], point=0.02, partial=0.6)
            super().__init__(env)
            self.scales = np.array(env.game.columns.scales(), np.float32)
            shape = (len(self.scales),)
            self.observation_space = gymnasium.spaces.Box(0.0, np.inf, shape, np.float32)
            self.action_masks = env.action_masks

        def observation(self, observation: Any) -> Any:
            return observation * self.scales

    class Meetings(BaseCallback):
        go_on = True

        def _on_rollout_start(self) -> None:
            self.go_on = report(self.num_timesteps, lambda: _share(self.model, Scaled()))

        def _on_step(self) -> bool:
            return self.go_on

    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([Scaled] * 8),
        seed=1,
        n_steps=256,
        batch_size=512,
        n_epochs=4,
        learning_rate=5e-4,
        gamma=0.998,
        ent_coef=0.003,
        policy_kwargs={"net_arch": [128]},
    )
    model.learn(1 << 30, callback=Meetings())


def _share(model: Any, env: Any) -> float:
    """Return the share of games that a model wins, every deal from both seats."""
    won = 0.0
    for game in range(_GAMES):
        env.unwrapped.fixed_seat = game % 2
        seen, _ = env.reset(seed=1_000_000 + game // 2)
        over = False
        while not over:
            action, _ = model.predict(seen, action_masks=env.action_masks(), deterministic=True)
            seen, _, over, _, _ = env.step(int(action))
        single: SingleGame = env.unwrapped.game
        won += (single.rewards()[game % 2] + 1) / 2
    return won / _GAMES


LEARNERS: dict[str, Callable[[Report], None]] = {"loop": learn_by_loop, "sb3": learn_by_sb3}


def table(rows: list[dict[str, Any]]) -> str:
    """Return what each reached, as a table of Markdown."""
    lines = [
        "| learner | seconds of a core | decisions | won against `greedy` |",
        "|---|---|---|---|",
    ]
    for who, found in _by_learner(rows).items():
        for row in (found[0], found[len(found) // 2], found[-1]):
            interval = wilson(row["share"], row["games"])
            lines.append(
                f"| {NAMES[who]} | {row['seconds']:.0f} | {row['decisions']:,} | "
                f"{row['share']:.0%}, {interval.low:.0%} to {interval.high:.0%} |"
            )
    return "\n".join(lines)


def picture(rows: list[dict[str, Any]]) -> str:
    """Return the curves as SVG."""
    width, height, left, bottom, top = 640, 300, 44, 34, 14
    longest = max(row["seconds"] for row in rows)

    def place(seconds: float, share: float) -> str:
        x = left + (width - left - 14) * seconds / longest
        return f"{x:.1f},{top + (height - top - bottom) * (1 - share):.1f}"

    style = "font:13px system-ui,sans-serif"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" style="{style}">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        (_, y), (x, _) = place(0, share).split(","), place(longest, share).split(",")
        parts.append(f'<path d="M{left} {y}H{x}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y}" dy="4" text-anchor="end">{share:.0%}</text>')
    said = f"0 to {longest:.0f} seconds of one core"
    parts.append(f'<text x="{width - 14}" y="{height - 10}" text-anchor="end">{said}</text>')
    for (who, found), color in zip(_by_learner(rows).items(), _COLORS, strict=False):
        line = " ".join(place(row["seconds"], row["share"]) for row in found)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        at = list(NAMES).index(who)
        name = NAMES[who].replace("`", "")
        parts.append(f'<text x="{left + 10}" y="{top + 14 + 17 * at}" fill="{color}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _by_learner(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found = defaultdict(list)
    for row in rows:
        found[row["who"]].append(row)
    return {who: found[who] for who in NAMES if who in found}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parts = parser.add_subparsers(dest="what", required=True)
    learn = parts.add_parser("learn")
    learn.add_argument("file", type=Path)
    learn.add_argument("who", choices=LEARNERS)
    learn.add_argument("--seconds", type=float, default=300.0)
    parts.add_parser("page").add_argument("files", type=Path, nargs="+")
    given = parser.parse_args()
    if given.what == "learn":
        import torch

        torch.set_num_threads(1)
        LEARNERS[given.who](Clock(given.file, given.who, given.seconds).report)
        return
    lines = [line for file in given.files for line in file.read_text("utf-8").splitlines()]
    rows = [json.loads(line) for line in lines]
    PICTURE.write_text(picture(rows), encoding="utf-8")
    print(table(rows))


if __name__ == "__main__":
    main()
