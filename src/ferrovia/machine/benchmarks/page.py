"""The benchmark page: what this machine reaches, measured now, as Markdown."""

import os
import platform
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from ferrovia.machine.benchmarks import bots, kernel, python

Section = Callable[[], list[str]]


def page(*more: Section) -> str:
    """Return all figures that need no GPU; `more` are sections that a layer above measures."""
    sections: tuple[Section, ...] = (
        kernel.random_play,
        kernel.functions,
        bots.scripts,
        bots.search,
        python.from_python,
        *more,
    )
    lines = ["# Benchmarks", "", f"Printed by `ferrovia bench` (`make bench`) on {_machine()}.", ""]
    for section in sections:
        lines += section()
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
    return (
        f"{cpu}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"Numba {version('numba')}"
    )
