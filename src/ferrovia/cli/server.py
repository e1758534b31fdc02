"""What `play` and `serve` share: running the server, with the client if it is built."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ferrovia.cli.compile import ensure_compiled
from ferrovia.machine.browser_game import client_folder as client_folder

if TYPE_CHECKING:
    from ferrovia.server import Settings


def run(settings: "Settings", *, next_free_port: bool, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C. What keeps the server from starting is an error of one line."""
    from ferrovia.machine.compile import FOR_SERVER, for_bots
    from ferrovia.server import NoSuchHost, PortTaken, StoreError, serve

    ensure_compiled((*FOR_SERVER, *for_bots(["conductor"])))
    try:
        with bots_compiled_meanwhile():
            serve(settings, next_free_port=next_free_port, ready=ready)
    except (StoreError, PortTaken, NoSuchHost) as problem:
        raise click.ClickException(str(problem)) from None


@contextmanager
def bots_compiled_meanwhile() -> Iterator[None]:
    """Compile the bots of all levels in a process beside the server, which does not wait for it.

    Whoever asks for a bot that is not compiled yet waits. Where there is no cache to write to,
    nothing is started: the process could not pass on what it compiled.
    """
    from ferrovia.bots import LEVELS
    from ferrovia.machine.compile import for_bots, not_compiled
    from ferrovia.rules.compiler import cache_folder

    if not not_compiled(for_bots(LEVELS)) or cache_folder() is None:
        yield
        return
    compiling = subprocess.Popen(
        [sys.executable, "-m", "ferrovia.machine.compile"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C at the terminal is for the server
    )
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, compiling.pid, 19)
    try:
        yield
    finally:
        compiling.kill()
        compiling.wait()
