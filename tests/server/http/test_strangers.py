"""A stranger cannot stop the others: slow and idle connections, floods of frames, full tables."""

import asyncio
import json
import resource
import select
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import Mock

import pytest
from uvicorn.protocols.utils import ClientDisconnected

from ferrovia.server.http.transports import SocketConnection
from tests.server.support.frames import CONTINUATION, PING, TEXT, frame
from tests.server.support.people import PERSON, Closed, Person, api, bot, create, metrics
from tests.server.support.processes import FREE, Server
from tests.server.support.raw import Raw

IMMEDIATELY = {
    **FREE,
    "header_seconds": 0.3,
    "body_seconds": 0.3,
    "send_seconds": 0.3,
    "close_seconds": 0.3,
    "idle_seconds": 0.3,
    "hello_seconds": 0.3,
}
HALF_A_HEADER = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half"


def until_closed(*raws: Raw, least: int) -> int:
    """Wait until a number of the connections are closed, and return how many are."""
    poll = select.poll()
    for raw in raws:
        poll.register(raw.socket, select.POLLIN | select.POLLHUP)
    while (closed := sum(raw.closed for raw in raws)) < least:
        assert poll.poll(60_000), f"only {closed} were closed"
    return closed


# Connections


def test_nothing_is_written_to_a_connection_that_is_lost() -> None:
    """What waits for somebody who is gone is dropped, without a line of the log for each."""
    gone = SocketConnection.__new__(SocketConnection)
    gone.transport = Mock(is_closing=lambda: True)
    with pytest.raises(ClientDisconnected):
        asyncio.run(gone.send({"type": "websocket.send", "text": "{}"}))
    assert not gone.transport.write.called


def test_people_who_are_gone_all_at_once_fill_no_log(house: Server) -> None:
    """Each who goes is told to those who are gone already, as far as anybody can know."""
    made = create(house.address, PERSON, bot())
    hello = json.dumps({"type": "hello", "table": made["table"]}).encode()
    with ExitStack() as stack:
        raws = [stack.enter_context(Raw(house.address)) for _ in range(60)]
        for raw in raws:
            raw.upgrade().say(hello)
        for raw in raws:
            assert raw.hear()[0] == TEXT  # its state
        for raw in raws:
            raw.reset()
    watcher = Person(house.address, made["table"]).come()
    while watcher.hear("presence")["spectators"] > 1:
        pass
    assert not [line for line in house.log if "socket.send" in line]


def few_descriptors() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))


def test_idle_and_half_sent_requests_stop_nobody(tmp_path: Path) -> None:
    """300 connections at a limit of 256 descriptors; the people who play notice nothing."""
    server = Server(str(tmp_path / "games.sqlite"))
    server.start(preexec_fn=few_descriptors)
    with ExitStack() as stack:
        stack.callback(server.kill)
        made = create(server.address, PERSON, bot())
        ada = Person(server.address, made["table"], made["held"][0]["token"]).come()
        for number in range(300):
            raw = stack.enter_context(Raw(server.address))
            if number % 2:
                raw.send(HALF_A_HEADER)
        assert api(server.address).get("/healthz").json() == {"status": "ok"}
        assert ada.command("decide", action="keep 1 2")["type"] == "accepted"
        Person(server.address, made["table"], made["held"][0]["token"]).come()
        assert not [line for line in server.log if "Traceback" in line]
        refused = [line for line in server.log if "connections_refused" in line]
        assert len(refused) == 1, refused  # one line for the storm


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        HALF_A_HEADER,
        b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n{",
        b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{",
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /heal",
    ],
    ids=["nothing", "half a header", "half a body", "half a chunk", "half of the second"],
)
def test_a_request_has_its_time(hasty: Server, sent: bytes) -> None:
    with Raw(hasty.address) as raw:
        raw.send(sent).read_to_the_end()  # hangs where there is no time limit


def test_a_byte_now_and_then_is_not_enough(hasty: Server) -> None:
    with Raw(hasty.address) as raw:
        raw.send(HALF_A_HEADER)
        while not raw.closed:
            select.select([raw.socket], [], [], 0.05)
            try:
                raw.send(b"f")
            except ConnectionError:
                break


