"""The gate in front of the app: checks prefix, Host and Origin, sets headers, catches failures."""

import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect

from ferrovia.server.http.bodies import Bodies, Receive
from ferrovia.server.http.connections import EXTENSION, Connection, Connections
from ferrovia.server.http.origins import Origins
from ferrovia.server.logs import note, note_failure, note_seldom
from ferrovia.server.networks import network_of, site_of
from ferrovia.server.protocol import from_server
from ferrovia.server.rates import Rate, RateLimiters
from ferrovia.server.refusals import Code, answer_to
from ferrovia.server.settings import Settings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'"
)

_HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # the link of a private table stays private
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


_LOGGED = Rate(burst=10, per_second=1)  # lines about an address


class RefusedAddresses:
    """Logs from where something came that was refused, for bans, if the settings ask for that: an
    address, or the network of IPv6 that one client has.
    """

    def __init__(self, settings: Settings) -> None:
        self._limiters = RateLimiters(_LOGGED) if settings.log_refused else None

    def note(self, scope: Scope, code: Code) -> None:
        """Log what was refused to the client of a request, seldom."""
        if self._limiters is None:
            return
        address = address_of(scope)
        if self._limiters.take(address, time.monotonic()):
            note("address_refused", address=address, why=code)


class Gate:
    """An ASGI app around another one, through which every request and every socket passes."""

    def __init__(
        self,
        app: App,
        settings: Settings,
        refused: RefusedAddresses,
        connections: Connections | None,
        word: Callable[[Scope], Code | None],
    ) -> None:
        self._word = word
        self._refused = refused
        self._app = app
        self._all = connections
        self._prefix = settings.prefix
        self._origins = Origins(settings)
        self._bodies = Bodies(settings.limits.body_bytes)
        self._requests = RateLimiters(settings.limits.requests)
        self._connections = RateLimiters(settings.limits.connections)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if self._prefix:
            _set_prefix(scope, self._prefix)
        code = self._refusal_of(scope)
        if code is not None:
            self._refused.note(scope, code)
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send, code)
        else:
            await self._request(scope, receive, send, code)

    def _refusal_of(self, scope: Scope) -> Code | None:
        """Return why a request is refused, or None if it is not."""
        headers = Headers(scope=scope)
        host, origin = headers.get("host"), headers.get("origin")
        if not self._origins.knows_host(host):
            return "foreign_host"
        reading = scope.get("method") in ("GET", "HEAD")
        if not reading and not self._origins.allows(origin, host):
            return "foreign_origin"
        connection = connection_of(scope)
        if connection is not None and self._all is not None:
            if not self._all.move(connection, client_of(scope)):
                return "too_fast"
        limiters = self._connections if scope["type"] == "websocket" else self._requests
        if not limiters.take(address_of(scope), time.monotonic()):
            return "too_fast"
        return self._word(scope)

    async def _request(self, scope: Scope, receive: Receive, send: Send, code: Code | None) -> None:
        begun = False

        async def send_on(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        if code is not None:
            await _respond(send_on, code)
            return
        try:
            with self._bodies.counting(site_of_client(scope), receive) as counted:
                await self._app(scope, counted, send_on)
        except ClientDisconnect:
            pass
        except Exception:
            note_failure("request_failed", method=scope.get("method"))
            if not begun:
                await _respond(send_on, "internal")

    async def _socket(self, scope: Scope, receive: Receive, send: Send, code: Code | None) -> None:
        if code is not None:
            note_seldom("socket_refused", why=code)
            await receive()
            await send(
                {
                    "type": "websocket.http.response.start",
                    "status": answer_to(code).status,
                    "headers": [(b"content-type", b"application/json")],
                }
            )
            body = msgspec.json.encode(from_server.Problem(code=code))
            await send({"type": "websocket.http.response.body", "body": body})
            return
        try:
            await self._app(scope, receive, send)
        except Exception as problem:
            if type(problem).__name__ != "ClientDisconnected":
                note_failure("socket_failed")


def _set_prefix(scope: Scope, prefix: str) -> None:
    """Make the prefix the root path of the app, whether or not the proxy has stripped it."""
    path = scope["path"]
    if path != prefix and not path.startswith(f"{prefix}/"):
        scope["path"] = prefix + path
    scope["root_path"] = prefix


def client_of(scope: Scope) -> str:
    """Return the host of a client: the one that a trusted proxy names, or else the other side."""
    client = scope.get("client")
    return client[0] if client else "?"


def address_of(scope: Scope) -> str:
    """Return the address of a client, for rate limits."""
    return network_of(client_of(scope))


def site_of_client(scope: Scope) -> str:
    """Return what takes turns with others where people wait for each other."""
    return site_of(address_of(scope))


def connection_of(scope: Scope) -> Connection | None:
    """Return the connection over which a request comes; None under another web server."""
    found: Connection | None = (scope.get("extensions") or {}).get(EXTENSION)
    return found


async def _respond(send: Send, code: Code) -> None:
    body = msgspec.json.encode(from_server.Problem(code=code))
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send(
        {"type": "http.response.start", "status": answer_to(code).status, "headers": headers}
    )
    await send({"type": "http.response.body", "body": body})
