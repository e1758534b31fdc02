"""The modules of Python that a page runs: the package's own, without what a page has no use for,
and the libraries that it needs, in the versions that are locked.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from ferrovia import kernel_libraries

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "ferrovia"
LIBRARIES = ("msgspec", "platformdirs", "starlette")
PLATFORM = (
    *("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "314"),
    *("--implementation", "cp", "--abi", "cp314", "--abi", "none", "--only-binary=:all:"),
)
LEFT_OUT = (
    *("cli", "env", "lab", "learn", "terminal", "kernel/libraries"),
    *("server/client", "server/store/postgresql", "server/store/sqlite"),
)
READ_LATER = (
    *("bots/net/weights/*.npz", "drawing/data/letters.json", "drawing/sheet/geography.json"),
    *("puzzles/data/puzzles.jsonl.gz", "texts/*.json", "workshop/data/cities.tsv"),
)
"""What is large, and not read in every game: a page fetches it when it is read."""
KERNEL = PACKAGE / "kernel" / "libraries"


def gather(folder: Path) -> None:
    """Copy everything into a folder."""
    shutil.copytree(PACKAGE, folder / "ferrovia", ignore=_left_out)
    libraries = folder / "ferrovia" / "kernel" / "libraries"
    libraries.mkdir()
    manifest = kernel_libraries.read_manifest()
    if "pyodide.so" not in manifest.get("libraries", ()) or not kernel_libraries.fit(manifest):
        sys.exit("the kernel for a page is not of these sources: make kernel-archive")
    for name in ("manifest.json", "pyodide.so"):
        shutil.copy(KERNEL / name, libraries)
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-compile"),
            *("--disable-pip-version-check", "--target", folder, *PLATFORM),
            *("--constraint", ROOT / "constraints.txt", *LIBRARIES),
        ],
        check=True,
    )


def part(folder: Path, later: Path) -> None:
    """Move what is read later into a folder of its own."""
    for pattern in READ_LATER:
        for path in sorted((folder / "ferrovia").glob(pattern)):
            target = later / path.relative_to(folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(path, target)


def _left_out(folder: str, names: list[str]) -> set[str]:
    inside = Path(folder).relative_to(PACKAGE)
    return {
        name for name in names if name == "__pycache__" or (inside / name).as_posix() in LEFT_OUT
    }
