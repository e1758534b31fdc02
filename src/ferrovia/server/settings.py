"""The settings of a server, all with defaults."""

import os
from importlib.util import find_spec
from urllib.parse import urlsplit

import msgspec

from ferrovia.server.rates import Rate


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits for clients. Those of an address count everything that comes from it together."""

    connections_in_all: int = 10_000
    """Connections in all, and at most as many as half of the files that may be open."""
    connections_of_address: int = 200
    """Connections of one address, and at most half of all."""
    header_seconds: float = 10.0
    """The time for the header of a request, from the connection or its first byte on."""
    body_seconds: float = 20.0
    """The time for the body of a request."""
    idle_seconds: float = 5.0
    """The time until the next request over the same connection."""
    send_seconds: float = 20.0
    """The time in which somebody who is sent much has to read some of it."""
    close_seconds: float = 5.0
    """The time in which somebody whose connection is closed has to read what was sent before."""
    frames: Rate = Rate(burst=1000, per_second=300)
    """Frames of a socket, pings and parts of messages included; over it, it is closed."""
    frames_of_address: Rate = Rate(burst=10_000, per_second=3000)
    received_bytes: Rate = Rate(burst=512 * 1024, per_second=64 * 1024)
    """Bytes from a socket; over it, it is closed."""
    fragments: int = 64
    """Frames of one message."""
    unread_bytes: int = 1024 * 1024
    """Bytes that wait for somebody who sends and does not read."""

    requests: Rate = Rate(burst=120, per_second=20)
    creations: Rate = Rate(burst=30, per_second=0.5)
    stored_bytes: Rate = Rate(burst=64 * 1024 * 1024, per_second=800)
    """Bytes of the tables that a network sets up, with all that is played there and with the games
    before forks: 64 MiB, and as much again a day. Over it, no more are set up."""
    awake_bytes: int = 64 * 1024 * 1024
    """Bytes of the logs of tables in memory that nobody watches, each of which takes about three
    times as much there; over it, those used least recently are dropped from memory."""
    listings: Rate = Rate(burst=20, per_second=0.001)
    """Tables that a network sets up for the list of tables: about a hundred a day."""
    room_codes: Rate = Rate(burst=10, per_second=0.2)
    """Codes of rooms that an address may try: there are 64 million."""
    entries_asked: Rate = Rate(burst=5, per_second=0.05)
    """How often somebody at an address may ask to be let in again."""
    body_bytes: int = 24 * 1024 * 1024
    """Bytes of a network's large requests, over 64 KiB each, in memory at a time."""
    connections: Rate = Rate(burst=120, per_second=10)
    """New sockets of an address."""
    messages: Rate = Rate(burst=40, per_second=10)
    messages_of_address: Rate = Rate(burst=400, per_second=100)
    hints: Rate = Rate(burst=10, per_second=0.2)
    refusals_in_a_row: int = 50
    hello_seconds: float = 10.0
    viewers_of_table: int = 200
    """Spectators of a table; its seats have room of their own."""
    viewers_of_address: int = 50
    """Spectators of a table from one address."""
    sockets_of_token: int = 1
    """Sockets with one token at a table: the newest window plays, and the older says so."""
    waiting_frames: int = 256
    waiting_bytes: int = 4 * 1024 * 1024
    """Messages and bytes that wait for a viewer who reads too slowly."""
    arrangements: Rate = Rate(burst=60, per_second=1)
    """Commands of a seat that are no decisions: pause, leave, return, undo, ..."""
    arrangements_of_seat: int = 1000
    """The most of them in a game."""
    lines: Rate = Rate(burst=5, per_second=0.5)
    """Lines of chat of a seat, and of the spectators from one address."""
    lines_of_spectators: Rate = Rate(burst=20, per_second=2)
    """Lines of chat of all spectators of a table together."""
    histories: Rate = Rate(burst=30, per_second=2)
    """Pages of long histories for an address."""
    films: Rate = Rate(burst=40, per_second=1)
    """Films, pictures and clips of recorded games for an address."""
    analyses: Rate = Rate(burst=6, per_second=0.02)
    """Analyses of finished games that an address asks for."""
    workshop: Rate = Rate(burst=30, per_second=1)
    """What an address asks the workshop to do."""
    counts: Rate = Rate(burst=60, per_second=6)
    """Scores and pictures of games on a table that an address asks for, and what it enters."""
    listed_of_address: int = 5
    """Tables of one address that the list of tables shows."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How a server is run.

    `store`: a path or `postgresql://…` (None: SQLite in the user's data folder).
    `public_url`: where people reach the server through a proxy, with its path prefix.
    `web`: the folder of the built client. `boards` and `packs`: files of boards and ticket packs to
    offer besides those that are known by name.
    `programs`: bots that are programs: command lines by name. `bots`: more bots to offer, by names
    as in `ferrovia.bots.plugins.bring`, which may run code: never a name that a stranger typed.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    public_url: str | None = None
    store: str | None = None
    web: str | None = None
    boards: tuple[str, ...] = ()
    packs: tuple[str, ...] = ()
    programs: dict[str, str] = {}
    bots: tuple[str, ...] = ()
    own_boards: bool = False
    """Whether anybody may play on a board of their own; people at this machine always may."""
    edited: str | None = None
    """A board file that people at this machine edit in the browser."""
    trusted_proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    """Addresses and networks of proxies, whose word for where a client comes from is taken."""
    metrics_address: str | None = None
    """`host:port` where metrics and health are served apart from everything else."""
    metrics_token: str | None = None
    """The token with which the metrics can be read at the address of the game."""
    word: str | None = None
    """A word that everybody has to say once who uses the server, for a private club."""
    backups: str | None = None
    """A folder for the backups of `ferrovia store nightly`."""
    backups_kept: int = 7
    """How many of them are kept."""
    keep_finished: str | None = None
    """How long `ferrovia store nightly` keeps finished games, as 1y; None: for ever."""
    keep_left: str | None = None
    """How long it keeps tables that everybody has left before the end."""
    log_refused: bool = False
    """Whether the log says from which addresses came what was refused, for bans (see deploy/)."""
    limits: Limits = Limits()
    bot_workers: int = max(1, (os.cpu_count() or 1) // 2)
    bot_seconds: float = 10.0
    """The time limit for a bot's decision; after it a plain legal move is made for the bot."""
    bot_pace: float = 0.8
    """Bots answer no sooner than this, so that the time they take reveals nothing."""
    patience: float = 60.0
    """Seconds after which players may let a bot stand in for somebody who does not move."""
    entry_seconds: float = 120.0
    """Seconds until somebody is let in to a seat again whom one person alone lets in; meanwhile
    whoever holds the seat can come. 0: one person is enough.
    """
    reveal_seconds: float = 20.0
    """Seconds for people to reveal their parts in the shuffle; then the game begins without."""
    clock_grace: float = 30.0
    """No clock runs out sooner than this after a start of the server."""
    webhooks: bool = False
    """Whether players of slow games may give an address that is called when it is their turn."""
    push: bool = True
    """Whether they may be told by the push services of their browsers, where that is possible: with
    the extra `push`, and a public URL that is encrypted.
    """
    shortest_turn: int = 10
    """The fewest seconds a turn of a live clock."""
    sleep_after: float = 120.0
    """Seconds without a command after which a game is dropped from memory."""

    analysis_worlds: int = 0
    """Worlds in which an analysis tries a choice; 0: as many as the usual budget has."""

    alive_seconds: float = 1.0
    """Seconds between two heartbeats of servers that share a store."""

    @property
    def pushes(self) -> bool:
        """Whether this server can and may tell browsers by their push services."""
        encrypted = self.public_url is not None and self.public_url.startswith("https://")
        return self.push and encrypted and all(map(find_spec, ("http_ece", "py_vapid")))

    @property
    def prefix(self) -> str:
        """The path under which the server is reached, without a slash at its end."""
        return "" if self.public_url is None else urlsplit(self.public_url).path.rstrip("/")
