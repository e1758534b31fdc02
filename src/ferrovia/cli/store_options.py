"""What `store` and `tables` share: the option, opening, and how a store fails."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ferrovia.errors import FerroviaError

if TYPE_CHECKING:
    from ferrovia.server.store import Archive
    from ferrovia.server.store.interface import Mode

F = TypeVar("F", bound=Callable[..., Any])

STATES = ("waiting", "running", "over")

_UNITS = {"h": 3600.0, "d": 86400.0, "w": 7 * 86400.0, "y": 365 * 86400.0}

store = click.option(
    "--store",
    metavar="PATH|URL",
    help="An SQLite file or postgresql://...; by default that of the server's settings.",
)


def states(default: tuple[str, ...]) -> Callable[[F], F]:
    """Return the option that chooses tables by state."""
    return click.option(
        "--state",
        "states",
        multiple=True,
        type=click.Choice(STATES),
        default=default,
        show_default=True,
        help="Tables in this state; can be given more than once.",
    )


def age(_ctx: click.Context, _option: click.Parameter, value: str | None) -> float | None:
    """Return the moment that lies so long back, as the callback of an option: 12h, 90d, 8w, 1y."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,6})([hdwy])", value)
    if match is None:
        raise click.BadParameter(f"'{value}' is not an age such as 12h, 90d, 8w or 1y")
    return time.time() - int(match[1]) * _UNITS[match[2]]


def configured(address: str | None) -> str | None:
    """Return the address of a store: the one that was typed, or that of the server's settings;
    None is the file in the user's data folder.
    """
    if address is not None:
        return address
    from ferrovia.server.configuration import configure

    return configure({}).settings.store


@contextmanager
def explained() -> Iterator[None]:
    """Turn the errors of stores and tables into errors of one line."""
    try:
        yield
    except FerroviaError as problem:
        raise click.ClickException(str(problem)) from None


@contextmanager
def opened(address: str | None, mode: "Mode") -> Iterator["Archive"]:
    """Open a store that exists, for a command; this also works while its server runs."""
    from ferrovia.server.store.address import open_archive

    with explained():
        found = open_archive(configured(address), mode)
        try:
            yield found
        finally:
            found.close()


def when(seconds: float) -> str:
    """Return a time as people read it, in their own time zone."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
