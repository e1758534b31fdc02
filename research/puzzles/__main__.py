"""Make puzzles from games of bots and write them, one a line.

How many candidates each check rejects is counted and printed. `--kind move` makes moves to find,
which take seconds each; without it the kinds that the rules decide are made in turn.
"""

import argparse
from pathlib import Path

import msgspec

from ferrovia.puzzles.puzzle import EXACT, KINDS
from research.puzzles.generate import Yield, make_puzzles


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m research.puzzles", description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    found = Yield()
    kinds = chosen.kind or EXACT
    with chosen.out.open("wb") as out:
        for puzzle in make_puzzles(chosen.games, chosen.seed, found, kinds, chosen.first):
            out.write(msgspec.json.encode(puzzle) + b"\n")
            out.flush()
            # A run that is cut off has said what it had found so far.
            print(f"after {puzzle.id}:", *found.lines(), sep="\n", flush=True)
    print("in the end:", *found.lines(), sep="\n")


if __name__ == "__main__":
    main()
