"""Puts everything beside the built client that a page needs: `python -m tools.page build/page`."""

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

from tools.page import answers, modules, offline

ROOT = Path(__file__).parents[2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where Vite has built the client of the page")
    folder: Path = parser.parse_args().folder.resolve()
    with tempfile.TemporaryDirectory() as work:
        modules.gather(Path(work, "modules"))
        python = folder / "python"
        shutil.rmtree(python, ignore_errors=True)
        python.mkdir()
        modules.part(Path(work, "modules"), python / "later")
        pack = Path(__file__).with_name("pack.mjs")
        subprocess.run(["node", pack, work, python], check=True)
        answers.write(folder / "answers", Path(work, "games.sqlite"))
    offline.write_service_worker(folder)
    offline.press(folder)


if __name__ == "__main__":
    main()
