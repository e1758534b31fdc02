"""Our errors have one base, travel between processes, and name the extra that is missing."""

import ast
import builtins
import os
import pickle
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

import ferrovia
from ferrovia.boards import BoardError, load_edition
from ferrovia.errors import EXTRAS, FerroviaError, MissingExtra, install_command
from ferrovia.game import IllegalAction, InvalidAction, PositionError, RecordError

SOURCE = Path(ferrovia.__file__).parent
NO_ERRORS = {"PlayerLeft"}  # the player has left the game: nothing went wrong


def test_every_error_of_ours_has_the_base() -> None:
    found = 0
    for file in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name not in NO_ERRORS | {"FerroviaError"}:
                bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
                kinds = [getattr(builtins, base, None) for base in bases]
                if any(isinstance(kind, type) and issubclass(kind, Exception) for kind in kinds):
                    assert bases[0] == "FerroviaError", f"{node.name} in {file}"
                    found += 1
    assert found >= 8


def test_every_extra_of_the_package_is_known() -> None:
    project = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    declared = project["project"]["optional-dependencies"]
    assert EXTRAS.keys() == declared.keys() - {"docs"}
    for extra, (_, package) in EXTRAS.items():
        assert any(needed.startswith(package) for needed in declared[extra])


def test_the_documentation_lists_every_extra() -> None:
    project = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    page = (SOURCE.parents[1] / "docs" / "index.md").read_text(encoding="utf-8")
    for extra in project["project"]["optional-dependencies"]:
        assert f"| `{extra}` | " in page


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_missing_extra_says_what_to_install(extra: str) -> None:
    error = MissingExtra(extra)
    assert isinstance(error, ImportError)
    assert str(error).endswith(f": {install_command(extra)}")
    assert str(MissingExtra(extra, "libpq is missing")).endswith("' (libpq is missing)")
    missing = ModuleNotFoundError(f"No module named '{EXTRAS[extra][1]}'", name=EXTRAS[extra][1])
    assert str(MissingExtra(extra, missing)) == str(error)  # which has said so


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (None, "pip install 'ferrovia[png]'"),
        (
            '{"url": "https://index/ferrovia.whl", "archive_info": {}}',
            "pip install 'ferrovia[png]'",
        ),
        ('{"url": "file:///a%20b/c", "dir_info": {}}', "pip install '/a b/c[png]'"),
        (
            '{"url": "file:///home/ada/ferrovia", "dir_info": {"editable": true}}',
            "pip install --editable '/home/ada/ferrovia[png]'",
        ),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="paths of other systems")
def test_an_extra_is_installed_from_where_the_package_came(
    origin: str | None, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = SimpleNamespace(read_text=lambda name: origin if name == "direct_url.json" else None)
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: found)
    assert install_command("png") == command


def board_error() -> BoardError:
    with pytest.raises(BoardError) as caught:
        load_edition("atlantis")
    return caught.value


@pytest.mark.parametrize(
    "error",
    [
        InvalidAction("what?"),
        IllegalAction("no_offer", "R8.2", "there are no tickets to choose from"),
        RecordError("cut", 3, "R2.1"),
        PositionError("no colon"),
        board_error(),
        MissingExtra("ray"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_travel_between_processes(error: FerroviaError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_names_that_are_loaded_at_first_use_are_listed() -> None:
    assert set(ferrovia.__all__) <= set(dir(ferrovia))
    assert "import_module" not in dir(ferrovia)
