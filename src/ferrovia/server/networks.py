"""Networks: what counts as one client for limits, and what shares what there is too little of."""

import ipaddress
from functools import lru_cache
from typing import Final

OF_SITE: Final = 8
"""A site has so many times what an address of it has: a family shares one, and whoever rents a
machine has 65,536 addresses of IPv6 there."""


@lru_cache(maxsize=4096)
def network_of(host: str) -> str:
    """Return what counts as one address: of IPv6 the first 64 bits, which one household has."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host[:64]
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


@lru_cache(maxsize=4096)
def site_of(network: str) -> str:
    """Return what takes one turn where people wait for each other, by the network of a client: of
    IPv6 the first 48 bits, of which a house may have all networks.
    """
    try:
        found = ipaddress.ip_network(network)
    except ValueError:
        return network
    if isinstance(found, ipaddress.IPv4Network) or found.prefixlen < 48:
        return network
    return str(found.supernet(new_prefix=48))
