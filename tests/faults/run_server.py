"""A server whose clock can be put forward and back: SIGUSR1 reads the seconds from a file."""

import signal
import sys
import time
from pathlib import Path
from typing import Any

_real, _skew = time.time, [0.0]


def _skewed() -> float:
    return _real() + _skew[0]


def _read(_signal: int, _frame: Any) -> None:
    _skew[0] = float(Path(sys.argv[2]).read_text())


if __name__ == "__main__":
    time.time = _skewed  # before anything of ours is imported and keeps the other
    signal.signal(signal.SIGUSR1, _read)
    from tests.server.support.run_server import main

    sys.exit(main())
