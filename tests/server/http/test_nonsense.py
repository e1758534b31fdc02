"""Nothing that a client sends gets a traceback, or a line in the log as an error of ours."""

import gc
import json
import random
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.server.conftest import Cluster
from tests.server.support.frames import BINARY, CLOSE, CONTINUATION, PING, TEXT, frame
from tests.server.support.people import PERSON, api, bot, create, metrics
from tests.server.support.processes import FREE, Server
from tests.server.support.raw import Raw

HEAD = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n"
UPGRADE = (
    HEAD % b"/socket"
    + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    + b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
POST = b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n"

PATHS = [
    *(
        b"/api/tables/%s",
        b"/api/tables/%s/record",
        b"/api/editions/%s",
        b"/api/editions/%s/picture",
    ),
    *(b"/%s", b"/table/%s", b"/assets/%s", b"/api/editions/usa?extras=%s"),
]
NAMES = [
    b"%00",
    b"%ff%fe",
    b"..%2f..%2fetc%2fpasswd",
    b"%ed%a0%80",
    b"a" * 5000,
    b"%",
    b"%zz",
    b"//",
]

REQUESTS = [
    *(HEAD % (path % name) + b"\r\n" for path in PATHS for name in NAMES),
    *(
        POST + header + b"\r\nContent-Length: 2\r\n\r\n{}"
        for header in (
            b"Origin: http://[",
            b"Origin: http://[::1",
            b"Origin: \xff\xfe",
            b"Origin: http://a:99999999",
            b"X-Forwarded-For: \xff, [::1, 1.2.3.4:x",
            b"Authorization: Bearer \xff",
            b"Authorization: Bearer",
            b"Content-Type: \xff",
            b"Cookie: " + b"x" * 20_000,
            b"Expect: 100-continue",
            b"Transfer-Encoding: chunked",
            b"Host: [",
        )
    ),
    b"GET /api/tables HTTP/1.1\r\nHost: [\r\n\r\n",
    b"GET /api/tables HTTP/1.1\r\n\r\n",
    b"GET /api/tables HTTP/9.9\r\nHost: a\r\n\r\n",
    b"GET http://127.0.0.1:99999999/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    HEAD % b"/" + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
    HEAD % b"/" + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    POST + b"Content-Length: 50\r\n\r\n{",
    POST + b"Content-Length: 9\r\n\r\n\xff\xfe\xfd\xfc\xff\xfe\xfd\xfc\xff",
    POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{}",
    *(  # a broken chunk in the packet of a request that is answered or refused at once
        start + b"\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
        for start in (
            b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1",
            b"GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1",
            b"GET /api/tables HTTP/1.1\r\nHost: evil.example",
            b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example",
            b"POST /api/reach HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue",
        )
    ),
    HEAD % b"/healthz" + b"\r\n" + b"nonsense after a request\r\n\r\n",
    HEAD % b"/healthz" + b"\r\n" + HEAD % b"/healthz" + b"\r\n" + b"\0\1\2\r\n\r\n",
    b"POST /socket HTTP/1.1\r\n" + UPGRADE.partition(b"\r\n")[2] + b"\r\n",
    UPGRADE.replace(b"13", b"7") + b"\r\n",
    UPGRADE.replace(b"dGhlIHNhbXBsZSBub25jZQ==", b"short") + b"\r\n",
    UPGRADE.replace(b"/socket", b"/nowhere") + b"\r\n",
    UPGRADE.replace(b"/socket", b"/%ff%00") + b"\r\n",
    UPGRADE.replace(b"Host: 127.0.0.1", b"Host: evil.example") + b"\r\n",
    UPGRADE + b"Origin: http://[\r\n\r\n",
    UPGRADE + b"Origin: http://evil.example\r\n\r\n",
    UPGRADE + b"Sec-WebSocket-Protocol: \xff\r\n\r\n",
    UPGRADE + b"Sec-WebSocket-Extensions: ;;;\r\n\r\n",
    UPGRADE + b"X: " + b"y" * 9000 + b"\r\n\r\n",
    UPGRADE + b"\r\n" + b"\xff" * 500,
]


def hello(table: str, **more: object) -> bytes:
    return json.dumps({"type": "hello", "table": table, **more}).encode()


def frames_of(table: str) -> list[bytes]:
    """What is said over a socket, in place of a hello or after it."""
    texts = [
        *(b"\xff\xfe", b"{", b"[" * 30_000, b'"\\ud800"', b"null", b'{"type":"hello"}'),
        *(b'{"type":"decide","id":"a","known":1e400,"action":"x"}', b'{"type":"ping","x":1}'),
        b'{"type":"decide","id":"a","known":0,"action":"\\u0000\\ud800"}',
        b'{"type":"hint","id":"a","bot":"program:rm"}',
        b'{"type":"history","id":"a","before":1000000000}',
        hello("\x00"),
        hello(table, token="x" * 43),
        hello(table, known=10**9),
        hello(table, known=-1),
    ]
    return [
        *map(frame, texts),
        frame(b"x", BINARY),
        frame(b"x", CONTINUATION),
        frame(b"x", TEXT, last=False) + frame(b"y", TEXT),
        frame(b"\xff", TEXT, last=False) + frame(b"\xff", CONTINUATION),
        frame(b"x", TEXT, last=False) + frame(b"", CLOSE),
        frame(b"x" * 126, PING),
        frame(b"x", 0x3),
        frame(b"x", 0xF),
        frame(b"x", PING, last=False),
        frame(b"", CLOSE),
        frame(b"x", CLOSE),
        frame(struct.pack("!H", 1005), CLOSE),
        frame(struct.pack("!H", 9999) + b"\xff", CLOSE),
        frame(struct.pack("!H", 1000) + b"bye", CLOSE) + frame(b"after the close"),
        b"\xf1\x81\0\0\0\0x",  # bits that are reserved
        b"\x81\x01x",  # without a mask
        b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0",  # of 2^63 bytes
        frame(b'{"type":"ping"}') * 8 + frame(b"", CLOSE),  # a close among too many messages
        frame(b'{"type":"ping"}') * 80,
    ]


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a client, whose log is read; messages are soon too many for it."""
    folder = tmp_path_factory.mktemp("heard")
    (folder / "index.html").write_text("<!doctype html>")
    limits = {**FREE, "messages": {"burst": 4, "per_second": 0}, "header_seconds": 2.0}
    limits |= {"body_seconds": 2.0, "hello_seconds": 2.0, "refusals_in_a_row": 10}
    with Server(str(folder / "games.sqlite"), limits=limits, web=str(folder)) as server:
        yield server


def complaints(server: Server) -> list[str]:
    """Wait until all connections are gone; return the lines of the log that blame us."""
    gc.collect()  # clients of these tests that are done keep theirs until they are collected
    while "ferrovia_connections 1.0" not in metrics(server.address):
        pass
    return [line for line in server.log if "Traceback" in line or '"level":"error"' in line]


def end(raw: Raw, how: int) -> None:
    """Go as clients go: at once, politely, by half, or in the middle of a sentence."""
    if how == 1:
        raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif how == 2:
        try:
            raw.socket.shutdown(socket.SHUT_WR)
        except OSError:
            return
        raw.read_to_the_end()
    elif how == 3:
        raw.socket.settimeout(0.02)
        with suppress(TimeoutError):
            raw.read()


def send(raw: Raw, data: bytes) -> None:
    with suppress(ConnectionError):  # closed before all of it was sent
        raw.send(data)


@pytest.mark.parametrize("how", range(3))
def test_requests(heard: Server, how: int) -> None:
    for request in REQUESTS:
        with Raw(heard.address) as raw:
            send(raw, request)
            end(raw, how)
    assert complaints(heard) == []
    assert api(heard.address).get("/readyz").json() == {"status": "ok"}


@pytest.mark.parametrize("how", range(4))
@pytest.mark.parametrize("first", ["", "spectator", "player"])
def test_sockets(heard: Server, first: str, how: int) -> None:
    made = create(heard.address, PERSON, bot())
    token = made["held"][0]["token"] if first == "player" else None
    for said in frames_of(made["table"]):
        with Raw(heard.address).upgrade() as raw:
            if first:
                raw.say(hello(made["table"], token=token, known=0)).hear()
            send(raw, said)
            end(raw, how)
    assert complaints(heard) == []


def test_a_client_that_goes_before_it_is_answered(heard: Server) -> None:
    made = create(heard.address, PERSON, bot())
    for cut in range(0, len(UPGRADE) + 60, 7):
        with Raw(heard.address) as raw:
            raw.send((UPGRADE + b"\r\n" + frame(hello(made["table"], known=0)))[:cut])
            end(raw, cut % 3)
    assert complaints(heard) == []


def test_noise(heard: Server) -> None:
    """What is almost right: requests and frames with a few bytes changed."""
    chance = random.Random(14)
    made = create(heard.address, PERSON, bot())
    upgraded = [UPGRADE + b"\r\n" + said for said in frames_of(made["table"])]
    for number in range(400):
        data = bytearray(chance.choice(REQUESTS if number % 2 else upgraded)[:3000])
        for _ in range(chance.randrange(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        with Raw(heard.address) as raw:
            send(raw, bytes(data))
            end(raw, chance.randrange(2))
    assert complaints(heard) == []


@pytest.mark.xdist_group("postgresql")
def test_a_zero_in_a_path_is_no_problem_of_the_database(
    cluster: Cluster, serving: Callable[..., Server]
) -> None:
    server = serving(cluster.database())
    for path in ("/api/tables/%00", "/api/tables/a%00b/record"):
        assert api(server.address).get(path).json()["code"] == "no_such_table"
    joined = api(server.address).post("/api/tables/%00/join", json={"name": "Eve"})
    assert joined.status_code == 404
    declined = api(server.address, "t" * 43).post("/api/tables/a%00b/decline")
    assert declined.status_code == 404
    assert "store_errors_total{" not in metrics(server.address)
    assert not [line for line in server.log if "store_error" in line]


def test_a_problem_of_the_store_is_logged(tmp_path: Path, serving: Callable[..., Server]) -> None:
    store = tmp_path / "games.sqlite"
    server = serving(str(store))
    store.rename(tmp_path / "elsewhere.sqlite")
    request = {"edition": "usa", "seats": [PERSON, bot()]}
    assert api(server.address).post("/api/tables", json=request).status_code == 503
    while not [line for line in server.log if "store_error" in line]:
        pass
