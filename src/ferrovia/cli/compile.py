"""Compiling the rules before a command that needs them, with progress on stderr."""

import time
from collections.abc import Sequence

import click

from ferrovia.cli.interrupts import never_swallowed
from ferrovia.cli.progress import bar_of_steps


def ensure_compiled(names: Sequence[str]) -> None:
    """Compile what is not in the cache yet: with a bar on a terminal, elsewhere in two lines."""
    from ferrovia.machine.compile import compile_missing, not_compiled
    from ferrovia.rules.compiler import cache_folder

    missing = not_compiled(names)
    if not missing:
        return
    once = "once on this machine" if cache_folder() else "every time, as nothing can be kept"
    click.echo(f"Compiling the rules ({once})...", err=True)
    if not cache_folder():
        click.echo("note: no cache folder can be written (see ferrovia doctor)", err=True)
    began = time.perf_counter()
    with bar_of_steps(len(missing)) as show, never_swallowed() as look:

        def done(name: str) -> None:
            look()
            show(name)

        compile_missing(missing, done)
    click.echo(f"Compiled in {time.perf_counter() - began:.0f} s.", err=True)
