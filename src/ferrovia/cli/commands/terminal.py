"""ferrovia terminal"""

import secrets
from pathlib import Path

import click

from ferrovia.cli import options, runs
from ferrovia.cli.screen import require_textual, run_screen, watch_record


@click.command()
@click.argument("what", default="europe", metavar="[EDITION | LINK | RECORD]")
@options.bots(
    "Your opponents in a game here, separated by commas.", default="greedy", show_default=True
)
@options.name
@click.option("--watch", is_flag=True, help="Watch a table, without a seat.")
@options.seed
@options.extras
def command(
    what: str,
    bots: tuple[str, ...],
    name: str,
    watch: bool,
    seed: int | None,
    extras: tuple[str, ...],
) -> None:
    """Play on a screen in the terminal.

    It has the map in letters, your hand, tickets and log.

    With an edition you play here against bots; with the link of a table you join it; with a
    record you watch it. Needs the extra `terminal`.

    \b
    Examples:
      ferrovia terminal
      ferrovia terminal usa --bots conductor,driver --name Ada
      ferrovia terminal https://club.example/table/kKx2
      ferrovia terminal game.jsonl
    """
    require_textual()
    if what.startswith(("http://", "https://")):
        _join(what, None if watch else name)
    elif what.endswith(".jsonl") or (Path(what).is_file() and not what.endswith(".json")):
        watch_record(Path(what))
    else:
        _play(what, bots, name, seed, extras)


def _join(link: str, name: str | None) -> None:
    from ferrovia.terminal.app.app import TerminalApp
    from ferrovia.terminal.app.remote import RemoteTable, TableLink

    run_screen(TerminalApp(RemoteTable(TableLink(link), name)))


def _play(
    what: str, bots: tuple[str, ...], name: str, seed: int | None, extras: tuple[str, ...]
) -> None:
    from ferrovia.boards import load_edition
    from ferrovia.bots.plugins import bring
    from ferrovia.game import Game
    from ferrovia.terminal.app.app import TerminalApp
    from ferrovia.terminal.app.local import LocalGame

    runs.find_own_modules()
    edition = load_edition(what, extras)
    chosen = secrets.randbits(256) if seed is None else seed
    seated = {seat: bring(bot, chosen) for seat, bot in enumerate(bots, start=1)}
    game = Game(edition, [name, *(f"bot:{bot}" for bot in bots)], seed=chosen)
    table = LocalGame(game, 0, seated, [name, *map(str.capitalize, bots)])
    run_screen(TerminalApp(table))
