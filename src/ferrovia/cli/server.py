"""What `play` and `serve` share: running the server, with the client if it is built."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from ferrovia.cli.compile import ensure_compiled
from ferrovia.machine.browser_game import client_folder as client_folder

if TYPE_CHECKING:
    from ferrovia.server import Opening, Settings

COMPILING = (
    "The rules are being compiled meanwhile (once on this machine). Everybody can play at once; "
    "Director joins when it is done."
)


def run(
    settings: "Settings",
    *,
    uncompiled: bool,
    next_free_port: bool,
    ready: Callable[[str], None],
    opening: "Opening | None" = None,
    log_level: int = logging.INFO,
) -> None:
    """Serve until Ctrl-C. What keeps the server from starting is an error of one line.

    Whether this process is `uncompiled` is known to cold_start.py. StoreInUse is not caught here.
    """
    from ferrovia.machine.background import compiler_beside
    from ferrovia.machine.compile import FOR_SERVER, for_bots
    from ferrovia.server import NoSuchHost, PortTaken, StoreError, serve
    from ferrovia.server.protocol.refusals import Refusal
    from ferrovia.server.store import StoreInUse

    def announce(address: str) -> None:
        ready(address)
        if uncompiled:
            click.echo(COMPILING)

    if not uncompiled:
        ensure_compiled((*FOR_SERVER, *for_bots(["conductor"])))
    try:
        serve(
            settings,
            next_free_port=next_free_port,
            ready=announce,
            opening=opening,
            compiler=compiler_beside(uncompiled=uncompiled),
            log_level=log_level,
        )
    except StoreInUse:
        raise
    except (StoreError, PortTaken, NoSuchHost) as problem:
        raise click.ClickException(str(problem)) from None
    except Refusal as problem:
        raise click.ClickException(problem.detail or problem.code) from None
