"""This process: cheap garbage collection, and its replacement by another program."""

import atexit
import gc
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn


def collect_little() -> None:
    """Spend little on garbage collection, in a process that was started for one task of ours.

    Nearly all of its objects are imported or loaded modules, which are never garbage. A fifth of
    the time of a short command went into searching them, most of it at the end of the process.
    """
    gc.set_threshold(50_000, 20, 100)
    atexit.register(gc.freeze)


def replace_process(command: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Run a program in the place of this one, with its process id, terminal and open files.

    Windows has no such thing: there the program is a child, whose exit status becomes ours.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    if os.name == "nt":
        sys.exit(wait_for(subprocess.Popen(command, env=environment)))
    os.execve(command[0], list(command), dict(environment))


def wait_for(child: "subprocess.Popen[bytes]") -> int:
    """Return the exit status of a child that stands for us: Ctrl-C is for it alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return child.wait()
