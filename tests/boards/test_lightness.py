"""The package stays light: it is imported by everything."""

import subprocess
import sys


def test_importing_boards_brings_in_nothing_heavy() -> None:
    code = "import sys, ferrovia.boards; print(*sorted({n.partition('.')[0] for n in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert {"ferrovia", "platformdirs"} <= set(loaded)
    assert {"numpy", "numba", "starlette"}.isdisjoint(loaded)
