"""Show how many lines of each package the tests run, and fail where it is fewer than before.

python tools/coverage_floors.py REPORT...     (`make test` writes the reports: SlipCover's, as JSON)

A line counts when one of the reports has run it: those of the kernel are seen by the run over plain
Python alone. The floors stand in pyproject.toml, one for each package. A floor is raised by hand
when a package stays well above it, and never lowered.
"""

import json
import sys
import tomllib
from collections import defaultdict
from pathlib import Path, PurePath

ROOT = Path(__file__).parents[1]


def by_package(reports: list[Path]) -> dict[str, tuple[int, int]]:
    """Return for each package of Ferrovia how many lines were run, and how many there are."""
    run: dict[str, set[int]] = defaultdict(set)
    lines: dict[str, set[int]] = defaultdict(set)
    for report in reports:
        for name, found in json.loads(report.read_text(encoding="utf-8"))["files"].items():
            run[name].update(found["executed_lines"])
            lines[name].update(found["executed_lines"], found["missing_lines"])
    packages: dict[str, tuple[int, int]] = {}
    for name in sorted(lines):
        _, _, *inside = PurePath(name).parts  # src/ferrovia/...
        package = f"ferrovia.{inside[0]}" if len(inside) > 1 else "ferrovia"
        seen, there = packages.get(package, (0, 0))
        packages[package] = seen + len(run[name]), there + len(lines[name])
    return packages


def main(arguments: list[str]) -> int:
    """Print the table; return 1 when a package is below its floor."""
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    packages = by_package(list(map(Path, arguments)))
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    floors = settings["tool"]["ferrovia"]["coverage"]
    below = []
    for package, (run, lines) in packages.items():
        share, floor = 100 * run / max(lines, 1), floors.get(package, 0)
        print(f"{package:20} {share:5.1f}% of {lines:5} lines, floor {floor}%")
        if share < floor:
            below.append(package)
    for package in below:
        print(f"{package}: the tests run less of it than before", file=sys.stderr)
    for package in floors.keys() - packages.keys():
        print(f"{package}: there is no such package; see pyproject.toml", file=sys.stderr)
    return 1 if below or floors.keys() - packages.keys() else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
