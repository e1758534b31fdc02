"""What `store` and `tables` share: the option, opening, and how a store fails."""

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

config = click.option(
    "--config",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Settings in TOML; by default server.toml in your configuration folder, if it is there.",
)

STATES = ("waiting", "running", "over")

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
    from ferrovia.server.store.maintenance.prune import seconds_of

    try:
        return time.time() - seconds_of(value)
    except ValueError as problem:
        raise click.BadParameter(str(problem)) from None


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
