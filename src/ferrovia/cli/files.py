"""Files that people name on the command line."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ferrovia.game import RecordError


def check_folder(path: Path | None) -> None:
    """Check that the folder of a file exists, before hours of play; UsageError if not."""
    if path is not None and not path.absolute().parent.is_dir():
        raise click.UsageError(f"there is no folder {path.parent}")


def check_suffix(path: Path | None, *suffixes: str) -> None:
    """Check that a file to be written has one of these suffixes, in any case; or UsageError."""
    if path is not None and path.suffix.lower() not in suffixes:
        raise click.UsageError(f"{path} must end in {_either(suffixes)}")


def _either(words: tuple[str, ...]) -> str:
    """Return words as a choice: a, b or c."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def check_new(path: Path) -> None:
    """Check that a file can be written and does not exist yet; UsageError if not."""
    if path.exists():
        raise click.UsageError(f"{path} exists already: name another file")
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise click.UsageError(f"nothing can be written to {path.parent}")


def record_files(named: tuple[Path, ...]) -> list[Path]:
    """Return the files that are named, and the records in folders that are named."""
    found: list[Path] = []
    for path in named:
        if not path.is_dir():
            found.append(path)
            continue
        inside = sorted(file for file in path.glob("*.jsonl") if file.is_file())
        if not inside:
            raise click.UsageError(f"there are no records (*.jsonl) in {path}{os.sep}")
        found += inside
    return found


def read_record(path: Path) -> bytes:
    """Return the bytes of a file, but at most one more than a record may have."""
    from ferrovia.game.records.record import MAX_BYTES

    with path.open("rb") as stream:
        return stream.read(MAX_BYTES + 1)


def wrong_line(path: Path, problem: "RecordError") -> str:
    """Return the line that says where a record is wrong, and why."""
    return ": WRONG: ".join(place_and_reason(path, problem))


def place_and_reason(path: Path, problem: "RecordError") -> tuple[str, str]:
    """Return where a record is wrong, as file:line, and why."""
    reason = str(problem).removeprefix(f"line {problem.line}: ")
    return (str(path) if problem.line is None else f"{path}:{problem.line}"), reason
