"""ferrovia serve"""

import ipaddress
import re

import click

from ferrovia.cli import options
from ferrovia.cli.cold_start import begins_uncompiled
from ferrovia.cli.server import client_folder, run


def _programs(
    _ctx: click.Context, _option: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """Return the programs that play, by the names of their bots."""
    from ferrovia.bots import make, names

    programs: dict[str, str] = {}
    for value in values:
        name, _, program = value.partition("=")
        if not re.fullmatch("[a-z0-9][a-z0-9-]{0,39}", name) or name in (*names(), *programs):
            raise click.BadParameter(
                f"'{name}' cannot be its name: use small letters, digits and hyphens, and no name "
                "of another bot, as in club=python club_bot.py"
            )
        try:
            make(f"program:{program}", 0)
        except ValueError as problem:
            raise click.BadParameter(str(problem)) from None
        programs[name] = program
    return programs


def _networks(
    _ctx: click.Context, _option: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Return the addresses of proxies; each must be an IP address or a network."""
    for value in values:
        try:
            ipaddress.ip_network(value)
        except ValueError as problem:
            raise click.BadParameter(f"not an address of a proxy: {problem}") from None
    return values


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8765, show_default=True, type=options.WholeNumber(0, 65535))
@click.option(
    "--store",
    metavar="PATH|URL",
    help="An SQLite file or postgresql://...; by default a file in your data folder.",
)
@click.option("--public-url", metavar="URL", help="Where people reach it through a proxy.")
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    callback=_networks,
    metavar="ADDRESS",
    help="A proxy that is not on this machine, as an address or a network such as 172.30.0.0/16: "
    "people are told apart by the addresses that it passes on. Can be given more than once.",
)
@click.option(
    "--board",
    "boards",
    multiple=True,
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="A board of your own to offer; can be given more than once.",
)
@click.option(
    "--bot",
    "programs",
    multiple=True,
    callback=_programs,
    metavar="NAME=COMMAND",
    help="A program of your own that plays, under a name; can be given more than once.",
)
@click.pass_context
def command(
    ctx: click.Context,
    host: str,
    port: int,
    store: str | None,
    public_url: str | None,
    proxies: tuple[str, ...],
    boards: tuple[str, ...],
    programs: dict[str, str],
) -> None:
    """Serve games to people anywhere.

    A move that was accepted is in the store before anybody sees it. A port in use is an error.
    Ctrl-C and SIGTERM stop the server after what is being written.

    \b
    Examples:
      ferrovia serve
      ferrovia serve --host 0.0.0.0 --port 80 --store games.sqlite
      ferrovia serve --store postgresql://club@db/ferrovia
      ferrovia serve --public-url https://club.example/games
      ferrovia serve --host 0.0.0.0 --trusted-proxy 172.30.0.0/16
      ferrovia serve --bot "club=python club_bot.py"
    """
    from ferrovia.machine.browser_game import TO_DO
    from ferrovia.machine.compile import FOR_LEVELS
    from ferrovia.server import Settings
    from ferrovia.server.store import StoreInUse

    uncompiled = begins_uncompiled(ctx, FOR_LEVELS)
    if client_folder() is None:
        click.echo(f"The game for the browser is not built here: {TO_DO}.", err=True)
    settings = Settings(
        host=host,
        port=port,
        public_url=public_url,
        store=store,
        boards=boards,
        programs=programs,
        trusted_proxies=(*Settings().trusted_proxies, *proxies),
        web=client_folder(),
    )
    try:
        run(
            settings,
            uncompiled=uncompiled,
            next_free_port=False,
            ready=lambda address: click.echo(f"Serving {address}"),
        )
    except StoreInUse as problem:
        raise click.ClickException(str(problem)) from None
