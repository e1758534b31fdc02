"""The WebSocket of a viewer: a hello, then commands one way and states the other."""

import asyncio
import contextlib
import time
from collections.abc import Callable

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ferrovia.server.http.connections import MORE, Connections
from ferrovia.server.http.gate import address_of, connection_of
from ferrovia.server.lobby.tables import Tables
from ferrovia.server.logs import note_failure, note_seldom
from ferrovia.server.metrics import Metrics
from ferrovia.server.networks import site_of
from ferrovia.server.protocol import from_client, from_server
from ferrovia.server.protocol.from_client import MAX_MESSAGE, AnyCommand, FromClient
from ferrovia.server.rates import RateLimiter, RateLimiters
from ferrovia.server.refusals import Close, Refusal, answer_to
from ferrovia.server.settings import Settings
from ferrovia.server.table.authority import Authority
from ferrovia.server.table.viewers.audience import Viewer

_DECODER: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)

_WHY_CLOSED = {
    Close.TOO_SLOW: "too slow",
    Close.REPLACED: "opened elsewhere",
    Close.WRONG_TOKEN: "no spectators",
}


class Sockets:
    """Serves sockets. Each has a rate limit, and so have all sockets of one address together."""

    def __init__(
        self,
        tables: Callable[[], Tables],
        settings: Settings,
        metrics: Metrics,
        connections: Connections | None = None,
    ) -> None:
        self._tables = tables
        self._connections = connections
        self._limits = settings.limits
        self._metrics = metrics
        self._addresses = RateLimiters(settings.limits.messages_of_address)
        self._hints = RateLimiters(settings.limits.hints)
        self._histories = RateLimiters(settings.limits.histories)
        self._lines = RateLimiters(settings.limits.lines)
        self._hint_tasks: dict[Viewer, asyncio.Task[None]] = {}

    async def serve(self, socket: WebSocket) -> None:
        """Serve one socket from its handshake to its end."""
        try:
            await socket.accept()
            async with asyncio.timeout(self._limits.hello_seconds):
                hello = _read(await socket.receive())
        except TimeoutError:
            await _close(socket, Close.NO_HELLO, "no hello")
            return
        except Refusal as refusal:
            await self._reject(socket, refusal)
            return
        except (WebSocketDisconnect, RuntimeError, OSError):
            return  # gone before they said anything
        if not isinstance(hello, from_client.Hello):
            await self._reject(socket, Refusal("bad_message", "the first message must be hello"))
            return
        connection = connection_of(socket.scope)
        if connection is not None and self._connections is not None:
            self._connections.serve(connection)
        await self._connect(socket, hello)

    async def _connect(self, socket: WebSocket, hello: from_client.Hello) -> None:
        authority = self._tables().authority(hello.table)
        viewer = Viewer(hello.token, self._limits, address_of(socket.scope))
        try:
            await authority.connect(viewer, hello.known, hello.commitment)
            self._keep(socket, viewer)
        except Refusal as refusal:
            authority.disconnect(viewer)
            await self._reject(socket, refusal)
            return
        except Exception:
            authority.disconnect(viewer)
            note_failure("connecting_failed", table=hello.table)
            await _close(socket, Close.INTERNAL, "internal")
            return
        sending = asyncio.create_task(self._send(socket, viewer))
        try:
            await self._listen(socket, authority, viewer)
        finally:
            authority.disconnect(viewer)
            sending.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await sending

    def _keep(self, socket: WebSocket, viewer: Viewer) -> None:
        """Keep the connection of a viewer; raises `Refusal` if there is no room for spectators."""
        connection = connection_of(socket.scope)
        if connection is None or self._connections is None:
            return
        if not self._connections.seat(connection, player=viewer.token is not None):
            raise Refusal("too_fast", "too many spectators")

    async def _send(self, socket: WebSocket, viewer: Viewer) -> None:
        """Send queued frames until the viewer is closed or gone; those of one moment together."""
        while (frame := await viewer.next_frame()) is not None:
            message = {"type": "websocket.send", "text": frame.decode(), MORE: viewer.waiting}
            try:
                await socket.send(message)
            except (WebSocketDisconnect, RuntimeError, OSError):
                return
        await _close(socket, viewer.closed, _WHY_CLOSED.get(viewer.closed, ""))

    async def _listen(self, socket: WebSocket, authority: Authority, viewer: Viewer) -> None:
        """Execute commands, one after the other."""
        limiter = RateLimiter(self._limits.messages)
        address = address_of(socket.scope)
        refused = 0
        while True:
            try:
                incoming = await socket.receive()
                if incoming["type"] == "websocket.disconnect":
                    return
                now = time.monotonic()
                if not (limiter.take(now) and self._addresses.take(address, now)):
                    raise Refusal("too_fast")
                message = _read(incoming)
                if isinstance(message, from_client.Hello):
                    raise Refusal("bad_message", "hello was sent already")
            except (WebSocketDisconnect, RuntimeError):
                return
            except Refusal as refusal:
                viewer.send(self._refused(None, refusal))
                refused += 1
                if refused >= self._limits.refusals_in_a_row:
                    note_seldom("socket_closed", why=refusal.code)
                    await _close(socket, Close.TOO_FAST, refusal.code)
                    return
                continue
            refused = 0
            if isinstance(message, from_client.Ping):
                viewer.send(from_server.Pong(now=self._tables().now()))
            elif isinstance(message, from_client.AskHint):
                self._start_hint(authority, viewer, message, address)
            elif isinstance(message, from_client.AskHistory):
                viewer.send(await self._history(authority, viewer, message, address))
            elif isinstance(message, from_client.ShowFilm):
                await self._show_film(authority, viewer, message)
            else:
                viewer.send(await self._execute(authority, viewer, message, address))

    async def _execute(
        self, authority: Authority, viewer: Viewer, command: AnyCommand, address: str
    ) -> from_server.FromServer:
        started = time.perf_counter()
        try:
            if viewer.token is None and isinstance(command, from_client.Say | from_client.Report):
                if not self._lines.take(address, time.monotonic()):
                    raise Refusal("too_fast", "wait before the next line")
            number = await authority.execute(viewer.token, command)
        except Refusal as refusal:
            return self._refused(command.id, refusal)
        except Exception:
            note_failure("command_failed", table=authority.id, kind=type(command).__name__)
            return self._refused(command.id, Refusal("internal"))
        finally:
            self._metrics.observe("command_seconds", time.perf_counter() - started)
        return from_server.Accepted(id=command.id, number=number)

    async def _history(
        self, authority: Authority, viewer: Viewer, request: from_client.AskHistory, address: str
    ) -> from_server.FromServer:
        try:
            if not self._histories.take(address, time.monotonic()):
                raise Refusal("too_fast", "wait before the next page")
            return await authority.history(viewer, request)
        except Refusal as refusal:
            return self._refused(request.id, refusal)
        except Exception:
            note_failure("history_failed", table=authority.id)
            return self._refused(request.id, Refusal("internal"))

    async def _show_film(
        self, authority: Authority, viewer: Viewer, message: from_client.ShowFilm
    ) -> None:
        try:
            authority.attendance.together.show(viewer, message, await authority.table())
        except Refusal as refusal:
            viewer.send(self._refused(None, refusal))

    def _start_hint(
        self, authority: Authority, viewer: Viewer, request: from_client.AskHint, address: str
    ) -> None:
        """Answer a request for a hint in a task of its own, while the viewer's commands go on."""
        if viewer in self._hint_tasks or not self._hints.take(address, time.monotonic()):
            viewer.send(_refused(request.id, Refusal("too_fast", "wait before the next hint")))
            return
        task = asyncio.create_task(self._send_hint(authority, viewer, request))
        self._hint_tasks[viewer] = task
        task.add_done_callback(lambda _: self._hint_tasks.pop(viewer))

    async def _send_hint(
        self, authority: Authority, viewer: Viewer, request: from_client.AskHint
    ) -> None:
        try:
            # Not counted: the metrics may be public, and whether somebody asks is their secret.
            viewer.send(
                await self._tables().hints.answer(
                    authority,
                    viewer.token,
                    request,
                    site_of(viewer.address),
                    lambda: viewer not in authority.audience.viewers,
                )
            )
        except Refusal as refusal:
            viewer.send(_refused(request.id, refusal))
        except Exception:
            note_failure("hint_failed", table=authority.id)
            viewer.send(_refused(request.id, Refusal("internal")))

    def _refused(self, id: str | None, refusal: Refusal) -> from_server.Refused:
        self._metrics.count("commands_refused_total", refusal.code)
        return _refused(id, refusal)

    async def _reject(self, socket: WebSocket, refusal: Refusal) -> None:
        """Send why the hello is refused, and close the socket."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            await socket.send_text(msgspec.json.encode(self._refused(None, refusal)).decode())
        await _close(socket, answer_to(refusal.code).close, refusal.code)


def _refused(id: str | None, refusal: Refusal) -> from_server.Refused:
    return from_server.Refused(
        id=id, code=refusal.code, reason=refusal.reason, rule=refusal.rule, detail=refusal.detail
    )


def _read(incoming: "msgspec.Raw | dict[str, object] | object") -> FromClient:
    """Return the message of an ASGI event, read strictly."""
    assert isinstance(incoming, dict)
    if incoming["type"] == "websocket.disconnect":
        raise WebSocketDisconnect
    data = incoming.get("text")
    if not isinstance(data, str):
        raise Refusal("bad_message", "messages are JSON in text frames")
    if len(data) > MAX_MESSAGE:
        raise Refusal("too_large", f"at most {MAX_MESSAGE} bytes")
    try:
        return _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        raise Refusal("bad_message", str(problem)[:200]) from None


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    if socket.application_state is WebSocketState.CONNECTED:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            await socket.close(code, reason)
