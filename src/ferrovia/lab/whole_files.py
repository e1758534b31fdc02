"""Files that are whole or not there at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Where to write a file that gets its name at the end of the block; nothing if it fails."""
    unfinished = path.with_name(f".{path.name}{_unfinished(os.getpid())}")
    try:
        yield unfinished
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def write_whole(path: Path, text: str) -> None:
    """Write a text; an interruption leaves no half of it under its name."""
    with whole(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")


def discard_unfinished(folder: Path | None, process: int) -> None:
    """Remove what a process that was ended had just begun to write."""
    if folder is not None:
        for path in folder.glob(f".*{_unfinished(process)}"):
            path.unlink(missing_ok=True)


def _unfinished(process: int) -> str:
    return f".{process}.unfinished"
