"""The screen in the terminal, which needs the extra `terminal`: for `terminal` and `replay`."""

from pathlib import Path

from ferrovia.cli.compile import ensure_compiled
from ferrovia.cli.files import read_record


def require_textual() -> None:
    """Raise MissingExtra where Textual is not installed."""
    from ferrovia.errors import MissingExtra

    try:
        import textual  # noqa: F401
    except ImportError as problem:
        raise MissingExtra("terminal", problem) from None


def watch_record(path: Path) -> None:
    """Show a record on the screen."""
    from ferrovia.game import Game
    from ferrovia.machine.compile import FOR_REPLAY
    from ferrovia.terminal.app.app import FilmApp
    from ferrovia.terminal.app.film import Film

    ensure_compiled(FOR_REPLAY)
    FilmApp(Film(Game.from_record(read_record(path)))).run()
