"""What import-linter cannot see: a layer that names one above it in a string, to start it."""

import ast
import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"

CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]["contracts"]
[LAYERS] = [
    contract["layers"]
    for contract in CONTRACTS
    if contract["type"] == "layers" and "containers" not in contract  # of the whole package
]

_MODULE = re.compile(r"\bferrovia(?:\.\w+)+")
_COMMAND = re.compile(r"-m\s+ferrovia(?![.\w])")


def layer_of(module: str) -> int | None:
    """The place of a module's layer, the lowest being last; None for `ferrovia` itself."""
    for place, layer in enumerate(LAYERS):
        if any(module == one or module.startswith(f"{one}.") for one in layer.split(" | ")):
            return place
    return None


def docstrings(tree: ast.AST) -> set[ast.AST]:
    """The strings that stand alone as statements: words for people."""
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def modules_named(source: str) -> Iterator[tuple[int, str]]:
    """The modules that a program names in strings, with their lines; a command line is the CLI."""
    tree = ast.parse(source)
    words = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in words:
            for match in _MODULE.finditer(node.value):
                yield node.lineno, match[0]
            if _COMMAND.search(node.value):
                yield node.lineno, "ferrovia.cli"
        if isinstance(node, ast.List | ast.Tuple | ast.Call):
            parts = node.args if isinstance(node, ast.Call) else node.elts
            plain = [part.value if isinstance(part, ast.Constant) else None for part in parts]
            command = not isinstance(node, ast.Call) and plain[:1] == ["ferrovia"]
            if command or ("-m", "ferrovia") in pairwise(plain):
                yield node.lineno, "ferrovia.cli"


def test_no_layer_starts_or_loads_one_above_it() -> None:
    wrong = []
    for path in sorted(SOURCE.rglob("*.py")):
        own = layer_of(".".join(path.relative_to(SOURCE).with_suffix("").parts))
        for line, named in modules_named(path.read_text(encoding="utf-8")):
            above = layer_of(named)
            if own is not None and above is not None and above < own:
                wrong.append(f"{path.relative_to(ROOT)}:{line} names {named}")
    assert wrong == []


@pytest.mark.parametrize(
    "source",
    [
        "run([sys.executable, '-m', 'ferrovia', 'simulate'])",
        "run((sys.executable, '-c', PEAK, sys.executable, '-m', 'ferrovia', *words))",
        "execute(python, '-m', 'ferrovia')",
        "Popen('python -m ferrovia doctor --json', shell=True)",
        "Popen(f'{python} -m ferrovia {command}', shell=True)",
        "run(['ferrovia', 'doctor'])",
        "import_module('ferrovia.cli.commands.play')",
        "CODE = 'from ferrovia.cli import main; main()'",
    ],
)
def test_the_command_line_is_found_however_it_is_started(source: str) -> None:
    assert [layer_of(named) for _, named in modules_named(source)] == [0]


@pytest.mark.parametrize(
    "source",
    [
        "'''`python -m ferrovia` is the command.'''",
        "help = 'see ferrovia simulate --help'",
        "platformdirs.user_cache_path('ferrovia', appauthor=False)",
        "files(__package__)",
    ],
)
def test_words_for_people_start_nothing(source: str) -> None:
    assert [named for _, named in modules_named(source)] == []
