"""What `play` and `serve` share: running the server with the built client."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ferrovia.cli.compiling import ensure_compiled

if TYPE_CHECKING:
    from ferrovia.server import Settings

CLIENT = Path(__file__).parent.parent / "server" / "client"


def client_folder() -> str | None:
    """The browser client that comes with the package; None in a checkout that has not built it."""
    return str(CLIENT) if (CLIENT / "index.html").is_file() else None


def run(settings: "Settings", *, next_free_port: bool, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C. What keeps the server from starting is told in one line."""
    from ferrovia.lab.warmup import FOR_PLAY, for_bots
    from ferrovia.server import NoSuchHost, PortTaken, StoreError, serve

    ensure_compiled((*FOR_PLAY, *for_bots(["conductor"])))
    try:
        serve(settings, next_free_port=next_free_port, ready=ready)
    except (StoreError, PortTaken, NoSuchHost) as problem:
        raise click.ClickException(str(problem)) from None
