"""Files that are written whole or not at all, whatever interrupts the writing."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def atomic(path: Path) -> Iterator[Path]:
    """Yield where to write a file; at the end of the block it gets its name, or is removed if the
    block fails.
    """
    unfinished = path.with_name(f".{path.name}{_unfinished(os.getpid())}")
    try:
        yield unfinished
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise


def write_atomic(path: Path, text: str) -> None:
    """Write a text; an interruption leaves no half of it under its name."""
    with atomic(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")


def discard_unfinished(folder: Path | None, process: int) -> None:
    """Remove the unfinished files of a process that was ended."""
    if folder is not None:
        for path in folder.glob(f".*{_unfinished(process)}"):
            path.unlink(missing_ok=True)


def _unfinished(process: int) -> str:
    return f".{process}.unfinished"
