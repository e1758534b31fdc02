"""This process, replaced by another program."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn


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
