"""The screen in the terminal, which needs the extra `terminal`: for `terminal` and `replay`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ferrovia.cli.files import read_record, wrong_line

if TYPE_CHECKING:
    from textual.app import App


def require_textual() -> None:
    """Raise MissingExtra where Textual is not installed."""
    from ferrovia.errors import MissingExtra

    try:
        import textual  # noqa: F401
    except ImportError as problem:
        raise MissingExtra("terminal", problem) from None


def run_screen(app: "App[None]") -> None:
    """Run an app in the terminal; UsageError where there is none."""
    # Textual reads from the one and draws on the other.
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr)):
        raise click.UsageError(
            "the screen needs a terminal, as its input and as its standard error"
        )
    app.run()


def watch_record(path: Path) -> None:
    """Show a record on the screen; one that the rules do not prove is refused with the reason."""
    from ferrovia.game import Game, RecordError
    from ferrovia.terminal.app.app import FilmApp
    from ferrovia.terminal.app.film import RecordedGame

    try:
        game = Game.from_record(read_record(path))
    except RecordError as problem:
        click.echo(wrong_line(path, problem))
        sys.exit(1)
    run_screen(FilmApp(RecordedGame(game)))
