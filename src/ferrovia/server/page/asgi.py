"""An ASGI app that is asked without a network, in the same process."""

import asyncio
from collections.abc import Callable, MutableMapping, Sequence
from typing import Any, NamedTuple

from ferrovia.server.http.gate import App

HOST = "127.0.0.1:8765"
"""What the app is told to be; nobody can reach it there."""

_NORMAL = 1000

Headers = Sequence[tuple[str, str]]


class Response(NamedTuple):
    status: int
    headers: list[tuple[str, str]]
    body: bytes


class InProcess:
    """An app, from its start to its end."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._end = asyncio.Event()
        self._life: asyncio.Future[None] | None = None
        self._sockets: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the app; raises what it fails with."""
        ready = asyncio.get_running_loop().create_future()
        began = False

        async def receive() -> dict[str, str]:
            nonlocal began
            if not began:
                began = True
                return {"type": "lifespan.startup"}
            await self._end.wait()
            return {"type": "lifespan.shutdown"}

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "lifespan.startup.failed":
                ready.set_exception(RuntimeError(message.get("message", "")))
            elif not ready.done():
                ready.set_result(None)

        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
        self._life = asyncio.ensure_future(self._app(scope, receive, send))
        await ready

    async def stop(self) -> None:
        """End the app, as its server would."""
        self._end.set()
        if self._life is not None:
            await self._life

    async def request(
        self, method: str, path: str, headers: Headers = (), body: bytes = b""
    ) -> Response:
        """Return the answer to a request."""
        status = 500
        sent: list[tuple[str, str]] = []
        parts: list[bytes] = []
        asked = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            return asked.pop() if asked else await asyncio.Event().wait()

        async def send(message: MutableMapping[str, Any]) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                sent = [(name.decode(), value.decode()) for name, value in message["headers"]]
            else:
                parts.append(message.get("body", b""))

        await self._app({**_scope("http", path, headers), "method": method}, receive, send)
        return Response(status, sent, b"".join(parts))

    def open(self, said: Callable[[str], None], closed: Callable[[int], None]) -> "InProcessSocket":
        """Open a socket; `said` is called with every message, `closed` with the code of its end."""
        incoming: asyncio.Queue[Any] = asyncio.Queue()
        incoming.put_nowait({"type": "websocket.connect"})

        async def send(message: MutableMapping[str, Any]) -> None:
            match message["type"]:
                case "websocket.send":
                    text = message.get("text")
                    said(message["bytes"].decode() if text is None else text)
                case "websocket.close":
                    closed(message.get("code", _NORMAL))

        scope = {**_scope("websocket", "/socket", ()), "subprotocols": []}
        task = asyncio.ensure_future(self._app(scope, incoming.get, send))
        self._sockets.add(task)
        task.add_done_callback(self._sockets.discard)
        return InProcessSocket(incoming)


class InProcessSocket:
    """A socket as a client has it."""

    def __init__(self, incoming: "asyncio.Queue[Any]") -> None:
        self._incoming = incoming

    def say(self, text: str) -> None:
        self._incoming.put_nowait({"type": "websocket.receive", "text": text})

    def close(self) -> None:
        self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1001})


def _scope(kind: str, path: str, headers: Headers) -> dict[str, Any]:
    path, _, query = path.partition("?")
    host = HOST.encode()
    told = [(name.lower().encode(), value.encode()) for name, value in headers]
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"host", host), (b"origin", b"http://" + host), *told],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8765),
        "extensions": {},
        "state": {},
    }
