"""The records of a run as files, one a game."""

from pathlib import Path

from ferrovia.atomic_files import write_atomic
from ferrovia.game import Game


def file_name(edition: str, players: int, run: int, game: int) -> str:
    """Return the name of a game's record, such as europe-4p-seed7-000123.jsonl."""
    return f"{_of_run(edition, players, run)}{game:06}.jsonl"


def recorded(folder: Path, edition: str, players: int, run: int) -> set[int]:
    """Return the games of a run whose records are in a folder."""
    start = _of_run(edition, players, run)
    numbers = [path.stem.removeprefix(start) for path in folder.glob(f"{start}*.jsonl")]
    return {int(number) for number in numbers if number.isdecimal()}


def write_record(path: Path, game: Game) -> None:
    """Write the record of a game."""
    write_atomic(path, game.record().text())


def _of_run(edition: str, players: int, run: int) -> str:
    return f"{edition}-{players}p-seed{run}-"
