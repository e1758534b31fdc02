"""Webhooks: a short message to an address of a player's own when it is their turn in a slow game.

A stranger chooses the address, and this server calls it: see public_internet.py for where it does.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

import msgspec

from ferrovia.server.logs import note_seldom
from ferrovia.server.rates import Rate, RateLimiters

_SECONDS = 10.0
_WAITING = 1000
_AT_ONCE = 16
_OF_DOMAIN = 2  # of those; one that does not answer keeps nobody else waiting

Post = Callable[[str, str, bytes], Awaitable[None]]
"""Send a body to a host, at a path; raises `OSError`."""


class Call(msgspec.Struct, frozen=True):
    """What is sent. `text` and `content` are what chat services show."""

    table: str
    text: str
    content: str
    link: str | None


class Webhooks:
    """Calls the addresses of players, a few at a time; what cannot be delivered is dropped.

    `link` is where people reach this server, if it is known.
    """

    def __init__(self, enabled: bool, link: str | None, post: Post) -> None:
        self._enabled = enabled
        self._link = link
        self._post = post
        self._queue: asyncio.Queue[tuple[str, str]] = asyncio.Queue(_WAITING)
        self._domains = RateLimiters(Rate(burst=20, per_second=1))
        self._calling: Counter[str] = Counter()

    def turn(self, table: str, url: str) -> None:
        """Queue the message that it is somebody's turn at a table."""
        if self._enabled and not self._queue.full():
            self._queue.put_nowait((table, url))

    async def run(self) -> None:
        """Deliver what is queued, until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            for _ in range(_AT_ONCE):
                group.create_task(self._deliver())

    async def _deliver(self) -> None:
        while True:
            table, url = await self._queue.get()
            host = urlsplit(url).hostname or ""
            domain = ".".join(host.split(".")[-2:])  # whoever has one has any number of hosts
            if self._calling[domain] >= _OF_DOMAIN:
                continue
            if not self._domains.take(domain, time.monotonic()):
                continue
            link = None if self._link is None else f"{self._link.rstrip('/')}/table/{table}"
            text = "Ferrovia: it is your turn" + ("" if link is None else f". {link}")
            call = Call(table=table, text=text, content=text, link=link)
            self._calling[domain] += 1
            try:
                async with asyncio.timeout(_SECONDS):
                    await self._post(host, _path(url), msgspec.json.encode(call))
            except (OSError, TimeoutError, ValueError) as problem:
                note_seldom("webhook_failed", why=type(problem).__name__)
            finally:
                self._calling[domain] -= 1
                if not self._calling[domain]:
                    del self._calling[domain]


def _path(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
