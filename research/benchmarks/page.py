"""The benchmark page: what this machine reaches, measured now, as Markdown."""

import os
import platform
from collections.abc import Callable, Iterable
from pathlib import Path

from research.benchmarks import bots, environments, kernel, python

Section = Callable[[], list[str]]


def sections(*more: Section, quick: bool = False) -> tuple[Section, ...]:
    """Return what is measured without a GPU: all of it, with `more` of a layer above, or in
    seconds the rules and the batches alone.
    """
    if quick:
        return kernel.random_play, kernel.functions, python.from_python, environments.some_batches
    return (
        kernel.random_play,
        kernel.functions,
        bots.scripts,
        bots.search,
        python.from_python,
        environments.batches,
        environments.pettingzoo,
        environments.net,
        environments.runs,
        *more,
    )


def page(parts: Iterable[Section], done: Callable[[str], None] = lambda name: None) -> str:
    """Return the figures of these sections; `done` is called with the name of each at its end."""
    lines = ["# Benchmarks", "", f"Printed by `make bench` on {_machine()}.", ""]
    for section in parts:
        lines += section()
        done(section.__name__.replace("_", " "))
    return "\n".join(lines)


def _machine() -> str:
    """Return the machine in a few words."""
    cpu = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                cpu = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    return f"{cpu}, {os.cpu_count()} cores, Python {platform.python_version()}"
