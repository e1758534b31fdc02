"""The page on the architecture, and whatever else names a file or a module, names what there is."""

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "ferrovia"
PAGE = ROOT / "docs" / "architecture.md"
DECISIONS = ROOT / "docs" / "decisions"
BUILT = {"server/client/"}  # by `make web`; not in a fresh checkout

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(page for page in (ROOT / "docs").glob("**/*.md") if page.name != "changelog.md"),
]

_PATH = re.compile(r"(?:[\w.-]+/)+(?:[\w.-]+\.\w+)?|[\w-]+\.(?:py|ts|toml|json|svelte|css)")
_MODULE = re.compile(r"ferrovia(?:\.\w+)+")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def quoted(page: Path) -> list[str]:
    """What stands between backticks, code blocks left out."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"`([^`\n]+)`", text)


def paths(page: Path) -> set[str]:
    """The quoted texts that are paths of files or folders."""
    return {text for text in quoted(page) if _PATH.fullmatch(text)}


def exists(path: str) -> bool:
    """Whether the repository or the package has such a path; a folder ends in a slash."""
    found = [root / path for root in (ROOT, PACKAGE) if (root / path).exists()]
    return path in BUILT or any(one.is_dir() == path.endswith("/") for one in found)


def sections() -> dict[str, str]:
    """The text of every section of the page, by the first word of its heading."""
    parts = re.split(r"^## (\w+).*$", PAGE.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def folders_of(package: Path) -> list[Path]:
    return sorted(path.parent for path in package.glob("*/**/__init__.py"))


PACKAGES = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))


def test_every_path_exists() -> None:
    named = paths(PAGE)
    assert len(named) > 150
    assert [path for path in sorted(named) if not exists(path)] == []


@pytest.mark.parametrize(
    "page",
    [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "search.md", *sorted(DECISIONS.glob("*.md"))],
    ids=name_of,
)
def test_paths_of_other_pages_exist(page: Path) -> None:
    assert [path for path in sorted(paths(page)) if not exists(path)] == []


@pytest.mark.parametrize("name", [*PACKAGES, "web"])
def test_every_package_has_a_section(name: str) -> None:
    assert name in sections()


@pytest.mark.parametrize("name", PACKAGES)
def test_the_section_of_a_package_names_all_its_folders(name: str) -> None:
    text = sections()[name]
    for folder in folders_of(PACKAGE / name):
        assert f"`{folder.relative_to(PACKAGE).as_posix()}/`" in text


def test_the_layers_are_those_that_are_checked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    [contract] = [
        each
        for each in project["tool"]["importlinter"]["contracts"]
        if each["type"] == "layers" and "containers" not in each
    ]
    names = [layer.removeprefix("ferrovia.") for layer in contract["layers"]]
    layers = [name for name in names if "|" not in name]  # modules that do not know each other
    assert sorted(layers) == sorted([*PACKAGES, "errors"])
    table = sections()["Layers"]
    assert re.findall(r"^\| `ferrovia\.(\w+)` \|", table, re.MULTILINE) == layers
    picture = (ROOT / "docs" / "images" / "layers.svg").read_text("utf-8")
    drawn = re.findall(r"<text[^>]*>(\w+)</text>", picture)
    assert [name for name in drawn if name in layers] == layers


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_modules_that_are_named_can_be_imported(page: Path) -> None:
    for name in {text for text in quoted(page) if _MODULE.fullmatch(text)}:
        assert _is_there(name), f"{name_of(page)} names {name}"


def _is_there(name: str) -> bool:
    """Whether a dotted name is a module, or leads from one by attributes."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for attribute in parts[length:]:
            if not hasattr(found, attribute):
                return False
            found = getattr(found, attribute)
        return True
    return False
