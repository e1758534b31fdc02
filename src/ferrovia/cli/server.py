"""What `play` and `serve` share: running the server, with the client if it is built."""

import logging
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from ferrovia.machine.browser_game import client_folder as client_folder

if TYPE_CHECKING:
    from ferrovia.server import Opening, Settings


def run(
    settings: "Settings",
    *,
    next_free_port: bool,
    ready: Callable[[str], None],
    opening: "Opening | None" = None,
    log_level: int = logging.INFO,
) -> None:
    """Serve until Ctrl-C. What keeps the server from starting is an error of one line.

    StoreInUse is not caught here.
    """
    from ferrovia.server import NoSuchHost, PortTaken, StoreError, serve
    from ferrovia.server.refusals import Refusal
    from ferrovia.server.store import StoreInUse

    try:
        serve(
            settings,
            next_free_port=next_free_port,
            ready=ready,
            opening=opening,
            log_level=log_level,
        )
    except StoreInUse:
        raise
    except (StoreError, PortTaken, NoSuchHost) as problem:
        raise click.ClickException(str(problem)) from None
    except Refusal as problem:
        raise click.ClickException(problem.detail or problem.code) from None


def open_browser(link: str) -> None:
    """Open the page in a browser, where there can be one: what looks for it says much otherwise."""
    shown = ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "BROWSER")
    if sys.platform in ("darwin", "win32") or any(map(os.environ.get, shown)):
        click.launch(link)
