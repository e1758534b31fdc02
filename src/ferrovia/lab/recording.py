"""Records of simulated games as files: one a game, whole or not there at all."""

import os
from contextlib import suppress
from pathlib import Path

from ferrovia.game import Game


def file_name(edition: str, players: int, run: int, game: int) -> str:
    """The name of a game's record, such as europe-4p-seed7-000123.jsonl."""
    return f"{_of_run(edition, players, run)}{game:06}.jsonl"


def recorded(folder: Path, edition: str, players: int, run: int) -> set[int]:
    """The games of a run whose records are in a folder."""
    start = _of_run(edition, players, run)
    numbers = [path.stem.removeprefix(start) for path in folder.glob(f"{start}*.jsonl")]
    return {int(number) for number in numbers if number.isdecimal()}


def write_record(path: Path, game: Game) -> None:
    """Write the record of a game; an interruption leaves no half of it under its name."""
    unfinished = path.with_name(f".{path.name}{_unfinished(os.getpid())}")
    try:
        unfinished.write_text(game.record().text(), encoding="utf-8", newline="\n")
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def discard_unfinished(folder: Path | None, process: int) -> None:
    """Remove what a process that was ended had just begun to write."""
    if folder is not None:
        for path in folder.glob(f".*{_unfinished(process)}"):
            path.unlink(missing_ok=True)


def _of_run(edition: str, players: int, run: int) -> str:
    return f"{edition}-{players}p-seed{run}-"


def _unfinished(process: int) -> str:
    return f".{process}.unfinished"
