"""Attacks of a stranger, and what the people who play notice of them.

`python -m tests.server.attacks` prints the table of the page about it. The stranger comes from an
address of their own (127.0.0.2, ...), and every limit is the one that is built in.
"""

import json
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tests.server.support.frames import CONTINUATION, PING, TEXT, frame
from tests.server.support.people import OPEN, PERSON, Person, api, bot, create
from tests.server.support.processes import Server
from tests.server.support.raw import Raw
from tests.server.table.test_histories import lengthened

STRANGER = "127.0.0.2"
HALF_A_HEADER = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half"


def few_descriptors() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))


@contextmanager
def serving(
    preexec: Callable[[], None] | None = None, **settings: object
) -> Iterator[tuple[Server, Path]]:
    """A server with the limits that are built in."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "games.sqlite"
        server = Server(str(store), limits={}, trusted_proxies=[], bot_pace=0.8, **settings)
        server.start(**({} if preexec is None else {"preexec_fn": preexec}))
        try:
            yield server, store
        finally:
            server.stop()


class Pulse:
    """Somebody who plays, and how long the server takes to answer them at worst."""

    def __init__(self, server: Server) -> None:
        made = create(server.address, PERSON, OPEN)
        self._raw = Raw(server.address).upgrade()
        hello = {"type": "hello", "table": made["table"], "token": made["held"][0]["token"]}
        self._raw.say(json.dumps(hello).encode())
        self._raw.hear()
        self.worst = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat)

    def _beat(self) -> None:
        while not self._stop.wait(0.12):
            began = time.perf_counter()
            self._raw.say(b'{"type":"ping"}')
            while b"pong" not in self._raw.hear()[1]:
                pass
            self.worst = max(self.worst, time.perf_counter() - began)

    def __enter__(self) -> "Pulse":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._raw.close()


def idle_connections() -> Iterator[str]:
    with serving(few_descriptors) as (server, _), ExitStack() as stack, Pulse(server) as pulse:
        began = time.perf_counter()
        raws = [stack.enter_context(Raw(server.address, STRANGER)) for _ in range(300)]
        for raw in raws[::2]:
            with suppress(ConnectionError):
                raw.send(HALF_A_HEADER)
        asked = time.perf_counter()
        assert api(server.address).get("/healthz").status_code == 200
        took = time.perf_counter() - asked
        while not all(raw.closed for raw in raws):
            time.sleep(0.1)
        closed = time.perf_counter() - began
    written = sum(map(len, server.log))
    yield (
        f"| 300 idle or half-sent requests, 256 descriptors | a new request {1000 * took:.0f} ms, "
        f"who plays {1000 * pulse.worst:.0f} ms at worst; all closed after {closed:.0f} s; the "
        f"whole log {written} bytes |"
    )


def frames() -> Iterator[str]:
    floods = {
        "empty continuations": frame(b"", TEXT, last=False)
        + frame(b"", CONTINUATION, last=False) * 400_000,
        "pings": frame(b"", PING) * 400_000,
    }
    with serving() as (server, _):
        table = create(server.address, PERSON, OPEN)["table"]
        hello = json.dumps({"type": "hello", "table": table}).encode()
        for name, flood in floods.items():
            with Pulse(server) as pulse:
                work = (server.address, hello, flood)
                threads = [threading.Thread(target=_pour, args=work) for _ in range(3)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
            yield (
                f"| three sockets send 400,000 {name} each, and come again when they are closed, "
                f"for 5 s | who plays {1000 * pulse.worst:.0f} ms at worst |"
            )


def _pour(address: str, hello: bytes, flood: bytes) -> None:
    until = time.monotonic() + 5
    while time.monotonic() < until:
        with suppress(ConnectionError, AssertionError), Raw(address, STRANGER) as raw:
            raw.upgrade().say(hello).send(flood).hear_close()


def viewers() -> Iterator[str]:
    with serving() as (server, _), ExitStack() as stack:
        made = create(server.address, PERSON, OPEN)
        hello = json.dumps({"type": "hello", "table": made["table"]}).encode()
        looking = 0
        for number in range(300):
            source = f"127.0.0.{2 + number // 75}"
            with suppress(ConnectionError, AssertionError):
                raw = stack.enter_context(Raw(server.address, source)).upgrade().say(hello)
                looking += raw.hear()[1].startswith(b'{"type":"state"')
        began = time.perf_counter()
        Person(server.address, made["table"], made["held"][0]["token"]).come().go()
        took = time.perf_counter() - began
    yield (
        f"| 300 viewers from four addresses at one table | {looking} look on; its player is in "
        f"after {1000 * took:.0f} ms |"
    )


def bots(tables: int = 30) -> Iterator[str]:
    with serving() as (server, _):
        made = create(server.address, PERSON, bot("director"), edition="usa")
        ada = Person(server.address, made["table"], made["held"][0]["token"]).come()
        ada.play(upto=ada.state["number"] + 6)
        quiet = _answers(ada)
        request = {"edition": "usa", "seats": [bot("director")] * 2}
        for _ in range(tables):
            api(server.address).post("/api/tables", json=request)
        under = _answers(ada)
    yield (
        f"| {tables} tables of Directors only | a Director's answer at another table: "
        f"{quiet:.1f} s before, {under:.1f} s meanwhile (median of 6) |"
    )


def _answers(ada: Person) -> float:
    took = []
    while len(took) < 6:
        number = ada.state["number"]
        while ada.moves:
            number = ada.decide()["number"]
            while ada.state["number"] < number:
                ada.hear("state")
        began = time.perf_counter()
        while ada.state["number"] == number:
            ada.hear("state")
        took.append(time.perf_counter() - began)
        while not ada.moves:
            ada.hear("state")
    return statistics.median(took)


def histories(entries: int = 100_000) -> Iterator[str]:
    with serving() as (server, store):
        made = create(server.address, PERSON, PERSON)
        server.stop()
        lengthened(str(store), made["table"], entries)
        server.start()
        with Pulse(server) as pulse:
            began = time.perf_counter()
            token = made["held"][0]["token"]
            ada = Person(server.address, made["table"], token).come(known=0)
            took = time.perf_counter() - began
            again = time.perf_counter()
            Person(server.address, made["table"], token).come(known=0).go()
            second = time.perf_counter() - again
            ada.go()
    yield (
        f"| `hello` to a log of {entries:,} events | {took:.1f} s when the table is resumed, then "
        f"{1000 * second:.0f} ms; who plays elsewhere {1000 * pulse.worst:.0f} ms at worst |"
    )


def listing() -> Iterator[str]:
    with serving() as (server, _):
        club = create(server.address, PERSON, OPEN, listed=True)["table"]
        body = json.dumps({"edition": "usa", "seats": [PERSON, OPEN], "listed": True})
        for number in range(120):
            with Raw(server.address, f"127.0.0.{2 + number % 4}") as raw:
                raw.request("/api/tables", "POST", f"Content-Length: {len(body)}")
                raw.send(body.encode()).read()
        found = [line["table"] for line in api(server.address).get("/api/tables").json()["tables"]]
    yield (
        f"| 120 listed tables from four addresses | {len(found)} lines; an older table is line "
        f"{found.index(club) + 1} |"
    )


ATTACKS = (idle_connections, frames, viewers, bots, histories, listing)


def main() -> None:
    print("| attack | what happened |\n|---|---|")
    for attack in ATTACKS:
        for line in attack():
            print(line, flush=True)


if __name__ == "__main__":
    main()
