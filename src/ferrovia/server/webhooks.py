"""Webhooks: a short message to an address of a player's own when it is their turn in a slow game.

A stranger chooses the address, and this server calls it. So it is called over TLS on the usual port
alone, never at an address that is not of the public internet, whatever its name resolves to when it
is called; redirects are not followed, and of the answer nothing is used.
"""

import asyncio
import ipaddress
import re
import socket
import ssl
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import msgspec

from ferrovia.server.http.rates import Rate, RateLimiters
from ferrovia.server.logs import note_seldom
from ferrovia.server.protocol.refusals import Refusal

LONGEST = 300
_SECONDS = 10.0
_WAITING = 1000
_AT_ONCE = 16
_OF_DOMAIN = 2  # of those; one that does not answer keeps nobody else waiting
_GIVEN_OUT = ipaddress.ip_network("2000::/3")
_FORM = re.compile(r"[!-~]+")  # ASCII that can be seen
_RESOLVERS = ThreadPoolExecutor(4, thread_name_prefix="webhook names")

Post = Callable[[str, str, bytes], Awaitable[None]]


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

    def __init__(self, enabled: bool, link: str | None, post: Post | None = None) -> None:
        self._enabled = enabled
        self._link = link
        self._post = post or _post
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


def checked_url(url: str) -> str:
    """Return an address that may be called; raises `Refusal` for any other."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Refusal("invalid_address", "this is no address") from None
    host = parts.hostname or ""
    named = "." in host and not host.endswith((".local", ".internal", ".localhost"))
    fine = parts.scheme == "https" and parts.username is None and port in (None, 443) and named
    if not fine or len(url) > LONGEST or not _FORM.fullmatch(url) or _is_number(host):
        raise Refusal("invalid_address", "give an address such as https://example.org/hook")
    return url


async def public_address(host: str) -> str:
    """Return an address of a host in the public internet; raises `OSError` if it has another."""
    loop = asyncio.get_running_loop()
    # In threads of their own: a stranger's name server that does not answer keeps them for minutes,
    # and the others are what the store is read with.
    found = await loop.run_in_executor(_RESOLVERS, _resolve, host)
    addresses = [str(one[4][0]) for one in found]
    if not addresses or not all(map(is_public, addresses)):
        raise OSError("this host is not in the public internet")
    return addresses[0]


def _resolve(host: str) -> list[Any]:
    return socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)


def is_public(address: str) -> bool:
    """Return whether an address is of the public internet, also where it is written as another."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        # All that is given out; not what leads elsewhere: mapped, translated, site-local addresses.
        if ip not in _GIVEN_OUT or ip.sixtofour or ip.teredo:
            return False
    return ip.is_global and not ip.is_multicast


async def _post(host: str, path: str, body: bytes) -> None:
    """Send a request to the address that was checked, and to no other."""
    address = await public_address(host)
    reader, writer = await asyncio.open_connection(
        address, 443, ssl=ssl.create_default_context(), server_hostname=host, limit=4096
    )
    try:
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: Ferrovia\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            "Connection: close\r\n\r\n"
        )
        writer.write(head.encode() + body)
        await writer.drain()
        await reader.read(256)  # that it was heard; what it says is nobody's business
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


def _path(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _is_number(host: str) -> bool:
    """Return whether a host is an address in any way of writing one, such as 0x7f.1."""
    return re.fullmatch(r"[0-9a-fx.:\[\]]+", host) is not None and not re.search("[g-wyz]", host)
