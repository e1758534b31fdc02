"""`python tools/licences.py`: bring `licenses/` up to date with what the package holds of others.

What that is says the build of the client, and `hatch_build.py` for the libraries of the kernel. A
licence that is there stays if it has the text of its package: some say more of their authors.
"""

import sys
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "licenses"
PAGE = FOLDER / "README.md"

sys.path.insert(0, str(ROOT))

from hatch_build import parts_of_others  # noqa: E402

TEXTS = ("LICENSE", "LICENSE.md", "license")


def file_of(name: str) -> str:
    """Return the name of the file with the licence of a package."""
    return name.removeprefix("@fontsource/").lstrip("@").replace("/", "-") + ".txt"


def text_of(kind: str, name: str) -> str | None:
    """Return the licence that a package comes with; None where the package is not installed. Data
    come in no package: theirs is what is here.
    """
    if kind == "generic":
        file = FOLDER / file_of(name)
        return file.read_text("utf-8") if file.is_file() else None
    if kind == "pypi":
        try:
            return distribution(name).read_text("licenses/LICENSE")
        except ModuleNotFoundError:
            return None
    folder = ROOT / "web" / "node_modules" / name
    there = [folder / file for file in TEXTS if (folder / file).is_file()]
    return there[0].read_text("utf-8") if there else None


def page() -> str:
    """Return the page of the folder."""
    head, _, _ = PAGE.read_text("utf-8").partition("| file |")
    rows = [
        f"| [{file_of(name)}]({file_of(name)}) | {name} | {licence.strip('()')} |"
        for _, name, _, licence in parts_of_others(ROOT)
    ]
    return head + "\n".join(["| file | package | licence |", "|---|---|---|", *rows, ""])


def main() -> None:
    parts = parts_of_others(ROOT)
    for kind, name, _, _ in parts:
        file, text = FOLDER / file_of(name), text_of(kind, name)
        if text is None:
            if not file.is_file():
                sys.exit(f"{name} is not installed: its licence is not known")
        elif not file.is_file() or text.strip() not in file.read_text("utf-8"):
            file.write_text(text, "utf-8")
    for file in set(FOLDER.glob("*.txt")) - {FOLDER / file_of(name) for _, name, _, _ in parts}:
        file.unlink()
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
