"""Run the referee over record files: python -m tests.referee [--data DIR] DIR_OR_FILE..."""

import argparse
import json
import sys
from pathlib import Path

from .editions import EDITIONS
from .referee import Breach, referee

DATA = Path(__file__).parents[2] / "src" / "ferrovia" / "boards" / "data"


def main() -> int:
    """Check every record, print the breaches, and return 1 if there were any."""
    parser = argparse.ArgumentParser(prog="python -m tests.referee")
    parser.add_argument("paths", nargs="+", type=Path, help="records, or folders of .jsonl files")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the board data")
    options = parser.parse_args()

    names = {edition["board"] for edition in EDITIONS.values()}
    boards = {
        name: json.loads((options.data / f"{name}.json").read_text("utf-8")) for name in names
    }
    passed = failed = 0
    for path in options.paths:
        for file in sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]:
            try:
                referee(file.read_text("utf-8"), boards, EDITIONS)
                passed += 1
            except Breach as breach:
                print(f"{file}: {breach}")
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
