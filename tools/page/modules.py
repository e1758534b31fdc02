"""The modules of Python that a page runs: the package's own, without what a page has no use for,
and the libraries that it needs, in the versions that are locked.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "ferrovia"
LIBRARIES = ("msgspec", "platformdirs", "starlette")
PLATFORM = (
    *("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "314"),
    *("--implementation", "cp", "--abi", "cp314", "--abi", "none", "--only-binary=:all:"),
)
LEFT_OUT = (
    *("cli", "env", "lab", "learn", "terminal", "bots/net/weights", "kernel/libraries"),
    *("server/client", "server/store/postgresql", "server/store/sqlite"),
)
NETS = PACKAGE / "bots" / "net" / "weights"
KERNEL = PACKAGE / "kernel" / "libraries"


def gather(folder: Path) -> None:
    """Copy everything into a folder; nets are empty files, which the page fetches when needed."""
    shutil.copytree(PACKAGE, folder / "ferrovia", ignore=_left_out)
    libraries = folder / "ferrovia" / "kernel" / "libraries"
    libraries.mkdir()
    for name in ("manifest.json", "pyodide.so"):
        shutil.copy(KERNEL / name, libraries)
    nets = folder / "ferrovia" / "bots" / "net" / "weights"
    nets.mkdir()
    for card in NETS.glob("*.json"):
        shutil.copy(card, nets)
        (nets / card.with_suffix(".npz").name).touch()
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-compile"),
            *("--disable-pip-version-check", "--target", folder, *PLATFORM),
            *("--constraint", ROOT / "constraints.txt", *LIBRARIES),
        ],
        check=True,
    )


def copy_nets(folder: Path) -> None:
    """Copy the nets."""
    folder.mkdir()
    for path in NETS.glob("*.npz"):
        shutil.copy(path, folder)


def _left_out(folder: str, names: list[str]) -> set[str]:
    inside = Path(folder).relative_to(PACKAGE)
    return {
        name for name in names if name == "__pycache__" or (inside / name).as_posix() in LEFT_OUT
    }
