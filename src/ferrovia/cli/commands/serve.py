"""ferrovia serve"""

import re
from urllib.parse import urlsplit

import click
import msgspec

from ferrovia.cli import options
from ferrovia.cli.server import client_folder, run
from ferrovia.cli.store_options import config


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
        if not program.strip():
            raise click.BadParameter(
                f"'{value}' names no program: give name and command, as club=python club_bot.py"
            )
        try:
            make(f"program:{program}", 0)
        except ValueError as problem:
            raise click.BadParameter(str(problem)) from None
        programs[name] = program
    return programs


def _words(
    _ctx: click.Context, _option: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Return what is given with commas, or more than once."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _address(_ctx: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """Return the address that people use; it must be one of the web, with a host."""
    parts = urlsplit(value or "https://club.example/")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise click.BadParameter(f"'{value}' is no address such as https://club.example/games")
    return value


@click.command()
@config
@click.option("--host", help="The address to listen on.  [default: 127.0.0.1]")
@click.option("--port", type=options.WholeNumber(0, 65535), help="[default: 8765]")
@click.option(
    "--store",
    metavar="PATH|URL",
    help="An SQLite file or postgresql://...; by default a file in your data folder.",
)
@click.option(
    "--public-url",
    callback=_address,
    metavar="URL",
    help="Where people reach it through a proxy.",
)
@click.option(
    "--trusted-proxies",
    "--trusted-proxy",
    "proxies",
    multiple=True,
    callback=_words,
    metavar="ADDRESSES",
    help="Proxies that are not on this machine, as addresses or networks such as 172.30.0.0/16, "
    "with commas: people are told apart by the addresses that they pass on.",
)
@click.option(
    "--metrics-address",
    metavar="HOST:PORT",
    help="Serve metrics and health there as well, apart from the game.",
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
def command(
    config: str | None,
    host: str | None,
    port: int | None,
    store: str | None,
    public_url: str | None,
    proxies: tuple[str, ...],
    metrics_address: str | None,
    boards: tuple[str, ...],
    programs: dict[str, str],
) -> None:
    """Serve games to people anywhere.

    An accepted move is in the store before anybody sees it. A port in use is an error. Ctrl-C and
    SIGTERM stop the server once the current writes are done. Every setting can also be given in a
    file or in the environment, as FERROVIA_PORT; ferrovia doctor --settings prints them all.

    \b
    Examples:
      ferrovia serve
      ferrovia serve --host 0.0.0.0 --port 80 --store games.sqlite
      ferrovia serve --store postgresql://club@db/ferrovia
      ferrovia serve --public-url https://club.example/games
      ferrovia serve --host 0.0.0.0 --trusted-proxies 172.30.0.0/16
      ferrovia serve --metrics-address 127.0.0.1:9464
      ferrovia serve --bot "club=python club_bot.py"
    """
    from ferrovia.machine.browser_game import TO_DO
    from ferrovia.server import Settings
    from ferrovia.server.configuration import ConfigurationError, configure
    from ferrovia.server.store import StoreInUse

    given = {
        "host": host,
        "port": port,
        "public_url": public_url,
        "store": store,
        "trusted_proxies": (*Settings().trusted_proxies, *proxies) if proxies else None,
        "metrics_address": metrics_address,
        "boards": boards or None,
        "programs": programs or None,
    }
    try:
        settings = configure(given, config).settings
    except ConfigurationError as problem:
        raise click.UsageError(str(problem)) from None
    for board in settings.boards:
        options.load_edition(board)  # what is wrong with it is said before anything starts
    if settings.web is None:
        settings = msgspec.structs.replace(settings, web=client_folder())
    if settings.web is None:
        click.echo(f"The game for the browser is not built here: {TO_DO}.", err=True)
    try:
        run(
            settings,
            next_free_port=False,
            ready=lambda address: click.echo(f"Serving {address}"),
        )
    except StoreInUse as problem:
        raise click.ClickException(str(problem)) from None
