"""People who go on whatever happens, and write down what they do and see."""

import itertools
import json
import threading
import time
from typing import Any

import httpx2
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect

from tests.faults.history import History, Operation, agree
from tests.server.support.people import Closed, Person

WAIT = 3.0  # longer than any fault lasts; whoever hears nothing for so long connects again

BROKEN = (Closed, ConnectionClosed, InvalidHandshake, OSError, EOFError, httpx2.HTTPError)

# The outcome is not known, or may be another later: the same command again.
AGAIN = {"store_full", "store_locked", "store_unavailable", "too_fast", "internal"}

_ids = itertools.count(1)


class Player(Person):
    """Somebody at a table, or a spectator, who reaches it through any of several addresses."""

    def __init__(
        self,
        history: History,
        addresses: list[str],
        table: str,
        token: str | None,
        seed: int,
    ) -> None:
        super().__init__(addresses[0], table, token, seed)
        self._history = history
        self._addresses = addresses
        self.seen = history.view(table, f"player {seed}")
        self.pending: tuple[Operation, dict[str, Any]] | None = None
        self.connections = 0

    def come(self, known: int | None = 0) -> "Player":
        self.address = self.random.choice(self._addresses)
        url = self.address.replace("http", "ws", 1) + "socket"
        opening = connect(url, open_timeout=WAIT, close_timeout=0.1, ping_interval=None)
        self.socket = opening.__enter__()
        self.connections += 1
        self.say(type="hello", table=self.table, token=self.token, known=known)
        self.hear("state")
        return self

    def hear(self, *kinds: str, id: str | None = None) -> Any:
        assert self.socket is not None
        while True:
            frame = self.socket.recv(timeout=WAIT)
            message = json.loads(frame)
            self._take_up(message)
            if message["type"] == "refused" and message["id"] is None:
                raise Closed(message["code"])  # the hello
            if message["type"] in kinds and (id is None or message["id"] == id):
                return message

    def _take_up(self, message: Any) -> None:
        super()._take_up(message)
        if message["type"] == "state":
            for entry in message["entries"]:
                before = self.seen.setdefault(entry["number"], entry)
                if not agree(before, entry):  # at the end of a game, what was hidden is shown
                    self._history.contradictions.append(f"{self.table} {before} {entry}")

    def play_until(self, enough: threading.Event) -> None:
        """Play, or look on, until it is enough or the game is over."""
        while not enough.is_set():
            try:
                if self.socket is None:
                    self.come(known=max(self.seen, default=0))
                if self.state["table"]["status"] == "over":
                    break
                self._go_on()
            except BROKEN:
                self._hang_up()
                time.sleep(0.01)
        self._hang_up()

    def _hang_up(self) -> None:
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def _go_on(self) -> None:
        if self.pending is None:
            command = self._next()
            if command is None:
                self.hear("state", "presence")
                return
            id = f"f{next(_ids)}"
            message = {**command, "id": id, "known": self.state["number"]}
            self.pending = (self._history.send(self.table, id), message)
        operation, message = self.pending
        self.say(**message)
        answer = self.hear("accepted", "refused", id=operation.id)
        if answer["type"] == "accepted":
            operation.number, operation.answered = answer["number"], time.monotonic()
        elif answer["code"] in AGAIN:
            self._history.put_off_again(answer["code"])
            time.sleep(0.02)
            return
        else:
            operation.refused, operation.answered = answer["code"], time.monotonic()
        self.pending = None
        while answer["type"] == "accepted" and self.state["number"] < answer["number"]:
            self.hear("state")

    def _next(self) -> dict[str, Any] | None:
        """Return the next command: a move, taking one's seat back, or nothing."""
        own = self.state["own"]
        if own is not None and self.state["table"]["seats"][own["seat"]]["away"]:
            return {"type": "return"}
        return None if self.moves is None else {"type": "decide", "action": self.choose()}
