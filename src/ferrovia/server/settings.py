"""How a server is run: ordinary values, all with defaults."""

import os
from urllib.parse import urlsplit

import msgspec

from ferrovia.server.http.rates import Rate


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much one client may ask for. Rates per address hold for all its sockets together."""

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
    """`store`: a path or `postgresql://…` (None: SQLite in the user's data folder).
    `public_url`: where people reach the server through a proxy, with its path prefix.
    `web`: the folder of the built client. `boards`: files of boards to offer besides our own.
    `programs`: bots that are programs of their own, command lines by name.
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
    """The time a bot may think; then a plain legal move is made for it."""
    bot_pace: float = 0.8
    """Bots answer no sooner than this, always alike: how long they think tells nothing."""
    patience: float = 60.0
    """Seconds after which players may let a bot stand in for somebody who does not move."""
    clock_grace: float = 30.0
    """No clock runs out sooner than this after the server has come back."""
    shortest_turn: int = 10
    """The fewest seconds that a live clock may give for a turn."""
    sleep_after: float = 120.0
    """Seconds without a command after which a game is dropped from memory."""

    alive_seconds: float = 5.0
    """How often servers that share a store tell each other that they are there."""

    @property
    def prefix(self) -> str:
        """The path under which the server is reached, without a slash at its end."""
        return "" if self.public_url is None else urlsplit(self.public_url).path.rstrip("/")
