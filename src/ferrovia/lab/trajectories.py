"""What bots saw and did, decision by decision, as Parquet: for those who learn from games.

A row is a decision: the game, the step, the seat, the columns that it saw (see
ferrovia.bots.net.columns), the legal mask, the action, and how the game ended for the seat. How
to pay is a decision of its own where there are several ways. `_columns.json` in the folder says
what the columns are; readers of Parquet leave out files with such a name.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from ferrovia.errors import MissingExtra

try:
    import numpy as np
except ImportError as problem:
    raise MissingExtra("env", problem) from None

from ferrovia.atomic_files import atomic, write_atomic
from ferrovia.bots.plugins import bring
from ferrovia.env.single import SingleGame
from ferrovia.game import Game
from ferrovia.game.codec.actions import codes_of
from ferrovia.lab.run.plan import Plan
from ferrovia.lab.run.run import Switch, Task, play

GAMES = 256  # of one file


def check() -> Any:
    """Return pyarrow; MissingExtra if there is none."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as problem:
        raise MissingExtra("parquet", problem) from None
    return pyarrow


class _Rows:
    """The decisions of some games."""

    def __init__(self) -> None:
        self.numbers: list[tuple[int, int, int, int]] = []  # game, step, seat, action
        self.seen: list[Any] = []
        self.ends: list[tuple[int, float, float]] = []  # points, margin, share of the win

    def play(self, plan: Plan, number: int, table: SingleGame) -> None:
        seed = plan.seed_of(number)
        game = Game(plan.edition, len(plan.bots), seed=seed)
        bots = [bring(bot, seed) for bot in plan.bots]
        first = len(self.numbers)
        while not game.over:
            seat = game.awaited[0]
            action = bots[seat].decide(game.view(seat))
            table.state = game.state
            for code in codes_of(game.lexicon, game.state, seat, action, listed=True):
                self.numbers.append((number, len(self.numbers) - first, seat, code))
                self.seen.append(table.observe(seat))
                table.play(code)
            game.play(seat, action)
        totals = [score.total for score in game.result().scores]
        winners = game.result().winners
        for _, _, seat, _ in self.numbers[first:]:
            others = sum(totals) - totals[seat]
            margin = totals[seat] - others / (len(totals) - 1)
            won = 1 / len(winners) if seat in winners else 0.0
            self.ends.append((totals[seat], margin, won))

    def table(self, pyarrow: Any, actions: int) -> Any:
        numbers = np.array(self.numbers, np.int32)
        seen = np.stack(self.seen)
        ends = np.array(self.ends)

        def rows(block: Any) -> Any:
            flat = pyarrow.array(np.ascontiguousarray(block).reshape(-1))
            return pyarrow.FixedSizeListArray.from_arrays(flat, block.shape[1])

        return pyarrow.table(
            {
                "game": numbers[:, 0],
                "step": numbers[:, 1].astype(np.int16),
                "seat": numbers[:, 2].astype(np.int8),
                "observation": rows(seen),
                "mask": rows(seen[:, :actions]),
                "action": numbers[:, 3].astype(np.int16),
                "points": ends[:, 0].astype(np.int16),
                "margin": ends[:, 1].astype(np.float32),
                "won": ends[:, 2].astype(np.float32),
            }
        )


@dataclass(frozen=True)
class Part:
    """Some games and the bytes of their file; no games and no bytes after a stop."""

    games: range
    content: bytes


@dataclass(frozen=True)
class Recorders:
    """The work of those who play and write down: see `ferrovia.lab.run.workers`."""

    plans: tuple[Plan, ...]

    def play(self, plan: int, games: range, stopped: Callable[[], bool]) -> Part:
        """Play some games; return their file."""
        pyarrow, rows = check(), _Rows()
        chosen = self.plans[plan]
        table = SingleGame(chosen.edition, len(chosen.bots))
        for number in games:
            if stopped():
                return Part(games[:0], b"")
            rows.play(chosen, number, table)
        content = BytesIO()
        made = rows.table(pyarrow, table.actions)
        pyarrow.parquet.write_table(made, content, compression="zstd")
        return Part(games, content.getvalue())


def write_trajectories(
    folder: Path,
    plan: Plan,
    *,
    workers: int = 1,
    stop: Switch | None = None,
    ray: str | None = None,
) -> Iterator[int]:
    """Play the games of a plan and write their decisions; yields how many games are written.

    They are the games that the plan has anywhere else, seed by seed, and the files are the same
    wherever they are played: in this process, in several, or on a Ray cluster.
    """
    check()
    folder.mkdir(parents=True, exist_ok=True)
    table = SingleGame(plan.edition, len(plan.bots))
    about = {
        "edition": plan.edition.id,
        "bots": list(plan.bots),
        "seed": plan.seed,
        "actions": table.actions,
        "columns": [
            {"name": c.name, "meaning": c.meaning, "scale": c.scale} for c in table.columns.all
        ],
    }
    write_atomic(folder / "_columns.json", json.dumps(about, indent=1, ensure_ascii=False) + "\n")
    numbers, written = plan.numbers, 0
    tasks = [Task(0, numbers[n : n + GAMES]) for n in range(0, len(numbers), GAMES)]
    for part in play(Recorders((plan,)), tasks, workers, stop, ray):
        if part.games:
            with atomic(folder / f"games-{part.games.start:09d}.parquet") as unfinished:
                unfinished.write_bytes(part.content)
            written += len(part.games)
            yield written
