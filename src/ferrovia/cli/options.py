"""Options and arguments that several commands share."""

import json
import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ferrovia import boards
from ferrovia.boards import Edition

F = TypeVar("F", bound=Callable[..., Any])
_WORDS = re.compile(r"""(?:[^,'"]|'[^']*'|"[^"]*"|['"])+""")


def words(_ctx: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    """Return the words of a list with commas, as the callback of an option.

    A comma between quotes belongs to its word, and so do the quotes.
    """
    return tuple(word.strip() for word in _WORDS.findall(value) if word.strip())


_TOO_LONG_TO_SAY = 10**6


class WholeNumber(click.IntRange):
    """A whole number between two others, refused in plain words."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            end = (
                f"from {self.min} to {self.max}" if self.max is not None else f"from {self.min} on"
            )
            self.fail(f"'{value}' is not a whole number {end}", param, ctx)

    def _describe_range(self) -> str:
        """Return the range as the help shows it, where it is worth showing."""
        far = self.max is None or self.max > _TOO_LONG_TO_SAY
        return "" if far else f"{self.min} to {self.max}"


class Seconds(click.FloatRange):
    """A time in seconds, refused in plain words."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            seconds = super().convert(value, param, ctx)
        except click.BadParameter:
            seconds = math.nan
        if not math.isfinite(seconds):
            self.fail(f"'{value}' is not a number of seconds, {self.min} or more", param, ctx)
        return seconds

    def _describe_range(self) -> str:
        return ""


def bots(help: str, **kind: Any) -> Callable[[F], F]:
    """Return the option that names bots; `kind` has its default, or that it is required."""
    return click.option("--bots", callback=words, metavar="NAMES", help=help, **kind)


name = click.option("--name", default="Player", show_default=True, help="Your name.")

as_json = click.option("--json", "as_json", is_flag=True, help="Write JSON for a program.")

seed = click.option(
    "--seed",
    type=WholeNumber(0, 2**63 - 1),
    metavar="S",
    help="A whole number; the same seed plays the same games. By default a new one.",
)

extras = click.option(
    "--extras",
    callback=words,
    default="",
    metavar="PACKS",
    help="Ticket packs, separated by commas.",
)

workers = click.option(
    "--workers",
    type=WholeNumber(1, 1024),
    default=1,
    show_default=True,
    help="Processes to play in; results do not depend on it.",
)

ray = click.option(
    "--ray",
    metavar="ADDRESS",
    help="Play on this Ray cluster instead; `local` starts one here.",
)

out = click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep the results: a run that can be continued (.run), or a table (.parquet or .csv) "
    "with the run beside it.",
)

verbose = click.option(
    "--verbose", is_flag=True, help="Show the whole traceback when a bot of your own fails."
)

resume = click.option("--continue", "resume", is_flag=True, help="Continue the run in this file.")


def load_edition(name: str, extras: tuple[str, ...] = ()) -> Edition:
    """Return a built-in edition by its id, in any case, or that of a board file, with packs."""
    if not name.strip():
        raise click.UsageError("the edition has no name: ferrovia boards list has all of them")
    return boards.load_edition(name if os.path.exists(name) else name.lower(), extras)


def write_json(value: Any) -> None:
    """Write a value as one JSON document."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))
