"""The server runs where there is no operating system to speak of, as in a page."""

import subprocess
import sys


def test_a_whole_game_without_threads_processes_sockets_and_files() -> None:
    program = [sys.executable, "-m", "tests.server.support.without_system"]
    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=120)
    assert (done.stdout, done.stderr) == ("[200, 200, 200, 200, 200, 200] (True, 1)\n", "")
