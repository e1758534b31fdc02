"""A whole game where there are no threads, processes, sockets, disks and databases, as in a page.

`python -m tests.server.support.without_system` plays it and prints how it ended.
"""

import asyncio
import importlib.abc
import json
import socket
import sys
import threading
from collections.abc import Awaitable, Callable
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn

BOT = "planner"
BOARD = Path(__file__).parents[2] / "boards" / "small.json"  # its games are short
MISSING = {
    "_multiprocessing",
    "_posixsubprocess",
    "_sqlite3",
    "_ssl",
    "fcntl",
    "numpy",
    "prometheus_client",
    "psycopg",
    "resource",
    "uvicorn",
    "websockets",
}


class _Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name: str, *_: object) -> None:
        if name in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r} in a page", name=name)


def _refuse(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("there is no such thing in a page")


class Loop(asyncio.SelectorEventLoop):
    """An event loop without threads."""

    def run_in_executor(self, executor: object, func: Callable[..., Any], *args: Any) -> Any:
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as problem:
            future.set_exception(problem)
        return future


class SameWorker:
    """The other workers of a page, here instead."""

    async def ask(
        self, job: Any, body: bytes, seconds: float, heard: Callable[[bytes], None]
    ) -> bytes:
        from ferrovia.server.page.jobs import do

        await asyncio.sleep(0)
        return do(job, body, heard)


class _Viewer:
    """Somebody with a socket."""

    def __init__(self, open: Callable[..., Any]) -> None:
        self._heard: asyncio.Queue[Any] = asyncio.Queue()
        self.state: Any = None
        self._socket = open(self._heard.put_nowait, self._heard.put_nowait)

    def say(self, message: object) -> None:
        self._socket.say(json.dumps(message))

    def close(self) -> None:
        self._socket.close()

    async def hear(self, kind: str) -> Any:
        """Return the next message of a kind; the last state is kept."""
        while True:
            text = await self._heard.get()
            assert isinstance(text, str), text
            message = json.loads(text)
            assert message["type"] != "refused", message
            if message["type"] == "state":
                self.state = message
            if message["type"] == kind:
                return message


async def play() -> str:
    """Play a game against a bot to its end, and ask for what is left of it; return the answers."""
    import msgspec

    from ferrovia.server.app import create_app
    from ferrovia.server.page.asgi import InProcess
    from ferrovia.server.page.browser import SETTINGS, browser
    from ferrovia.server.store.log_file import LogFileStore

    settings = msgspec.structs.replace(SETTINGS, boards=(str(BOARD),), bot_pace=0.0)
    file = BytesIO()
    page = InProcess(create_app(settings, browser(LogFileStore(file), SameWorker())))
    await page.start()
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "bot": BOT}]
    wanted = json.dumps({"edition": "compass", "seats": seats}).encode()
    made = json.loads((await _ok(page.request("POST", "/api/tables", body=wanted))).body)
    token = made["held"][0]["token"]
    viewer = _Viewer(page.open)
    viewer.say({"type": "hello", "table": made["table"], "token": token})
    await viewer.hear("state")
    moves = 0
    while not viewer.state.get("final"):
        own = (viewer.state.get("own") or {}).get("moves")
        if not own:
            await viewer.hear("state")
            continue
        moves += 1
        claims = [one for one in own["actions"] if one.startswith("claim")]
        action, known = (claims or own["actions"])[0], viewer.state["number"]
        viewer.say({"type": "decide", "id": f"m{moves}", "known": known, "action": action})
        number = (await viewer.hear("accepted"))["number"]
        while viewer.state["number"] < number:
            await viewer.hear("state")
    viewer.close()
    own_seat = [("authorization", f"Bearer {token}")]
    table = f"/api/tables/{made['table']}"
    record = (await _ok(page.request("GET", f"{table}/record", own_seat))).body
    asked = [
        await page.request("GET", path, own_seat)
        for path in (f"{table}/film", f"{table}/picture", "/api/puzzles/today", "/readyz")
    ]
    asked.append(await page.request("POST", "/api/films", _RECORD, record))
    asked.append(await page.request("POST", f"{table}/analysis", _JSON + own_seat, b"{}"))
    while (await _ok(page.request("GET", f"{table}/analysis", own_seat))).body.find(b'"ready"') < 0:
        await asyncio.sleep(0)
    kept = file.getvalue()
    await page.stop()
    again = LogFileStore(BytesIO(kept))
    assert again.report is not None
    assert again.report.ok
    found = len(again.entries(made["table"])) > moves, len(again.analyses(made["table"]))
    return f"{[one.status for one in asked]} {found}"


_JSON = [("content-type", "application/json")]
_RECORD = [("content-type", "application/jsonl")]


async def _ok(request: Awaitable[Any]) -> Any:
    answer = await request
    assert answer.status < 300, answer
    return answer


def main() -> None:
    sys.meta_path.insert(0, _Missing())
    loop = Loop()
    threading.Thread.start = _refuse  # type: ignore[method-assign]
    socket.socket.connect = socket.socket.bind = _refuse  # type: ignore[assignment, method-assign]
    print(loop.run_until_complete(play()))


if __name__ == "__main__":
    main()
