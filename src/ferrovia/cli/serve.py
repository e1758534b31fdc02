"""ferrovia serve"""

import click

from ferrovia.cli.serving import client_folder, run


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--store",
    metavar="PATH|URL",
    help="An SQLite file or postgresql://...; without it a file in your data folder.",
)
@click.option("--public-url", metavar="URL", help="Where people reach it through a proxy.")
@click.option(
    "--board",
    "boards",
    multiple=True,
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="A board of your own to offer; may be given more than once.",
)
def command(
    host: str, port: int, store: str | None, public_url: str | None, boards: tuple[str, ...]
) -> None:
    """Serve games to people anywhere.

    A move that was accepted is in the store before anybody is told of it. A taken port is an
    error. Ctrl-C and SIGTERM end it after what is being written.

    \b
    Examples:
      ferrovia serve
      ferrovia serve --host 0.0.0.0 --port 80 --store games.sqlite
      ferrovia serve --store postgresql://club@db/ferrovia
      ferrovia serve --public-url https://club.example/games
    """
    from ferrovia.server import Settings

    settings = Settings(
        host=host,
        port=port,
        public_url=public_url,
        store=store,
        boards=boards,
        web=client_folder(),
    )
    run(settings, next_free_port=False, ready=lambda address: click.echo(f"Serving {address}"))
