"""The settings of a server, all with defaults."""

import os
from urllib.parse import urlsplit

import msgspec

from ferrovia.server.http.rates import Rate


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits for one client. Those per address count all its sockets together."""

    requests: Rate = Rate(burst=120, per_second=20)
    creations: Rate = Rate(burst=30, per_second=0.5)
    connections: Rate = Rate(burst=120, per_second=10)
    messages: Rate = Rate(burst=40, per_second=10)
    messages_of_address: Rate = Rate(burst=400, per_second=100)
    hints: Rate = Rate(burst=10, per_second=0.2)
    refusals_in_a_row: int = 50
    viewers_of_table: int = 200
    waiting_frames: int = 256
    hello_seconds: float = 10.0


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a server is run.

    `store`: a path or `postgresql://…` (None: SQLite in the user's data folder).
    `public_url`: where people reach the server through a proxy, with its path prefix.
    `web`: the folder of the built client. `boards`: board files to offer besides our own.
    `programs`: bots that are programs: command lines by name.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    public_url: str | None = None
    store: str | None = None
    web: str | None = None
    boards: tuple[str, ...] = ()
    programs: dict[str, str] = {}
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    limits: Limits = Limits()
    bot_workers: int = max(1, (os.cpu_count() or 1) // 2)
    bot_seconds: float = 10.0
    """The time limit for a bot's decision; after it a plain legal move is made for the bot."""
    bot_pace: float = 0.8
    """Bots answer no sooner than this, so that the time they take reveals nothing."""
    patience: float = 60.0
    """Seconds after which players may let a bot stand in for somebody who does not move."""
    reveal_seconds: float = 20.0
    """Seconds for people to reveal their parts in the shuffle; then the game begins without."""
    clock_grace: float = 30.0
    """No clock runs out sooner than this after a start of the server."""
    shortest_turn: int = 10
    """The fewest seconds a turn of a live clock."""
    sleep_after: float = 120.0
    """Seconds without a command after which a game is dropped from memory."""

    alive_seconds: float = 5.0
    """Seconds between two heartbeats of servers that share a store."""

    @property
    def prefix(self) -> str:
        """The path under which the server is reached, without a slash at its end."""
        return "" if self.public_url is None else urlsplit(self.public_url).path.rstrip("/")
