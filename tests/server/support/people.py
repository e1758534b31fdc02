"""People for the tests: real clients over real sockets, who play whatever is legal."""

import itertools
import json
import random
import threading
from typing import Any

import httpx2
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.server.support.processes import METRICS_TOKEN

_ids = itertools.count(1)
WAIT = 300.0  # a limit for hanging tests; nothing depends on it being short


class Closed(Exception):
    """The server closed the socket."""


def api(address: str, token: str | None = None) -> httpx2.Client:
    headers = {} if token is None else {"authorization": f"Bearer {token}"}
    # Plain HTTP: without `verify` the certificates of all authorities are not read for nothing.
    return httpx2.Client(base_url=address, headers=headers, timeout=WAIT, verify=False)


def metrics(address: str) -> str:
    with api(address, METRICS_TOKEN) as client:
        answer = client.get("/metrics")
    assert answer.status_code == 200, answer.text
    return answer.text


def create(address: str, *seats: dict[str, str], token: str | None = None, **setup: Any) -> Any:
    request = {"edition": "europe", "seats": seats, **setup}
    answer = api(address, token).post("/api/tables", json=request)
    assert answer.status_code == 201, answer.text
    return answer.json()


def join(address: str, table: str, name: str) -> Any:
    answer = api(address).post(f"/api/tables/{table}/join", json={"name": name})
    assert answer.status_code == 200, answer.text
    return answer.json()


PERSON = {"kind": "person", "name": "Ada"}
OPEN = {"kind": "open"}


def bot(name: str = "greedy") -> dict[str, str]:
    return {"kind": "bot", "bot": name}


class Person:
    """Somebody at a table, or a spectator (no token)."""

    def __init__(self, address: str, table: str, token: str | None = None, seed: int = 0) -> None:
        self.address, self.table, self.token = address, table, token
        self.random = random.Random(seed)
        self.frames: list[str] = []
        self.state: Any = None
        self.entries: list[Any] = []
        self.accepted: dict[str, int] = {}
        self.socket: ClientConnection | None = None

    def come(self, known: int | None = 0) -> "Person":
        """Connect and say hello; the first frame is the state."""
        url = self.address.replace("http", "ws", 1) + "socket"
        # Without a thread for pings, which would go on after the test.
        try:
            quiet = connect(url, open_timeout=WAIT, close_timeout=5, ping_interval=None)
        except ConnectionClosed as closed:  # by a server that ends in the middle of it
            raise Closed(closed.rcvd.code if closed.rcvd else None) from None
        self.socket = quiet.__enter__()
        self.say(type="hello", table=self.table, token=self.token, known=known)
        self.hear("state")
        return self

    def go(self) -> None:
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def say(self, **message: Any) -> None:
        assert self.socket is not None
        try:
            self.socket.send(json.dumps(message))
        except ConnectionClosed as closed:
            raise Closed(closed.rcvd.code if closed.rcvd else None) from None

    def hear(self, *kinds: str, id: str | None = None) -> Any:
        """Read frames until one of these kinds (and this id) comes."""
        assert self.socket is not None
        while True:
            try:
                frame = self.socket.recv(timeout=WAIT)
            except ConnectionClosed as closed:
                raise Closed(closed.rcvd.code if closed.rcvd else None) from None
            assert isinstance(frame, str)
            self.frames.append(frame)
            message = json.loads(frame)
            self._take_up(message)
            if message["type"] in kinds and (id is None or message["id"] == id):
                return message

    def _take_up(self, message: Any) -> None:
        if message["type"] == "state":
            assert message["number"] == message["since"] + len(message["entries"])
            self.entries = [e for e in self.entries if e["number"] <= message["since"]]
            self.entries += message["entries"]
            self.state = message
        elif message["type"] == "accepted":
            self.accepted[message["id"]] = message["number"]

    def command(
        self, type: str, *, known: int | None = None, id: str | None = None, **more: Any
    ) -> Any:
        """Give a command, and the answer to it."""
        id = id or f"c{next(_ids)}"
        known = self.state["number"] if known is None else known
        self.say(type=type, id=id, known=known, **more)
        return self.hear("accepted", "refused", id=id)

    @property
    def moves(self) -> list[str] | None:
        own = self.state["own"]
        if own is None or own["moves"] is None or self.state["table"]["paused"]:
            return None
        if self.state["table"]["seats"][own["seat"]]["away"]:
            return None
        return own["moves"]["actions"]

    def choose(self) -> str:
        """Something legal that brings the game on."""
        assert self.moves
        claims = [move for move in self.moves if move.startswith("claim")]
        return self.random.choice(claims or self.moves)

    def decide(self) -> Any:
        return self.command("decide", action=self.choose())

    def play(self, upto: int = 1_000_000) -> None:
        """Play until the end, or until the event of this number."""
        while self.state["table"]["status"] != "over" and self.state["number"] < upto:
            if self.moves is None:
                self.hear("state")
                continue
            answer = self.decide()
            assert answer["type"] == "accepted", answer
            if self.state["number"] < answer["number"]:
                self.hear("state")


def together(*people: Person, events: int = 1_000_000) -> None:
    """Let people play at the same time, to the end or for a number of events."""
    upto = max(person.state["number"] for person in people) + events
    problems: list[BaseException] = []

    def run(person: Person) -> None:
        try:
            person.play(upto)
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=run, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]
