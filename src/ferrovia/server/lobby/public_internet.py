"""Requests to addresses that strangers choose.

They are called over TLS, on the usual port, and only at addresses of the public internet, whatever
a name resolves to at the time; redirects are not followed, and of the answer only the status is
read.
"""

import asyncio
import ipaddress
import re
import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

_GIVEN_OUT = ipaddress.ip_network("2000::/3")
_RESOLVERS = ThreadPoolExecutor(4, thread_name_prefix="webhook names")


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
    """Return whether an address is on the public internet, in whatever form it is written."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        # All that is given out; not what leads elsewhere: mapped, translated, site-local addresses.
        if ip not in _GIVEN_OUT or ip.sixtofour or ip.teredo:
            return False
    return ip.is_global and not ip.is_multicast


async def post(host: str, path: str, headers: Mapping[str, str], body: bytes) -> int:
    """Send a request to the address that was checked, and to no other; return the status (0: what
    came back is no answer).
    """
    address = await public_address(host)
    reader, writer = await asyncio.open_connection(
        address, 443, ssl=ssl.create_default_context(), server_hostname=host, limit=4096
    )
    try:
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: Ferrovia\r\n"
            + "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            + f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode() + body)
        await writer.drain()
        answer = await reader.read(256)
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    status = re.match(rb"HTTP/1\.[01] (\d{3})", answer)
    return int(status[1]) if status else 0
