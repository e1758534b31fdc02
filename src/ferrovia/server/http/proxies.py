"""Trusted proxies: the addresses whose word for where a client comes from is taken."""

import ipaddress
from collections.abc import Iterable
from functools import lru_cache

from ferrovia.errors import FerroviaError

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class NoSuchProxy(FerroviaError, ValueError):
    """What is given as a trusted proxy is no address and no network."""


class TrustedProxies:
    """Addresses and networks such as `10.0.0.7`, `10.0.0.0/8` or `::1`."""

    def __init__(self, given: Iterable[str]) -> None:
        self._networks = tuple(map(_network, given))
        self._holds = lru_cache(maxsize=4096)(self._compute)

    def __contains__(self, host: str) -> bool:
        return self._holds(host)

    def _compute(self, host: str) -> bool:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)


def _network(text: str) -> _Network:
    try:
        return ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        raise NoSuchProxy(
            f"'{text}' is no trusted proxy: give an address such as 10.0.0.7 or a network such as "
            "10.0.0.0/8"
        ) from None
