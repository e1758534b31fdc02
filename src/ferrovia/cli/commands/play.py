"""ferrovia play"""

import logging
import os
import secrets
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ferrovia.cli import options, runs
from ferrovia.cli.files import check_new
from ferrovia.cli.new_table import NewTable, link_to, open_at_running_server
from ferrovia.cli.server import client_folder, open_browser, run
from ferrovia.languages import LANGUAGES

if TYPE_CHECKING:
    from ferrovia.game import Game

_OF_A_TABLE = ("edition", "bots", "name", "seed", "extras")


@click.command()
@click.argument("edition", default="europe")
@click.option("--text", is_flag=True, help="Play as text in this terminal.")
@options.bots(
    "Your opponents, separated by commas: bots, or levels such as conductor.",
    default="greedy",
    show_default=True,
)
@options.name
@click.option(
    "--record",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the record of a text game to this file at the end.",
)
@click.option("--port", default=8765, show_default=True, type=options.WholeNumber(0, 65535))
@click.option("--lan", is_flag=True, help="Let other devices in your network join.")
@click.option("--no-browser", is_flag=True, help="Print the address, but open no browser.")
@click.option(
    "--language",
    type=click.Choice(LANGUAGES, case_sensitive=False),
    help="The language of the page.",
)
@click.option("--store", metavar="PATH", help="Where games are kept, instead of your data folder.")
@options.seed
@options.extras
@click.pass_context
def command(
    ctx: click.Context,
    edition: str,
    text: bool,
    bots: tuple[str, ...],
    name: str,
    file: Path | None,
    port: int,
    lan: bool,
    no_browser: bool,
    language: str | None,
    store: str | None,
    seed: int | None,
    extras: tuple[str, ...],
) -> None:
    """Play in the browser, or as text in the terminal.

    EDITION is the name of one (see ferrovia boards list) or the path of a board file. With an
    edition, bots, a name, a seed or packs that table is opened, ready to play; without them
    everything is chosen on the page. Friends join tables that are set up there by a link. If the
    port is in use, the next free one is taken. In the text game you can type help.

    \b
    Examples:
      ferrovia play
      ferrovia play usa --bots conductor,driver --name Ada
      ferrovia play ./my-board.json --language es
      ferrovia play --lan
      ferrovia play --text
      ferrovia play --text usa --bots greedy,random --name Ada
      ferrovia play --text europe --seed 7 --record game.jsonl
    """

    runs.find_own_modules()
    in_browser = not text and client_folder() is not None
    table = NewTable(edition, bots, name, seed, extras)
    if in_browser:
        if file is not None:
            raise click.UsageError(
                "--record is for the text game (--text); in the browser the record is in the menu"
            )
        given = any(
            ctx.get_parameter_source(parameter) is not click.core.ParameterSource.DEFAULT
            for parameter in _OF_A_TABLE
        )
        _play_in_browser(
            table if given else None,
            port,
            no_browser,
            language,
            store,
            lan=lan,
        )
        return
    if text and language not in (None, "en"):
        raise click.UsageError("the text game is in English: --language is for the browser")
    if text and lan:
        raise click.UsageError("the text game is for this terminal: --lan is for the browser")
    if file is not None:
        check_new(file)
    if not text:
        click.echo("The game in the browser is not built here: this is the text game.", err=True)
    _play_as_text(table, file)


def _play_as_text(table: NewTable, file: Path | None) -> None:
    from ferrovia.bots.plugins import bring
    from ferrovia.game import Game
    from ferrovia.terminal.text_game import PlayerLeft, TextGame

    seed = secrets.randbits(256) if table.seed is None else table.seed
    seated = {seat: bring(bot, seed) for seat, bot in enumerate(table.bots, start=1)}
    names = [table.name, *(f"bot:{bot}" for bot in table.bots)]
    game = Game(table.edition, names, seed=seed)
    shown = [table.name, *map(str.capitalize, table.bots)]
    playing = TextGame(game, 0, seated, shown, _ask, click.echo, _width())
    try:
        playing.play()
    except PlayerLeft:
        click.echo("You leave the game.")
    except KeyboardInterrupt:
        if file is not None:
            _save(game, file)
        raise
    _save(game, file)


def _width() -> int:
    """Return the width of the terminal; in a pipe the usual one, so that texts stay the same."""
    from ferrovia.terminal.screens import WIDTH

    return shutil.get_terminal_size().columns - 1 if sys.stdout.isatty() else WIDTH


def _play_in_browser(
    table: NewTable | None,
    port: int,
    no_browser: bool,
    language: str | None,
    store: str | None,
    *,
    lan: bool,
) -> None:
    from ferrovia.server import Settings
    from ferrovia.server.store import StoreInUse

    def show(address: str) -> None:
        link = link_to(address, table, language)
        click.echo(f"Ferrovia is at {link} (Ctrl-C ends it; games are kept)")
        if not no_browser:
            open_browser(link)

    settings = Settings(
        host="0.0.0.0" if lan else "127.0.0.1",
        port=port,
        web=client_folder(),
        store=None if store is None else os.path.abspath(store) if "://" not in store else store,
        boards=() if table is None else table.boards,
        packs=() if table is None else table.packs,
        bots=() if table is None else table.own_bots,
    )
    try:
        run(
            settings,
            next_free_port=True,
            ready=show,
            opening=None if table is None else table.opening(),
            log_level=logging.WARNING,
        )
    except StoreInUse as problem:
        if problem.address is None:
            raise click.ClickException(str(problem)) from None
        address = problem.address
        if table is not None:
            address = open_at_running_server(address, table, str(problem))
        link = link_to(address, table, language)
        click.echo(f"Ferrovia is running already: {link}")
        if not no_browser:
            open_browser(link)


def _save(game: "Game", file: Path | None) -> None:
    """Write the record; a person at a terminal is asked for a file until one can be written."""
    from ferrovia.lab.run.records import write_record

    while True:
        if file is None and sys.stdin.isatty():
            named = _ask("Save the record of the game? A file name, or Enter for no: ")
            file = Path(named.strip()) if named and named.strip() else None
        if file is None:
            return
        try:
            check_new(file)
            write_record(file, game)
        except (OSError, click.UsageError) as problem:
            if not sys.stdin.isatty():
                raise
            click.echo(str(problem))
            file = None
        else:
            click.echo(f"The record is in {file}.")
            return


def _ask(prompt: str) -> str | None:
    """Return a line of input, or None at its end; what comes from a pipe is echoed."""
    if sys.stdin.isatty():
        try:
            return input(prompt)
        except EOFError:
            click.echo()
            return None
    line = sys.stdin.readline()
    if not line:
        return None
    click.echo(prompt + line.rstrip("\n"))
    return line
