"""Where other devices in the local network reach this server."""

import ipaddress
import socket

from starlette.requests import Request

from ferrovia.server.http.gate import client_of
from ferrovia.server.settings import Settings

_ANY = ("0.0.0.0", "::", "")
# Addresses reserved for examples: no packet is sent to find out the way there.
_FAR_AWAY = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine by an address that no other machine can use."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def asked_here(request: Request) -> bool:
    """Return whether a request comes from somebody at the machine of the server."""
    host = request.url.hostname or ""
    # A proxy on this machine that hides its clients is asked under a name of the network.
    return is_loopback(client_of(request.scope)) and (is_loopback(host) or "." not in host)


def reachable(settings: Settings, port: int) -> tuple[str, ...]:
    """Return the addresses under which other devices reach a server; none if it listens for this
    machine alone.
    """
    if settings.public_url is not None:
        return (settings.public_url,)
    if is_loopback(settings.host):
        return ()
    if settings.host not in _ANY:
        return (_url(settings.host, port),)
    families = _FAR_AWAY if settings.host == "::" else _FAR_AWAY[:1]
    found = (_own_address(family, far) for family, far in families)
    return tuple(_url(address, port) for address in found if address is not None)


def _own_address(family: socket.AddressFamily, far: str) -> str | None:
    """Return the address of this machine on the way to a far one; None if it has no network."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            address = str(probe.getsockname()[0])
    except OSError:
        return None
    return None if is_loopback(address) else address


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
