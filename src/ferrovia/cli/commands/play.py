"""ferrovia play"""

import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ferrovia.cli import options
from ferrovia.cli.compile import ensure_compiled
from ferrovia.cli.files import check_new
from ferrovia.cli.server import client_folder, run

if TYPE_CHECKING:
    from ferrovia.game import Game


@click.command()
@click.argument("edition", default="europe")
@click.option("--text", is_flag=True, help="Play as text in this terminal.")
@click.option(
    "--bots",
    callback=options.words,
    default="greedy",
    show_default=True,
    metavar="NAMES",
    help="Your opponents, separated by commas.",
)
@click.option("--name", default="Player", show_default=True, help="Your name in the record.")
@click.option(
    "--record",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the record of the game to this file at the end.",
)
@click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535))
@click.option("--no-browser", is_flag=True, help="Print the address, but open no browser.")
@options.seed
@options.extras
def command(
    edition: str,
    text: bool,
    bots: tuple[str, ...],
    name: str,
    file: Path | None,
    port: int,
    no_browser: bool,
    seed: int | None,
    extras: tuple[str, ...],
) -> None:
    """Play in the browser, or as text in the terminal.

    In the browser everything is chosen on the page, and friends join by a link; if the port is in
    use, the next free one is taken. The options other than --port and --no-browser are for the
    text game, in which you can type help. EDITION is the name of one (see ferrovia boards list) or
    the path of a board file.

    \b
    Examples:
      ferrovia play
      ferrovia play --text
      ferrovia play --text usa --bots greedy,random --name Ada
      ferrovia play --text europe --seed 7 --record game.jsonl
    """
    if not text and client_folder() is not None:
        _play_in_browser(port, no_browser)
        return

    from ferrovia.bots import make
    from ferrovia.game import Game
    from ferrovia.machine.compile import FOR_PLAY, for_bots
    from ferrovia.terminal.text_game import Left, TextGame

    loaded = options.load_edition(edition, extras)
    try:
        loaded.check_seats(len(bots) + 1)
    except ValueError as problem:
        fewest, most = loaded.seats
        hint = f"name {fewest - 1} to {most - 1} bots"
        raise click.UsageError(f"{problem}: {hint}") from None
    if file is not None:
        check_new(file)
    chosen = secrets.randbits(256) if seed is None else seed
    try:
        seated = {seat: make(bot, chosen) for seat, bot in enumerate(bots, start=1)}
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None
    if not text:
        click.echo("The game in the browser is not built here: this is the text game.", err=True)
    ensure_compiled((*FOR_PLAY, *for_bots(bots)))
    game = Game(loaded, [name, *(f"bot:{bot}" for bot in bots)], seed=chosen)
    table = TextGame(game, 0, seated, [name, *map(str.capitalize, bots)], _ask, click.echo)
    try:
        table.play()
    except Left:
        click.echo("You leave the game.")
    except KeyboardInterrupt:
        if file is not None:
            _save(game, file)
        raise
    _save(game, file)


def _play_in_browser(port: int, no_browser: bool) -> None:
    from ferrovia.server import Settings

    def ready(address: str) -> None:
        click.echo(f"Ferrovia is at {address} (Ctrl-C ends it; games are kept)")
        if not no_browser:
            click.launch(address)

    run(Settings(port=port, web=client_folder()), next_free_port=True, ready=ready)


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
