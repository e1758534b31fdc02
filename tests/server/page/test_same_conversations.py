"""A server in a page says the same as one in the network: whole games, every message compared."""

import asyncio
import io
import json
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Protocol

import msgspec
import pytest
from websockets.sync.client import connect

from ferrovia.server.app import create_app
from ferrovia.server.page.asgi import InProcess
from ferrovia.server.page.browser import SETTINGS, browser
from ferrovia.server.store.log_file import LogFileStore
from tests.server.support.people import WAIT, api
from tests.server.support.processes import SHORT_BOARD, Server
from tests.server.support.without_system import Loop, SameWorker

TOKEN = "A" * 43
TIMES = {"at", "changed", "created", "now", "version"}
"""What no two servers say alike."""


class Place(Protocol):
    """Where a server is asked."""

    def request(self, method: str, path: str, kind: str = "", body: bytes = b"") -> Any: ...

    def open(self) -> tuple[Callable[[str], None], Callable[[], str]]:
        """Open a socket; return how to say something, and how to hear the next message."""


class Network:
    def __init__(self, address: str) -> None:
        self._address = address

    def request(self, method: str, path: str, kind: str = "", body: bytes = b"") -> Any:
        headers = {"content-type": f"application/{kind}"} if kind else {}
        with api(self._address, TOKEN) as client:
            answer = client.request(method, path, content=body, headers=headers)
        return answer.status_code, answer.content

    def open(self) -> tuple[Callable[[str], None], Callable[[], str]]:
        url = self._address.replace("http", "ws", 1) + "socket"
        socket = connect(url, open_timeout=WAIT, ping_interval=None).__enter__()
        return socket.send, lambda: str(socket.recv(timeout=WAIT))


class InPage:
    """A server as a page has it, in a thread with an event loop that has no threads."""

    def __init__(self) -> None:
        self._loop = Loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        settings = msgspec.structs.replace(SETTINGS, boards=(str(SHORT_BOARD),), bot_pace=0.0)
        system = browser(LogFileStore(io.BytesIO()), SameWorker())
        self._app = self._do(self._begin(lambda: InProcess(create_app(settings, system))))

    async def _begin(self, make: Callable[[], InProcess]) -> InProcess:
        app = make()
        await app.start()
        return app

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(WAIT)

    def request(self, method: str, path: str, kind: str = "", body: bytes = b"") -> Any:
        headers = [("authorization", f"Bearer {TOKEN}")]
        headers += [("content-type", f"application/{kind}")] if kind else []
        answer = self._do(self._app.request(method, path, headers, body))
        return answer.status, answer.body

    def open(self) -> tuple[Callable[[str], None], Callable[[], str]]:
        async def opened() -> Any:
            heard: asyncio.Queue[Any] = asyncio.Queue()
            return self._app.open(heard.put_nowait, heard.put_nowait), heard

        socket, heard = self._do(opened())
        say = self._loop.call_soon_threadsafe
        return lambda text: say(socket.say, text) and None, lambda: str(self._do(heard.get()))

    def end(self) -> None:
        self._do(self._app.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture
def in_page() -> Iterator[InPage]:
    page = InPage()
    yield page
    page.end()


def without_times(value: Any) -> Any:
    """Return a message without what no two servers say alike."""
    if isinstance(value, dict):
        return {key: without_times(it) for key, it in value.items() if key not in TIMES}
    if isinstance(value, list):
        return [without_times(it) for it in value]
    return value


def play(place: Place, edition: str) -> list[Any]:
    """Play a whole game with mistakes in it, ask for what is left; return all that is heard."""
    heard: list[Any] = []

    def ask(method: str, path: str, kind: str = "", body: bytes = b"") -> bytes:
        status, answer = place.request(method, path, kind, body)
        text = answer.decode()
        heard.append([path, status, *map(without_times, map(json.loads, text.splitlines()))])
        return bytes(answer)

    for path in ("offerings", f"editions/{edition}", "tutorials/usa", "puzzles/7", "nothing"):
        ask("GET", f"/api/{path}")
    wanted = {
        "edition": edition,
        "seats": [{"kind": "person", "name": "Ada"}, {"kind": "bot", "bot": "planner"}],
        "seed": "5" * 64,
    }
    table = json.loads(ask("POST", "/api/tables", "json", json.dumps(wanted).encode()))
    say, hear = place.open()
    hello = {"type": "hello", "table": table["table"], "token": table["held"][0]["token"]}
    say(json.dumps({**hello, "known": 0}))
    number, sent = -1, 0
    entries: dict[int, Any] = {}
    while True:
        message = without_times(json.loads(hear()))
        if message["type"] == "presence":
            continue  # when it comes is a matter of time
        if message["type"] != "state":
            heard.append(message)
            continue
        entries.update({entry["number"]: entry for entry in message.pop("entries")})
        # So is how many entries a state brings: those states that await only us are the same.
        over = message["table"]["status"] == "over"
        if message.pop("since") is None or message["number"] == number:
            continue
        if not over and message["public"]["awaited"] != [0]:
            continue
        heard.append(message)
        if over:
            break
        moves = message["own"]["moves"]
        number, sent = message["number"], sent + 1
        claims = [one for one in moves["actions"] if one.startswith("claim")]
        chosen = (claims or moves["actions"])[sent % 2 - 1]
        for id, action in ((f"wrong-{sent}", "claim the moon"), (f"right-{sent}", chosen)):
            decision = {"type": "decide", "id": id, "known": number, "action": action}
            say(json.dumps(decision))
    heard.append([entries[number] for number in sorted(entries)])
    path = f"/api/tables/{table['table']}"
    record = ask("GET", f"{path}/record")
    ask("GET", f"{path}/film")
    ask("POST", "/api/films", "jsonl", record)
    ask("POST", "/api/films", "jsonl", b"no record")
    return [json.loads(json.dumps(one).replace(table["table"], "TABLE")) for one in heard]


@pytest.mark.parametrize("edition", ["short", "europe"])
def test_every_message_is_the_same(house: Server, in_page: InPage, edition: str) -> None:
    there, here = play(Network(house.address), edition), play(in_page, edition)
    for one, other in zip(there, here, strict=True):
        assert one == other
