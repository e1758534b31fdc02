"""Origins: the names that the server answers to, and the pages whose scripts may call it.

A stranger's page must not reach a server on somebody's own machine, neither directly (its Origin is
foreign) nor by making its own name point at that machine (then the Host is foreign).
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from ferrovia.server.settings import Settings


class Origins:
    """The hosts and origins that a server accepts."""

    def __init__(self, settings: Settings) -> None:
        machine = socket.gethostname().lower()
        self._hosts = {"localhost", machine, f"{machine}.local", settings.host.lower()}
        self._public: str | None = None
        if settings.public_url is not None:
            parts = urlsplit(settings.public_url)
            self._hosts.add((parts.hostname or "").lower())
            self._public = _origin(parts.scheme, parts.netloc)

    def knows_host(self, host: str | None) -> bool:
        """Return whether a Host header names this server; addresses do: only names can mislead."""
        name = _host_name(host or "")
        if name is None:
            return False
        return name in self._hosts or _is_address(name)

    def allows(self, origin: str | None, host: str | None) -> bool:
        """Return whether a page of this origin may call the server under this host.

        Programs other than browsers send no origin; no page can misuse them.
        """
        if origin is None:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        if parts.scheme not in ("http", "https") or not parts.netloc:
            return False
        given = _origin(parts.scheme, parts.netloc)
        if given == self._public:
            return True
        return given in (_origin("http", host or ""), _origin("https", host or ""))


def _origin(scheme: str, netloc: str) -> str:
    """Return an origin in its one spelling: lower case, without the default port."""
    default = ":443" if scheme == "https" else ":80"
    return f"{scheme}://{netloc.lower().removesuffix(default)}"


def _host_name(host: str) -> str | None:
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return None
    return None if name is None else name.rstrip(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
