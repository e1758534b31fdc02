"""The table that `play` is to open: checked before anything starts, then opened in the browser."""

import os
import urllib.error
import urllib.request
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

import click

from ferrovia.cli import options

if TYPE_CHECKING:
    from ferrovia.server import Opening
    from ferrovia.server.protocol.from_client import CreateTable

_SECONDS = 10.0


class NewTable:
    """A person and their bots at an edition; UsageError or BoardError if something is wrong with
    it.
    """

    def __init__(
        self,
        edition: str,
        bots: tuple[str, ...],
        name: str,
        seed: int | None,
        extras: tuple[str, ...],
    ) -> None:
        from ferrovia.bots.plugins import bring
        from ferrovia.server.refusals import Refusal
        from ferrovia.server.table.names import checked_name

        self.edition = options.load_edition(edition, extras)
        self.boards = _files((edition,))
        self.packs = _files(extras)
        try:
            self.edition.check_seats(len(bots) + 1)
        except ValueError as problem:
            fewest, most = self.edition.seats
            hint = f"name {fewest - 1} to {most - 1} bots"
            raise click.UsageError(f"{problem}: {hint}") from None
        try:
            for bot in bots:
                bring(bot, 0)
        except ValueError as problem:
            raise click.UsageError(str(problem)) from None
        self.bots = bots
        try:
            self.name = checked_name(name)
        except Refusal as refusal:
            raise click.UsageError(f"--name: {refusal.detail}") from None
        self.seed = seed

    @cached_property
    def token(self) -> str:
        """The secret that holds the person's seat."""
        from ferrovia.server.table.tokens import new_token

        return new_token()

    @property
    def own_bots(self) -> tuple[str, ...]:
        """The bots that not every server has: with options, or brought by the person."""
        from ferrovia.bots import names

        return tuple(bot for bot in self.bots if bot not in names())

    @property
    def is_plain(self) -> bool:
        """Whether any server can open it: nothing of it is the person's own."""
        return not (self.boards or self.packs or self.own_bots)

    def request(self) -> "CreateTable":
        """Return the request for it, as a client sends it."""
        from ferrovia.game.chance.seeds import seed_bytes
        from ferrovia.server.protocol.from_client import BotSeat, CreateTable, PersonSeat

        return CreateTable(
            edition=self.edition.id,
            extras=self.edition.extras,
            seats=(PersonSeat(name=self.name), *(BotSeat(bot=bot) for bot in self.bots)),
            stand_in=self.bots[0],
            seed=None if self.seed is None else seed_bytes(self.seed).hex(),
        )

    def opening(self) -> "Opening":
        """Return it for a server that starts."""
        from ferrovia.server import Opening

        return Opening(self.request(), self.token)


def _files(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those that are files, by paths that stay right."""
    return tuple(os.path.abspath(name) for name in names if os.path.exists(name))


def link_to(address: str, table: NewTable | None, language: str | None) -> str:
    """Return the link to a page, with what is for the browser alone behind the hash sign.

    What stands there is never sent to a server, so the secret of a seat is in no log.
    """
    given = {"token": table.token} if table is not None else {}
    if language is not None:
        given["language"] = language
    return f"{address}#{urlencode(given)}" if given else address


def open_at_running_server(address: str, table: NewTable, in_use: str) -> str:
    """Set a table up at the server that is running already; return its address there."""
    import msgspec

    from ferrovia.server.protocol.from_server import TableCreated

    if not table.is_plain or urlsplit(address).scheme not in ("http", "https"):
        raise click.ClickException(in_use)
    request = urllib.request.Request(
        f"{address}api/tables",
        msgspec.json.encode(table.request()),
        {"content-type": "application/json", "authorization": f"Bearer {table.token}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:
            created = msgspec.json.decode(answer.read(), type=TableCreated)
    except (urllib.error.URLError, OSError, msgspec.DecodeError) as problem:
        raise click.ClickException(f"{in_use} It did not open a table: {problem}") from None
    return f"{address}table/{created.table}"
