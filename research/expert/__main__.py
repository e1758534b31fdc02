"""Let the net of a run's folder learn what trying its options shows, round by round.

A round is kept if the new net is better than the one before it beyond doubt: see rounds.jsonl.
"""

import argparse
import json
from pathlib import Path

import torch

from ferrovia.learn.config import find_recipe, read_recipe
from research.expert.rounds import ExpertIteration, Rounds


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m research.expert", description=__doc__)
    parser.add_argument("recipe", help="that of the run, or a TOML file")
    parser.add_argument("folder", type=Path, help="of a run of `ferrovia learn`")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    given = parser.parse_args()
    try:
        recipe = read_recipe(find_recipe(given.recipe))
        iteration = ExpertIteration(recipe, Rounds(), given.folder, given.device)
    except ValueError as problem:
        parser.error(str(problem))
    for _ in range(given.rounds):
        print(json.dumps(iteration.round()), flush=True)


if __name__ == "__main__":
    main()
