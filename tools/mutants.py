"""Change the code in small ways, one at a time, and list the changes that no test notices.

python tools/mutants.py [PACKAGE...] [--each N] [--seed S]

A mutant is one comparison, sum, boolean or small number of a package made wrong, by chance with a
seed, in a copy of the checkout. It is caught if the tests of its package, or those of the
properties, fail; functions of the kernel run as plain Python. Minutes for each package: by hand,
and never in `make test`. The exit status is 1 if a mutant survives.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCE = Path("src", "ferrovia")
PACKAGES = sorted(
    path.name for path in (ROOT / SOURCE).iterdir() if (ROOT / "tests" / path.name).is_dir()
)
SECONDS = 600  # a mutant may never end: that is noticed too

_COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.Is: ("is", "is not"),
}
_SUMS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.FloorDiv: ("//", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
}
_BOOLEANS: dict[type[ast.boolop], tuple[str, str]] = {
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}


class Mutant(NamedTuple):
    """A place in a file, and what stands there instead."""

    path: Path
    begin: int
    end: int
    line: int
    was: str
    instead: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.was} -> {self.instead}"


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if not text.isascii():  # positions of the parser are bytes
        return
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def place(line: int | None, column: int | None) -> int:
        assert line is not None
        assert column is not None
        return starts[line - 1] + column

    def between(left: ast.expr, right: ast.expr, words: tuple[str, str]) -> Iterator[Mutant]:
        begin = place(left.end_lineno, left.end_col_offset)
        at = text.find(words[0], begin, place(right.lineno, right.col_offset))
        if at >= 0:
            line = text.count("\n", 0, at) + 1
            yield Mutant(path, at, at + len(words[0]), line, *words)

    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                if words := _COMPARISONS.get(type(op)):
                    yield from between(left, right, words)
            case ast.BinOp(left=left, op=operator, right=right):
                if words := _SUMS.get(type(operator)):
                    yield from between(left, right, words)
            case ast.BoolOp(op=boolop, values=[left, right, *_]):
                yield from between(left, right, _BOOLEANS[type(boolop)])
            case ast.Constant(value=bool() | int() as value) if value in (0, 1, 2):
                begin = place(node.lineno, node.col_offset)
                end = place(node.end_lineno, node.end_col_offset)
                other = str(not value) if isinstance(value, bool) else str(value + 1)
                yield Mutant(path, begin, end, node.lineno, text[begin:end], other)


def of_package(package: str) -> list[Mutant]:
    """Return every mutant of a package, in the order of its files."""
    paths = sorted((ROOT / SOURCE / package).rglob("*.py"))
    return [it for path in paths for it in mutants(path.relative_to(ROOT))]


def is_caught(mutant: Mutant, copy: Path, package: str) -> bool:
    """Return whether a test fails, or never ends, over a mutant in a copy of the checkout."""
    text = (ROOT / mutant.path).read_text(encoding="utf-8")
    (copy / mutant.path).write_text(
        text[: mutant.begin] + mutant.instead + text[mutant.end :], encoding="utf-8"
    )
    environment = {**os.environ, "PYTHONPATH": str(copy / "src")}
    tests = [f"tests/{package}"]
    if "@kernel" in text or "@entry" in text:
        environment["FERROVIA_KERNEL"] = "python"
        tests += ["tests/rules", "tests/properties", "-m", "uncompiled or inside"]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return True
    finally:
        (copy / mutant.path).write_text(text, encoding="utf-8")
    return done.returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="by default all")
    parser.add_argument("--each", type=int, default=5, help="mutants of each package (5)")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if unknown := set(chosen.packages) - set(PACKAGES):
        parser.error(f"no package: {', '.join(sorted(unknown))}; known: {', '.join(PACKAGES)}")
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "checkout"
        leave = shutil.ignore_patterns(".git", ".venv", "node_modules", "site", ".coverage")
        shutil.copytree(ROOT, copy, ignore=leave, symlinks=True)
        for package in chosen.packages or PACKAGES:
            chance = random.Random(f"{chosen.seed} {package}")
            found = of_package(package)
            for mutant in chance.sample(found, min(chosen.each, len(found))):
                caught = is_caught(mutant, copy, package)
                survivors += not caught
                print(f"{'caught  ' if caught else 'SURVIVES'}  {mutant}", flush=True)
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
