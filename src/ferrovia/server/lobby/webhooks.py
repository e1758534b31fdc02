"""Calls: short messages to addresses of players, and of hosts, when it is somebody's turn in a slow
game: webhooks, and the push services of browsers (see push.py).

A stranger chooses the address, and this server calls it: see public_internet.py for where it does.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import msgspec

from ferrovia.server.logs import note_seldom
from ferrovia.server.processes.queue import FairQueue, Standing
from ferrovia.server.rates import Rate, RateLimiters

_SECONDS = 10.0
_WAITING = 1000
_WAITING_OF_SITE = 50
_AT_ONCE = 16
_OF_DOMAIN = 2  # of those; one that does not answer keeps nobody else waiting
_DOMAINS = Rate(burst=20, per_second=1)

Post = Callable[[str, str, Mapping[str, str], bytes], Awaitable[int]]
"""Send a body with headers to a host, at a path, and return its status; raises `OSError`."""

Message = Callable[[], tuple[Mapping[str, str], bytes]]
"""Make the headers and the body of a message."""

_JSON = {"Content-Type": "application/json"}


class Call(msgspec.Struct, frozen=True):
    """What is sent. `text` and `content` are what chat services show."""

    table: str
    text: str
    content: str
    link: str | None


class Webhooks:
    """Calls the addresses of players, a few at a time; what cannot be delivered is dropped.

    Those who set tables up take turns, even where they call the same domain. `link` is where people
    reach this server, if it is known.
    """

    def __init__(self, enabled: bool, link: str | None, post: Post) -> None:
        self._enabled = enabled
        self._link = link
        self._post = post
        self._places = FairQueue(_AT_ONCE)
        self._domains: dict[str, FairQueue] = {}
        self._rates = RateLimiters(_DOMAINS)
        self._waiting: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    def tell(self, table: str, url: str, what: str, site: str = "") -> None:
        """Queue a message about a table, which a site has set up, to the address of a webhook."""
        if not self._enabled:
            return
        link = None if self._link is None else f"{self._link.rstrip('/')}/table/{table}"
        text = f"Ferrovia: {what}" + ("" if link is None else f". {link}")
        call = Call(table=table, text=text, content=text, link=link)
        self.send(url, lambda: (_JSON, msgspec.json.encode(call)), site)

    def send(
        self,
        url: str,
        message: Message,
        site: str = "",
        answered: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        """Queue what is made when its turn comes: headers and a body; `answered` is told what came
        of it.
        """
        if len(self._tasks) >= _WAITING or self._waiting[site] >= _WAITING_OF_SITE:
            return
        self._waiting[site] += 1
        standing = Standing(0, site)
        task = asyncio.create_task(self._deliver(url, message, standing, answered))
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._forget(done, site))

    def _forget(self, task: "asyncio.Task[None]", site: str) -> None:
        self._tasks.discard(task)
        self._waiting[site] -= 1
        if not self._waiting[site]:
            del self._waiting[site]

    async def close(self) -> None:
        """Drop what is not delivered."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _deliver(
        self,
        url: str,
        message: Message,
        standing: Standing,
        answered: Callable[[int], Awaitable[None]] | None,
    ) -> None:
        host = urlsplit(url).hostname or ""
        domain = ".".join(host.split(".")[-2:])  # whoever has one has any number of hosts
        queue = self._domains.setdefault(domain, FairQueue(_OF_DOMAIN))
        async with _place(queue, standing):
            while not self._rates.take(domain, time.monotonic()):
                await asyncio.sleep(1 / _DOMAINS.per_second)
            async with _place(self._places, standing):
                status = await self._call(host, url, message)
        if status is not None and answered is not None:
            await answered(status)
        if not len(queue) and queue.free == _OF_DOMAIN:
            self._domains.pop(domain, None)

    async def _call(self, host: str, url: str, message: Message) -> int | None:
        try:
            headers, body = message()
            async with asyncio.timeout(_SECONDS):
                return await self._post(host, _path(url), headers, body)
        except (OSError, TimeoutError, ValueError) as problem:
            note_seldom("call_failed", why=type(problem).__name__)
            return None


@asynccontextmanager
async def _place(queue: FairQueue, standing: Standing) -> AsyncIterator[None]:
    await queue.enter(lambda: standing)
    began = time.monotonic()
    try:
        yield
    finally:
        queue.leave(standing.address, time.monotonic() - began)


def _path(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
