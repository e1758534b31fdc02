"""Files that people name: read with care, never more than a record can be."""

import os
from pathlib import Path

import click

from ferrovia.game import RecordError
from ferrovia.game.record import MAX_BYTES


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, and one more than a record may have at the most."""
    with path.open("rb") as stream:
        return stream.read(MAX_BYTES + 1)


def record_files(named: tuple[Path, ...]) -> list[Path]:
    """The files that are named, and the records in folders that are named."""
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


def place_and_reason(path: Path, problem: RecordError) -> tuple[str, str]:
    """Where a record is wrong, as file:line, and why."""
    reason = str(problem).removeprefix(f"line {problem.line}: ")
    return (str(path) if problem.line is None else f"{path}:{problem.line}"), reason
