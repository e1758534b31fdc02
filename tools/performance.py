"""Check that nothing has become slower since the last benchmark page.

python tools/performance.py [BASE] [--rounds N] [--slower PERCENT]

BASE is a commit, by default the one that last changed docs/benchmarks.md. Figures of two machines,
or of two days, cannot be compared, so both versions are measured alternately in one run: the
working tree, and BASE in a temporary git worktree. The output is ratios of the working tree to
BASE, above 1 where it is faster: the median of the rounds, the lowest and the highest. The exit
status is 1 if a median is lower than allowed. This is no part of `make test`: it takes minutes, and
on a busy machine the figures mean nothing.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = "docs/benchmarks.md"
STARTS = 10  # of the command: one takes no longer than a few ticks of the clock

PROGRAM = """
import gc, io, json, time
from contextlib import redirect_stdout
from ferrovia import Game
from ferrovia.cli import main

def rate(work):
    gc.collect()
    gc.disable()  # whether a whole collection falls into a short measurement is chance
    began = time.process_time()
    work()
    seconds = time.process_time() - began
    gc.enable()
    return 1 / seconds

def simulate(arguments, games):
    with redirect_stdout(io.StringIO()):
        try:
            main(["simulate", *arguments.split(), "--games", str(games), "--seed", "7"])
        except SystemExit as end:
            assert not end.code, arguments

def played(seed):
    game = Game("europe", 4, seed=seed)
    while not game.over:
        seat = game.awaited[0]
        listed = game.legal_actions(seat)
        game.play(seat, listed[(7 * len(game.events)) % len(listed)])
    return game

found = {}
for name, arguments, games in (
    ("random play", "europe --bots random,random,random,random", 20000),
    ("greedy", "europe --bots greedy,greedy,greedy,greedy", 6000),
    ("planner", "usa --bots planner,planner", 1500),
    ("search", "usa --bots search:100,search:100", 2),
):
    simulate(arguments, 1)
    found[name] = rate(lambda: simulate(arguments, games))
games = [played(seed) for seed in range(20)]
records = [game.record().text() for game in games]
Game.from_record(records[0])
found["games from Python"] = rate(lambda: [played(seed) for seed in range(20)])
found["writing records"] = rate(lambda: [game.record().text() for game in games * 20])
found["checking records"] = rate(lambda: [Game.from_record(text) for text in records * 2])
print(json.dumps(found))
"""
"""What is measured, by names that every version has: the command line and `Game`. Processor time
depends less than the clock on what else the machine does.
"""


def figures(tree: Path) -> dict[str, float]:
    """Measure a tree once; return work per second, by what it is."""
    found: dict[str, float] = json.loads(_run(tree, "-c", PROGRAM))
    starts = []
    for _ in range(STARTS):
        before = os.times()
        _run(tree, "-m", "ferrovia", "--help")
        after = os.times()
        seconds = after.children_user + after.children_system
        starts.append(seconds - before.children_user - before.children_system)
    # Windows does not count the time of other processes.
    found["start of the command"] = 1 / max(statistics.mean(starts), 0.001)
    return found


def _run(tree: Path, *arguments: str) -> str:
    """Run Python in a tree and return its output; a failure ends this program."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=tree, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{tree} cannot be measured: exit status {done.returncode}")
    return done.stdout


@contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """Check a commit out into a temporary folder for the block."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "base"
        _git("worktree", "add", "--quiet", "--detach", str(tree), commit)
        try:
            _run(tree, "-m", "tools.kernel", "unpack")
            yield tree
        finally:
            _git("worktree", "remove", "--force", str(tree))


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"git {' '.join(arguments)} failed")
    return done.stdout.strip()


def ratios(base: Path, rounds: int) -> dict[str, list[float]]:
    """Measure both trees in every round, in alternating order, and return the ratios."""
    for tree in (base, ROOT):
        print(f"warming up {tree}", file=sys.stderr)
        figures(tree)
    found: dict[str, list[float]] = {}
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}", file=sys.stderr)
        measured = {tree: figures(tree) for tree in ((base, ROOT), (ROOT, base))[number % 2]}
        for name, now in measured[ROOT].items():
            found.setdefault(name, []).append(now / measured[base][name])
    return found


def slower(found: dict[str, list[float]], percent: float) -> list[str]:
    """Return what has become slower than allowed."""
    least = 1 - percent / 100
    return [name for name, values in found.items() if statistics.median(values) < least]


def table(found: dict[str, list[float]], wrong: list[str]) -> str:
    """Return the ratios as lines of text."""
    lines = [f"{'':<22}{'ratio':>7}{'lowest':>8}{'highest':>9}"]
    for name, values in found.items():
        mark = "  SLOWER" if name in wrong else ""
        middle = statistics.median(values)
        lines.append(f"{name:<22}{middle:>7.2f}{min(values):>8.2f}{max(values):>9.2f}{mark}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("base", nargs="?", help=f"a commit; default: the last one of {PAGE}")
    parser.add_argument("--rounds", type=int, default=5, help="default: 5")
    parser.add_argument("--slower", type=float, default=10, help="percent allowed, default: 10")
    options = parser.parse_args()
    commit = options.base or _git("log", "-1", "--format=%H", "--", PAGE)
    print(f"the working tree against {_git('log', '-1', '--format=%h %s', commit)}")
    with worktree(commit) as base:
        found = ratios(base, options.rounds)
    wrong = slower(found, options.slower)
    print(table(found, wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