def test_a_socket_has_to_say_hello_in_time_whatever_else_it_sends(hasty: Server) -> None:
    with Raw(hasty.address).upgrade() as raw:
        raw.say(b"", PING)
        assert raw.hear_close() == 4408


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    """A server with short times."""
    folder = tmp_path_factory.mktemp("hasty")
    (folder / "index.html").write_text("<!doctype html>")
    (folder / "large.bin").write_bytes(b"\0" * 30_000_000)
    store = str(folder / "games.sqlite")
    with Server(store, limits=IMMEDIATELY, web=str(folder)) as server:
        yield server


def test_who_does_not_read_the_answer_is_closed(hasty: Server) -> None:
    with Raw(hasty.address, receive_buffer=4096) as raw:
        raw.request("/large.bin")
        while 'connections_refused_total{of="stalled"}' not in metrics(hasty.address):
            select.select([], [], [], 0.05)
        assert len(raw.read_to_the_end()) < 30_000_000


def test_an_address_has_so_many_connections(tmp_path: Path, serving: Callable[..., Server]) -> None:
    limits = {**FREE, "connections_of_address": 8}
    server = serving(str(tmp_path / "games.sqlite"), limits=limits, trusted_proxies=[])
    made = create(server.address, PERSON, bot())
    token = made["held"][0]["token"]
    hello = json.dumps({"type": "hello", "table": made["table"], "token": token}).encode()
    with ExitStack() as stack:
        player = stack.enter_context(Raw(server.address, "127.0.0.2").upgrade()).say(hello)
        assert player.hear()[0] == TEXT
        idle = [stack.enter_context(Raw(server.address, "127.0.0.2")) for _ in range(20)]
        assert until_closed(*idle, least=13) == 13
        assert not player.closed  # who plays is not closed for who does nothing
        with Raw(server.address, "127.0.0.2") as last:
            assert b"200 OK" in last.request().read()
        assert api(server.address).get("/healthz").status_code == 200  # from another address


def test_spectators_leave_room_for_players(tmp_path: Path, serving: Callable[..., Server]) -> None:
    limits = {**FREE, "connections_in_all": 16}
    server = serving(str(tmp_path / "games.sqlite"), limits=limits)
    made = create(server.address, PERSON, bot())
    watchers = [Person(server.address, made["table"]).come() for _ in range(12)]
    with pytest.raises(Closed, match="4400"):
        Person(server.address, made["table"]).come()
    assert all(watcher.state is not None for watcher in watchers)
    token = made["held"][0]["token"]
    ada = Person(server.address, made["table"], token).come()
    assert ada.command("decide", action="keep 1 2")["type"] == "accepted"


def test_a_network_sends_so_much_at_a_time(tmp_path: Path, serving: Callable[..., Server]) -> None:
    """Thirty boards of 19.5 MiB, each without its last byte, took 600 MiB of memory."""
    server = serving(str(tmp_path / "games.sqlite"), limits={**FREE, "body_bytes": 2 << 20})
    body = b"x" * (1 << 20)

    def begin(stack: ExitStack, source: str) -> Raw:
        raw = stack.enter_context(Raw(server.address, source))
        return raw.request("/api/films", "POST", f"Content-Length: {len(body)}").send(body[:-1])

    with ExitStack() as stack:
        sending = [begin(stack, "127.0.0.2") for _ in range(4)]
        refused, _, _ = select.select([raw.socket for raw in sending], [], [], 60)
        while len(refused) < 2:
            refused, _, _ = select.select([raw.socket for raw in sending], [], [], 0.05)
        for raw in sending:
            if raw.socket in refused:
                assert b"429" in raw.read()
        with Raw(server.address, "127.0.0.2") as little:
            little.request("/api/films", "POST", "Content-Length: 4").send(b"nope")
            assert b"422" in little.read()
        assert b"422" in begin(stack, "127.0.0.3").send(b"x").read()
        for raw in sending:
            if raw.socket not in refused:
                assert b"422" in raw.send(b"x").read()
        assert b"422" in begin(stack, "127.0.0.2").send(b"x").read()


