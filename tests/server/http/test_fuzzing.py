"""Whatever is sent, the server stays up, answers shortly, and the game stays as it was."""

import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.server.support.people import PERSON, Closed, Person, api, bot, create
from tests.server.support.processes import Server

NAMES = ["type", "id", "known", "action", "seat", "bot", "table", "token", "entry"]
KINDS = ["hello", "decide", "leave", "return", "replace", "pause", "resume", "fill", "rematch"]

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
almost = st.fixed_dictionaries(
    {"type": st.sampled_from(KINDS)},
    optional=dict.fromkeys(NAMES[1:], values),
)
messages = (
    st.text(max_size=200)
    | st.binary(max_size=200)
    | values.map(json.dumps)
    | almost.map(json.dumps)
)


def frozen(person: Person) -> Any:
    """What must not change: everything but who is connected."""
    return {key: person.state[key] for key in ("number", "table", "public", "own", "final")}


@settings(max_examples=60)
@given(st.lists(messages, min_size=1, max_size=8))
def test_nonsense_changes_nothing(house: Server, nonsense: list[str | bytes]) -> None:
    made = create(house.address, PERSON, bot(), edition="usa")
    token = made["held"][0]["token"]
    ada = Person(house.address, made["table"], token).come()
    while len(ada.state["public"]["awaited"]) > 1:
        ada.hear("state")  # the bot has chosen: nothing happens now but by Ada
    before = frozen(ada)
    assert ada.socket is not None
    try:
        for message in nonsense:
            ada.socket.send(message)
        ada.say(type="ping")
        ada.hear("pong")
        for frame in ada.frames:
            answer = json.loads(frame)
            assert answer["type"] in ("state", "presence", "refused", "pong")
            assert len(answer.get("detail") or "") < 300
            assert "Traceback" not in frame
    except Closed:
        pass
    ada.go()
    ada.come()
    assert frozen(ada) == before
    assert ada.command("decide", action="keep 1 2")["type"] == "accepted"
    ada.go()


@settings(max_examples=40)
@given(st.lists(messages, min_size=1, max_size=3))
def test_nonsense_instead_of_hello_is_turned_away(
    house: Server, nonsense: list[str | bytes]
) -> None:
    url = house.address.replace("http", "ws", 1) + "socket"
    with connect(url) as socket:
        try:
            for message in nonsense:
                socket.send(message)
            answer = json.loads(socket.recv(timeout=60))
            assert answer["type"] == "refused"
            socket.recv(timeout=60)
        except ConnectionClosed:
            pass
    assert api(house.address).get("/healthz").json() == {"status": "ok"}


def test_raw_bytes_on_the_port_harm_nobody(house: Server) -> None:
    import socket

    chance = random.Random(7)
    upgrade = (
        b"GET /socket HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    for number in range(60):
        with socket.create_connection(("127.0.0.1", house.settings["port"])) as raw:
            start = upgrade if number % 2 else b""
            raw.sendall(start + chance.randbytes(chance.randrange(1, 2000)))
    assert api(house.address).get("/healthz").json() == {"status": "ok"}
    assert house.process is not None
    assert house.process.poll() is None
