"""What `play` and `serve` share: running the server with the built client."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ferrovia.cli.compile import ensure_compiled

if TYPE_CHECKING:
    from ferrovia.server import Settings

CLIENT = Path(__file__).parent.parent / "server" / "client"


def client_folder() -> str | None:
    """The browser client that comes with the package; None in a checkout that has not built it."""
    return str(CLIENT) if (CLIENT / "index.html").is_file() else None


def run(settings: "Settings", *, next_free_port: bool, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C. What keeps the server from starting is told in one line."""
    from ferrovia.machine.compile import FOR_PLAY, for_bots
    from ferrovia.server import NoSuchHost, PortTaken, StoreError, serve

    ensure_compiled((*FOR_PLAY, *for_bots(["conductor"])))
    try:
        with bots_compiled_meanwhile():
            serve(settings, next_free_port=next_free_port, ready=ready)
    except (StoreError, PortTaken, NoSuchHost) as problem:
        raise click.ClickException(str(problem)) from None


@contextmanager
def bots_compiled_meanwhile() -> Iterator[None]:
    """Compile the bots of all levels beside the server, which need not wait for them.

    Who asks for one before it is ready waits; where nothing can be kept it would be in vain.
    """
    from ferrovia.bots import LEVELS
    from ferrovia.machine.compile import for_bots, not_compiled
    from ferrovia.rules.compiler import cache_folder

    if not not_compiled(for_bots(LEVELS)) or cache_folder() is None:
        yield
        return
    compiling = subprocess.Popen(
        [sys.executable, "-m", "ferrovia", "doctor", "--compile"],
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