# Frames


@pytest.fixture(scope="module")
def counting(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    """A server that allows few frames, and one table."""
    limits = {
        **FREE,
        "frames": {"burst": 100, "per_second": 0},
        "received_bytes": {"burst": 200_000, "per_second": 0},
    }
    with Server(str(tmp_path_factory.mktemp("counting") / "games.sqlite"), limits=limits) as server:
        yield server


def watching(server: Server, **options: int) -> Raw:
    """A spectator's socket at a new table."""
    made = create(server.address, PERSON, bot())
    raw = Raw(server.address, **options).upgrade()
    raw.say(json.dumps({"type": "hello", "table": made["table"]}).encode())
    assert raw.hear()[0] == TEXT
    return raw


@pytest.mark.parametrize(
    "flood",
    [
        frame(b"", TEXT, last=False) + frame(b"", CONTINUATION, last=False) * 50_000,
        frame(b"", PING) * 50_000,
        frame(b"", PING + 1) * 50_000,
        frame(b"x" * 120, PING) * 5000,
    ],
    ids=["continuations", "pings", "pongs", "bytes"],
)
def test_every_frame_counts(counting: Server, flood: bytes) -> None:
    with watching(counting) as raw:
        try:
            raw.send(flood)
        except ConnectionError:
            return  # closed before all of it was read
        assert raw.hear_close() in (4429, 0)


def test_a_message_has_so_many_parts(house: Server) -> None:
    with watching(house) as raw:
        raw.send(frame(b"", TEXT, last=False) + frame(b"", CONTINUATION, last=False) * 200)
        assert raw.hear_close() in (4429, 0)


def test_pongs_that_nobody_reads_are_not_kept_for_ever(house: Server) -> None:
    with watching(house, receive_buffer=4096) as raw, pytest.raises(ConnectionError):
        raw.send(frame(b"x" * 125, PING) * 400_000)  # 50 MB


# Tables


def test_seats_have_room_of_their_own(tmp_path: Path, serving: Callable[..., Server]) -> None:
    limits = {**FREE, "viewers_of_table": 3}
    server = serving(str(tmp_path / "games.sqlite"), limits=limits)
    made = create(server.address, PERSON, bot())
    for _ in range(3):
        Person(server.address, made["table"]).come()
    with pytest.raises(Closed, match="4400"):
        Person(server.address, made["table"]).come()
    ada = Person(server.address, made["table"], made["held"][0]["token"]).come()
    assert ada.command("decide", action="keep 1 2")["type"] == "accepted"


def test_one_address_does_not_take_all_places_of_spectators(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    limits = {**FREE, "viewers_of_address": 2}
    server = serving(str(tmp_path / "games.sqlite"), limits=limits)
    made = create(server.address, PERSON, bot())
    hello = json.dumps({"type": "hello", "table": made["table"]}).encode()
    with ExitStack() as stack:
        here = [stack.enter_context(Raw(server.address).upgrade()).say(hello) for _ in range(3)]
        assert [raw.hear()[1][:16] for raw in here[:2]] == [b'{"type":"state",'] * 2
        assert b"too_fast" in here[2].hear()[1]
        there = stack.enter_context(Raw(server.address, "127.0.0.2").upgrade()).say(hello)
        assert there.hear()[1].startswith(b'{"type":"state",')


@pytest.mark.parametrize("sockets", [1, 2])
def test_the_newest_socket_of_a_token_wins(
    tmp_path: Path, serving: Callable[..., Server], sockets: int
) -> None:
    limits = {**FREE, "sockets_of_token": sockets}
    server = serving(str(tmp_path / "games.sqlite"), limits=limits)
    made = create(server.address, PERSON, bot())
    token = made["held"][0]["token"]
    first, second, third = (Person(server.address, made["table"], token).come() for _ in range(3))
    older, newer = (first, second, third)[:-sockets], (first, second, third)[-sockets:]
    for person in older:
        with pytest.raises(Closed, match="4409"):
            person.hear("nothing")
    for person in newer:
        person.say(type="ping")
        person.hear("pong")
    assert third.command("decide", action="keep 1 2")["type"] == "accepted"
