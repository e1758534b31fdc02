"""python -m ferrovia.learn RECIPE FOLDER [--device cuda] [--set KEY=JSON ...]"""

import argparse
import json
from pathlib import Path

import torch

from ferrovia.learn.config import read_recipe
from ferrovia.learn.ppo import Training


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ferrovia.learn")
    parser.add_argument("recipe", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=JSON")
    given = parser.parse_args()
    changes = {key: json.loads(value) for key, value in (each.split("=", 1) for each in given.set)}
    Training(read_recipe(given.recipe, **changes), given.folder, given.device).run()


main()
