"""ferrovia edit"""

import logging
import os
from pathlib import Path

import click

from ferrovia.cli import options
from ferrovia.cli.server import client_folder, open_browser, run
from ferrovia.machine.browser_game import TO_DO


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--port", default=8765, show_default=True, type=options.WholeNumber(0, 65535))
@click.option("--no-browser", is_flag=True, help="Print the address, but open no browser.")
@click.option("--store", metavar="PATH", help="Where games are kept, instead of your data folder.")
def command(file: Path, port: int, no_browser: bool, store: str | None) -> None:
    """Edit a board file of your own in the browser.

    What you change on the page is in FILE a moment later, and what another program writes there is
    on the page. A file that does not exist yet is made with the first change.

    \b
    Examples:
      ferrovia edit ./my-board.json
    """
    from ferrovia.server import Settings
    from ferrovia.server.store import StoreInUse

    folder = client_folder()
    if folder is None:
        raise click.ClickException(f"The workshop in the browser is not built here: {TO_DO}.")
    if not file.absolute().parent.is_dir():
        raise click.UsageError(f"{file}: there is no such folder")

    def show(address: str) -> None:
        link = f"{address}#/editor/file"
        click.echo(f"{file} is at {link} (Ctrl-C ends it)")
        if not no_browser:
            open_browser(link)

    settings = Settings(
        port=port,
        web=folder,
        store=None if store is None else os.path.abspath(store),
        edited=os.path.abspath(file),
    )
    try:
        run(settings, next_free_port=True, ready=show, log_level=logging.WARNING)
    except StoreInUse as problem:
        raise click.ClickException(str(problem)) from None
