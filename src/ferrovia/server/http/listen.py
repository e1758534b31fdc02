"""Listen on a port, with a clear error if it is taken."""

import errno
import socket

from ferrovia.errors import FerroviaError

LAST_PORT = 65535

_TRIED = 100


class PortTaken(FerroviaError):
    """Another program listens on the port."""


class NoSuchHost(FerroviaError, ValueError):
    """The host cannot be listened on."""


def host_and_port(address: str) -> tuple[str, int]:
    """Return host and port of `host:port` or `[host]:port`; raises `NoSuchHost`."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > LAST_PORT:
        raise NoSuchHost(f"'{address}' is no address: give host and port, as 127.0.0.1:9464")
    return host.strip("[]"), int(port)


def listen(host: str, port: int, option: str = "--port") -> socket.socket:
    """Return a listening socket; port 0 is any free one. Raises `PortTaken` or `NoSuchHost`.

    `option` is the one with which people choose another port.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as problem:
        raise NoSuchHost(f"cannot listen on '{host}': {problem.strerror}") from None
    listening = socket.socket(family, kind, protocol)
    if hasattr(socket, "SO_REUSEADDR") and hasattr(socket, "AF_UNIX"):
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(2048)
    except OSError as problem:
        listening.close()
        if problem.errno == errno.EADDRINUSE:
            raise PortTaken(
                f"port {port} of {host} is taken by another program: choose another with {option}"
            ) from None
        raise NoSuchHost(f"cannot listen on {host}, port {port}: {problem.strerror}") from None
    listening.setblocking(False)
    return listening


def listen_from(host: str, port: int) -> socket.socket:
    """Return a listening socket on this port, or on the next one that is free."""
    for candidate in range(port, min(port + _TRIED, LAST_PORT + 1)):
        try:
            return listen(host, candidate)
        except PortTaken:
            continue
    raise PortTaken(f"all ports of {host} from {port} on are taken")
