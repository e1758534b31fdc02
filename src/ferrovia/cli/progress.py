"""Progress of long work: a bar on a terminal, plain lines elsewhere, always on stderr."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

_SOON = 1.0  # what takes less than this many seconds needs no progress
_LINE = 10.0  # between plain lines


class Progress:
    """Counts up to a total, and shows it once it takes longer than a second."""

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = total
        self.done = 0
        self._next = time.monotonic() + _SOON
        self._bar: Any = None
        self._task: Any = None

    def advance(self, count: int = 1) -> None:
        self.done += count
        if self._bar is not None:
            self._bar.update(self._task, completed=self.done)
        elif time.monotonic() >= self._next and self.done < self.total:
            self._show()

    def _show(self) -> None:
        if sys.stderr.isatty():
            self._open_bar()
        else:
            click.echo(f"{self.what}: {self.done} of {self.total}", err=True)
            self._next = time.monotonic() + _LINE

    def _open_bar(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task(self.what, total=self.total, completed=self.done)
        self._bar.start()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()


@contextmanager
def progress(what: str, total: int) -> Iterator[Progress]:
    """Show the progress of the block."""
    shown = Progress(what, total)
    try:
        yield shown
    finally:
        shown.close()


@contextmanager
def progress_of_steps(total: int) -> Iterator[Callable[[str], None]]:
    """Show slow steps by their names; the block calls what is yielded at the end of each."""
    places = iter(range(total))
    with bar_of_steps(total) as advance:
        if sys.stderr.isatty():
            yield advance
        else:
            yield lambda name: click.echo(f"  {next(places) + 1} of {total}: {name}", err=True)


@contextmanager
def bar_of_steps(total: int) -> Iterator[Callable[[str], None]]:
    """The same on a terminal; elsewhere nothing is shown."""
    if not sys.stderr.isatty():
        yield lambda name: None
        return
    places = iter(range(total))
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    with Bar(
        TextColumn("  {task.description:<10}"),
        BarColumn(),
        TextColumn("{task.completed} of {task.total}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("", total=total)
        yield lambda name: bar.update(task, description=name, completed=next(places) + 1)
