"""Connections: how many there are, from where, and who has to go when there are too many.

A connection that has not sent a whole request yet costs a stranger nothing, so it is the first to
be closed when there are too many; spectators may take only a part of the room, and players come
last.
"""

import asyncio
import sys
from collections.abc import Callable, Iterable
from typing import Literal

from ferrovia.server.http.proxies import TrustedProxies
from ferrovia.server.logs import note_seldom
from ferrovia.server.networks import OF_SITE, network_of, site_of
from ferrovia.server.settings import Limits

EXTENSION = "ferrovia.connection"
"""The name under which the scope of a request has its `Connection`."""
MORE = "ferrovia.more"
"""The name under which a message to a socket says that another one follows at once."""

_SPECTATORS = 0.75  # of the connections, in all and of an address; the rest is for players
_WANTED_DESCRIPTORS = 65536
_OF_DESCRIPTORS = 0.5  # the rest is for the store, the bots, and connections that just came or went


class Connection:
    """One connection.

    It is `waiting` until it has sent a whole request and between requests, `served` while a request
    is answered, and as a socket a `spectator` or a `player` once its hello was accepted. It is
    closed at the `deadline`, and when it has read nothing until `stalled`.
    """

    __slots__ = ("address", "deadline", "kind", "stalled", "transport")

    def __init__(self, transport: asyncio.Transport, address: str) -> None:
        self.transport = transport
        self.address = address
        self.kind: Literal["waiting", "served", "spectator", "player"] = "waiting"
        self.deadline: float | None = None
        self.stalled: float | None = None

    def overdue(self, now: float) -> Literal["overdue", "stalled"] | None:
        """Return which of its times is over; None if none is."""
        if self.deadline is not None and now >= self.deadline:
            return "overdue"
        return "stalled" if self.stalled is not None and now >= self.stalled else None


class Connections:
    """All connections of a server, each by its transport.

    Half of the open files that are allowed (`descriptors`) is the most there may be. A proxy brings
    many clients, so what comes from it is limited for each of them only. `refused` is called with
    the reason whenever a connection is closed or refused for want of room or time.
    """

    def __init__(
        self,
        limits: Limits,
        proxies: TrustedProxies,
        descriptors: int | None,
        refused: Callable[[str], None],
    ) -> None:
        self.most = limits.connections_in_all
        if descriptors is not None:
            self.most = max(8, min(self.most, int(descriptors * _OF_DESCRIPTORS)))
        half = self.most // 2
        self.most_of_address = max(4, min(limits.connections_of_address, half))
        self.most_of_site = max(4, min(OF_SITE * limits.connections_of_address, half))
        self._close_seconds = limits.close_seconds
        self._proxies = proxies
        self._refused = refused
        self._all: dict[asyncio.BaseTransport, Connection] = {}
        self._of: dict[str, dict[Connection, None]] = {}  # an address, or a site
        self._spectators = 0

    def __len__(self) -> int:
        return len(self._all)

    def of(self, transport: asyncio.BaseTransport) -> Connection | None:
        """Return the connection over a transport; None if it is closed."""
        return self._all.get(transport)

    def open(
        self, transport: asyncio.Transport, host: str | None, deadline: float
    ) -> Connection | None:
        """Add a connection that has to send a request until `deadline`; None: there is no room."""
        address = self._address(host or "?")
        if not self._make_room(address):
            return None
        connection = Connection(transport, address)
        connection.deadline = deadline
        self._all[transport] = connection
        self._enter(connection)
        return connection

    def close(self, connection: Connection) -> None:
        """Remove a connection, which may be gone already."""
        if self._all.pop(connection.transport, None) is None:
            return
        if connection.kind == "spectator":
            self._spectators -= 1
        self._leave(connection)

    def move(self, connection: Connection, host: str) -> bool:
        """Count a connection for the client that a trusted proxy names; False: there is no room."""
        address = self._address(host)
        if address == connection.address or connection.transport not in self._all:
            return True
        if not self._make_room_of(address):
            return False
        self._leave(connection)
        connection.address = address
        self._enter(connection)
        return True

    def serve(self, connection: Connection) -> None:
        """Note that a whole request has come: it is answered, and not closed for others."""
        connection.kind, connection.deadline = "served", None

    def seat(self, connection: Connection, *, player: bool) -> bool:
        """Keep a socket for as long as it likes, as a player's or a spectator's; False: no room."""
        if connection.kind == "spectator":
            self._spectators -= 1
            connection.kind = "served"
        if not player:
            if self._spectators >= _SPECTATORS * self.most:
                self._refuse("spectators")
                return False
            for group, most in self._groups(connection.address):
                there = sum(other.kind == "spectator" for other in self._of.get(group, {}))
                if there >= _SPECTATORS * most:
                    self._refuse("spectators_of_address")
                    return False
            self._spectators += 1
        connection.kind = "player" if player else "spectator"
        connection.deadline = None
        return True

    async def close_overdue(self, every: float) -> None:
        """Close what is overdue, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(every)
            now = loop.time()
            for connection in list(self._all.values()):
                why = connection.overdue(now)
                if why is not None:
                    self._refuse(why)
                    self._abort(connection)
                elif connection.stalled is None and connection.transport.is_closing():
                    # Waiting for the other side to read the rest.
                    connection.stalled = now + self._close_seconds

    def _address(self, host: str) -> str:
        """Return what a connection is counted for: a proxy itself, or the network of a client."""
        return host if host in self._proxies else network_of(host)

    def _groups(self, address: str) -> Iterable[tuple[str, int]]:
        """Yield an address and its site, each with the most connections that it may have; nothing
        for a proxy.
        """
        if address in self._proxies:
            return
        yield address, self.most_of_address
        site = site_of(address)
        if site != address:
            yield site, self.most_of_site

    def _make_room(self, address: str) -> bool:
        if not self._make_room_of(address):
            return False
        if len(self._all) < self.most:
            return True
        self._refuse("in_all")
        # Whoever has the most connections gives one up; if none of them waits, anybody does.
        most = max(self._of.values(), key=len, default={})
        return self._abort_waiting(most) or self._abort_waiting(self._all.values())

    def _make_room_of(self, address: str) -> bool:
        for group, most in self._groups(address):
            connections = self._of.get(group, {})
            if len(connections) >= most:
                self._refuse("of_address")
                if not self._abort_waiting(connections):
                    return False
        return True

    def _abort_waiting(self, connections: Iterable[Connection]) -> bool:
        """Close the oldest connection that waits; False if none does."""
        for connection in connections:
            if connection.kind == "waiting":
                self._abort(connection)
                return True
        return False

    def _abort(self, connection: Connection) -> None:
        self.close(connection)
        connection.transport.abort()

    def _enter(self, connection: Connection) -> None:
        for group, _ in self._groups(connection.address):
            self._of.setdefault(group, {})[connection] = None

    def _leave(self, connection: Connection) -> None:
        for group, _ in self._groups(connection.address):
            others = self._of[group]
            del others[connection]
            if not others:
                del self._of[group]

    def _refuse(self, why: str) -> None:
        self._refused(why)
        note_seldom("connections_refused", why=why, open=len(self._all), most=self.most)


def raise_descriptor_limit() -> int | None:
    """Allow this process as many open files as the system lets it; return how many these are, or
    None where there is no such limit.
    """
    if sys.platform == "win32":
        return None
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    wanted = _WANTED_DESCRIPTORS if hard == unlimited else min(hard, _WANTED_DESCRIPTORS)
    if soft != unlimited and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (ValueError, OSError):  # macOS allows less than it says
            pass
    return _WANTED_DESCRIPTORS if soft == unlimited else soft
