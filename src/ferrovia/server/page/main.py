"""The server of a page as its worker asks it: see web/src/page/server.worker.ts.

Only this module knows JavaScript.
"""

from collections.abc import Callable
from os import SEEK_END
from typing import Any

from msgspec.structs import replace
from pyodide.ffi import JsException, create_proxy, to_js  # type: ignore[import-not-found]

from ferrovia.server.app import create_app
from ferrovia.server.page.asgi import InProcess, InProcessSocket
from ferrovia.server.page.browser import SETTINGS, browser
from ferrovia.server.page.workers import Job
from ferrovia.server.store.log_file import LogFileStore


class _Storage:
    """A file of the browser's, which nobody else has open."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._at = 0

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = offset + (int(_try(self._handle.size)) if whence == SEEK_END else 0)
        return self._at

    def read(self, size: int) -> bytes:
        data: bytes = _try(self._handle.read, self._at, size).to_bytes()
        self._at += len(data)
        return data

    def write(self, data: bytes) -> int:
        written = int(_try(self._handle.write, self._at, to_js(data)))
        self._at += written
        return written

    def truncate(self, size: int) -> int:
        _try(self._handle.truncate, size)
        return size

    def flush(self) -> None:
        _try(self._handle.flush)

    def close(self) -> None:
        _try(self._handle.close)


def _try(act: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return act(*arguments)
    except JsException as problem:
        raise OSError(str(problem)) from None


class _OtherWorkers:
    """The other workers of the page."""

    def __init__(self, workers: Any) -> None:
        self._workers = workers

    async def ask(
        self, job: Job, body: bytes, seconds: float, heard: Callable[[bytes], None]
    ) -> bytes:
        hear = create_proxy(lambda data: heard(data.to_bytes()))
        try:
            answer = await self._workers.ask(job, to_js(body), seconds * 1000, hear)
        except JsException as problem:
            late = problem.name == "TimeoutError"
            raise (TimeoutError if late else OSError)(str(problem)) from None
        finally:
            hear.destroy()
        found: bytes = answer.to_bytes()
        return found


class PageServer:
    """The server, with a number for each socket.

    `said` and `closed` are called with that number, and the text or the code. `at_once`: whoever
    plays wants to see moves of others at once, and so bots wait for nothing.
    """

    def __init__(
        self, storage: Any, workers: Any, said: Any, closed: Any, *, at_once: bool
    ) -> None:
        store = LogFileStore(_Storage(storage))
        settings = replace(SETTINGS, bot_pace=0.0) if at_once else SETTINGS
        self._app = InProcess(create_app(settings, browser(store, _OtherWorkers(workers))))
        self._said, self._closed = said, closed
        self._sockets: dict[int, InProcessSocket] = {}

    async def start(self) -> None:
        """Start the server."""
        await self._app.start()

    async def request(self, method: str, path: str, headers: Any, body: Any) -> Any:
        """Return status, headers and body."""
        given = [(name, value) for name, value in headers]
        answer = await self._app.request(method, path, given, body.to_bytes())
        return to_js([answer.status, answer.headers, answer.body])

    def open(self, number: int) -> None:
        """Open a socket."""

        def closed(code: int) -> None:
            self._sockets.pop(number, None)
            self._closed(number, code)

        self._sockets[number] = self._app.open(lambda text: self._said(number, text), closed)

    def say(self, number: int, text: str) -> None:
        """Hand over what the other end of a socket says."""
        if number in self._sockets:
            self._sockets[number].say(text)

    def close(self, number: int) -> None:
        """Close a socket, as its other end has."""
        if number in self._sockets:
            self._sockets.pop(number).close()
