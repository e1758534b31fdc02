"""Options and arguments that several commands share."""

import json
import os
import re
from typing import Any

import click

from ferrovia.boards import Edition, edition

_WORDS = re.compile(r"""(?:[^,'"]|'[^']*'|"[^"]*"|['"])+""")


def words(_ctx: click.Context, _option: click.Parameter, value: str) -> tuple[str, ...]:
    """Several words with commas between them, as the callback of an option.

    A comma between quotes belongs to its word, and so do the quotes.
    """
    return tuple(word.strip() for word in _WORDS.findall(value) if word.strip())


as_json = click.option("--json", "as_json", is_flag=True, help="Write JSON for a program.")

seed = click.option(
    "--seed",
    type=click.IntRange(0, 2**63 - 1),
    metavar="S",
    help="A whole number; the same one gives the same games. Without it: a new one.",
)

extras = click.option(
    "--extras",
    callback=words,
    default="",
    metavar="PACKS",
    help="Ticket packs, with commas between.",
)


def load_edition(name: str, extras: tuple[str, ...] = ()) -> Edition:
    """A built-in edition by its id, in any case, or that of a board file, with ticket packs."""
    return edition(name if os.path.exists(name) else name.lower(), extras)


def write_json(value: Any) -> None:
    """Write a value as one JSON document."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))
