"""Run the server until it is stopped."""

import asyncio
import errno
import gc
import logging
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import uvicorn

from ferrovia.server.app import create_app
from ferrovia.server.http.connections import Connections, raise_descriptor_limit
from ferrovia.server.http.listen import host_and_port, listen, listen_from
from ferrovia.server.http.proxies import TrustedProxies
from ferrovia.server.http.transports import Guard, HttpConnection, SocketConnection
from ferrovia.server.lobby.tables import Tables
from ferrovia.server.logs import log_to_stderr, note, note_seldom
from ferrovia.server.operating_system import operating_system
from ferrovia.server.protocol.from_client import MAX_MESSAGE, CreateTable
from ferrovia.server.settings import Settings
from ferrovia.server.store import Archive
from ferrovia.server.store.address import is_begun, open_store

_SHUTDOWN_SECONDS = 5
_ACCEPTED_AT_ONCE = 16  # connections, before they are counted: far fewer than are kept free for it
_WAITING = 2048  # connections that wait in the system until they are accepted
_OVERDUE_SECONDS = 0.25


@dataclass(frozen=True)
class Opening:
    """A table that is set up when the server starts; `token` holds the seat of its first person."""

    request: CreateTable
    token: str


def serve(
    settings: Settings,
    *,
    next_free_port: bool = False,
    ready: Callable[[str], None] | None = None,
    log_level: int = logging.INFO,
    opening: Opening | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; then finish what is being written, and return.

    `ready` is called with the address once people can connect: that of the table, if one is set up
    (`opening`). With `next_free_port` a taken port is no error. Raises `StoreError`, `PortTaken` or
    `NoSuchHost` before anything is served, each with a message for the person who started the
    server.
    """
    log_to_stderr(log_level)
    store, sockets = _open(settings, next_free_port)
    _collect_less()
    running: list[Tables] = []
    system, limits = replace(operating_system(), open_store=lambda _: store), settings.limits
    metrics = system.metrics
    connections = Connections(
        limits,
        TrustedProxies(settings.trusted_proxies),
        raise_descriptor_limit(),
        lambda why: metrics.count("connections_refused_total", why),
    )
    metrics.gauge("connections", lambda: len(connections))
    guard = Guard(connections, limits)
    metrics_port = sockets[1].getsockname()[1] if len(sockets) > 1 else None
    if metrics_port is not None:
        note("serving_metrics", port=metrics_port)
    config = uvicorn.Config(
        create_app(settings, system, running.append, connections, metrics_port),
        log_config=None,
        access_log=False,
        loop="asyncio",
        http=cast(Any, partial(HttpConnection, guard=guard)),
        ws=cast(Any, partial(SocketConnection, guard=guard)),
        backlog=_ACCEPTED_AT_ONCE,
        timeout_keep_alive=cast(int, limits.idle_seconds),
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,  # the compressed length would reveal contents
        proxy_headers=True,
        forwarded_allow_ips=list(settings.trusted_proxies),
        server_header=False,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    address = address_of(settings, sockets[0])
    _Server(config, address, running, opening, ready, connections).run(sockets=sockets)


def _open(settings: Settings, next_free_port: bool) -> tuple[Archive, list[socket.socket]]:
    """Return the store, and the sockets that listen: that of the game, and that of the metrics.

    One that does not exist is begun last: where a port is taken, nothing is left behind. One that
    does is opened first: a server that uses it is a better reason than the port that it has.
    """
    store = open_store(settings.store) if is_begun(settings.store) else None
    sockets: list[socket.socket] = []
    try:
        find = listen_from if next_free_port else listen
        sockets.append(find(settings.host, settings.port))
        if settings.metrics_address is not None:
            sockets.append(listen(*host_and_port(settings.metrics_address), "--metrics-address"))
        return store or open_store(settings.store), sockets
    except BaseException:
        for one in sockets:
            one.close()
        if store is not None:
            store.close()
        raise


def _collect_less() -> None:
    """Make garbage collection short, because it stops the server: what is loaded now is never
    searched again (it took 0.2 s each time), and of the rest little at a time (in 8 s of load,
    thresholds ten times as high stopped everybody for 0.1 s, these for 13 ms at most).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(1_000, 10, 200)


def address_of(settings: Settings, listening: socket.socket) -> str:
    """Return the address at which people reach the server."""
    if settings.public_url is not None:
        return settings.public_url
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = _address_in_network() or socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _address_in_network() -> str | None:
    """Return this machine's address in its network, which every phone there understands."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # for documentation alone; nothing is sent
        except OSError:  # there is no network
            return None
        found = str(probe.getsockname()[0])
    return None if found.startswith(("127.", "0.")) else found


class _Server(uvicorn.Server):
    """A uvicorn server that sets up the first table, calls `ready` with its address once it has
    started.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        address: str,
        running: list[Tables],
        opening: Opening | None,
        ready: Callable[[str], None] | None,
        connections: Connections,
    ) -> None:
        super().__init__(config)
        self._address = address
        self._running = running
        self._opening = opening
        self._ready = ready
        self._connections = connections
        self._closing: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(note_loop_problem)
        await super().startup(sockets)
        if not self.started:
            return
        [tables] = self._running
        await tables.publish_address(self._address)
        for listening in sockets or ():
            listening.listen(_WAITING)
        self._closing = asyncio.create_task(self._connections.close_overdue(_OVERDUE_SECONDS))
        note("serving", address=self._address)
        address = self._address
        if self._opening is not None:
            opening = self._opening
            created = await tables.create(opening.request, opening.token)
            address = f"{address.rstrip('/')}/table/{created.table}"
        if self._ready is not None:
            self._ready(address)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        note("closing")
        for listening in (*self.servers, *(sockets or ())):
            listening.close()  # who comes now is let in by another server
        [tables] = self._running
        await tables.release_viewers()
        await super().shutdown(sockets)
        if self._closing is not None:
            self._closing.cancel()


def note_loop_problem(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what no task catches; a connection that breaks is no problem of ours, and one that cannot
    be accepted is one line for all.
    """
    problem = context.get("exception")
    if isinstance(problem, ConnectionError | TimeoutError):
        return
    if isinstance(problem, OSError) and "socket.accept" in context.get("message", ""):
        note_seldom("accepting_failed", why=errno.errorcode.get(problem.errno or 0, "?"))
        return
    loop.default_exception_handler(context)
