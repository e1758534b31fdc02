"""A whole game where there are no threads, processes, sockets, disks and databases, as in a page.

`python -m tests.server.support.without_system` plays it and prints how it ended.
"""

import asyncio
import importlib.abc
import json
import socket
import sys
import threading
from collections.abc import Callable, MutableMapping, Sequence
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


class Page:
    """An ASGI app, asked as a page asks it."""

    def __init__(self, app: Callable[..., Any]) -> None:
        self._app = app
        self._end = asyncio.Event()

    async def start(self) -> None:
        ready = asyncio.Event()
        events = iter([{"type": "lifespan.startup"}])

        async def receive() -> Any:
            for event in events:
                return event
            await self._end.wait()
            return {"type": "lifespan.shutdown"}

        async def send(message: MutableMapping[str, Any]) -> None:
            assert not message["type"].endswith("failed"), message
            ready.set()

        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
        self._life = asyncio.ensure_future(self._app(scope, receive, send))
        await ready.wait()

    async def stop(self) -> None:
        self._end.set()
        await self._life

    async def request(self, method: str, path: str, body: bytes = b"", token: str = "") -> Any:
        """Return status and body."""
        events = [{"type": "http.request", "body": body, "more_body": False}]
        sent: list[MutableMapping[str, Any]] = []

        async def receive() -> Any:
            return events.pop() if events else await asyncio.Event().wait()

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)

        headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
        headers.append((b"content-type", b"application/json"))
        await self._app({**_scope("http", path, headers), "method": method}, receive, send)
        return sent[0]["status"], b"".join(part.get("body", b"") for part in sent[1:])

    def open(self) -> "Socket":
        return Socket(self._app)


class Socket:
    def __init__(self, app: Callable[..., Any]) -> None:
        self._in: asyncio.Queue[Any] = asyncio.Queue()
        self._out: asyncio.Queue[Any] = asyncio.Queue()
        self._in.put_nowait({"type": "websocket.connect"})
        scope = {**_scope("websocket", "/socket", []), "subprotocols": []}
        self._task = asyncio.ensure_future(app(scope, self._in.get, self._out.put))

    async def close(self) -> None:
        self._in.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await self._task

    def say(self, message: object) -> None:
        self._in.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def hear(self, kind: str) -> Any:
        """Return the next message of a kind; the last state is kept."""
        while True:
            event = await self._out.get()
            assert event["type"] != "websocket.close", event
            if event["type"] == "websocket.send":
                message = json.loads(event["text"])
                assert message["type"] != "refused", message
                if message["type"] == "state":
                    self.state = message
                if message["type"] == kind:
                    return message


def _scope(kind: str, path: str, headers: Sequence[tuple[bytes, bytes]]) -> dict[str, Any]:
    path, _, query = path.partition("?")
    host = b"127.0.0.1:8765"
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"host", host), (b"origin", b"http://" + host), *headers],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8765),
        "extensions": {},
        "state": {},
    }


def page_system() -> Any:
    """Return a system that takes nothing from an operating system."""
    from ferrovia.server.analysis.worker import AnalysisTask
    from ferrovia.server.bots.pool import BotChoice
    from ferrovia.server.bots.question import BotQuestion
    from ferrovia.server.bots.worker import answer
    from ferrovia.server.metrics import Metrics
    from ferrovia.server.records.works import AnyWork
    from ferrovia.server.refusals import Refusal
    from ferrovia.server.store.memory import DirectJournal, MemoryStore
    from ferrovia.server.system import System

    class Pool:
        waiting = 0

        async def ask(self, question: BotQuestion, standing: object = None) -> BotChoice:
            await asyncio.sleep(0)
            answered = answer(question)
            assert not answered.problem, answered.problem
            return BotChoice(answered.action, asyncio.get_running_loop().time(), 0.0)

        async def close(self) -> None:
            pass

    async def elsewhere(work: AnyWork, record: bytes) -> bytes:
        raise Refusal("no_such_edition", "not here")

    async def analyst(task: AnalysisTask, report: object) -> None:
        return None

    async def post(host: str, path: str, body: bytes) -> None:
        raise OSError("not from here")

    return System(
        open_store=lambda _: MemoryStore(),
        journal=DirectJournal,
        bots=lambda _: Pool(),
        analyst=analyst,
        elsewhere=elsewhere,
        post=post,
        metrics=Metrics(),
    )


async def play() -> str:
    """Play a game against a bot to its end, and ask for what is left of it; return the answers."""
    from ferrovia.server.app import create_app
    from ferrovia.server.rates import Rate
    from ferrovia.server.settings import Limits, Settings

    much = Rate(burst=10_000, per_second=10_000)
    limits = Limits(messages=much, messages_of_address=much)
    settings = Settings(limits=limits, boards=(str(BOARD),), bot_pace=0.0, clock_grace=0.0)
    page = Page(create_app(settings, page_system()))
    await page.start()
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "bot": BOT}]
    wanted = json.dumps({"edition": "compass", "seats": seats}).encode()
    status, body = await page.request("POST", "/api/tables", wanted)
    assert status == 201, body
    made = json.loads(body)
    token = made["held"][0]["token"]
    viewer = page.open()
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
    await viewer.close()
    found = [
        (await page.request("GET", path, token=token))[0]
        for path in (
            f"/api/tables/{made['table']}/film",
            f"/api/tables/{made['table']}/picture",
            f"/api/tables/{made['table']}/record",
            "/api/tables",
            "/api/puzzles/today",
            "/readyz",
        )
    ]
    await page.stop()
    return f"{found}"


def main() -> None:
    sys.meta_path.insert(0, _Missing())
    loop = Loop()
    threading.Thread.start = _refuse  # type: ignore[method-assign]
    socket.socket.connect = socket.socket.bind = _refuse  # type: ignore[assignment, method-assign]
    print(loop.run_until_complete(play()))


if __name__ == "__main__":
    main()
