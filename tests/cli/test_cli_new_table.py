"""The table that `play` opens: what is asked of a server, and of one that runs already."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import click
import pytest

from ferrovia.cli.new_table import NewTable, link_to, open_at_running_server
from ferrovia.game.chance.seeds import seed_bytes

IN_USE = "another server uses the store."
SMALL_BOARD = Path(__file__).parents[1] / "boards" / "small.json"


def table(
    edition: str = "usa", bots: tuple[str, ...] = ("greedy",), seed: int | None = None
) -> NewTable:
    return NewTable(edition, bots, "Ada", seed, ())


class Answer:
    """What a server that runs already answers, and what it was asked."""

    def __init__(self) -> None:
        self.status = 201
        self.body = b'{"table": "t1", "held": []}'
        self.asked: dict[str, Any] = {}
        self.path = self.authorization = ""


@pytest.fixture
def answer() -> Answer:
    return Answer()


@pytest.fixture
def address(answer: Answer) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            answer.path = self.path
            answer.authorization = self.headers["authorization"]
            answer.asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(answer.status)
            self.end_headers()
            self.wfile.write(answer.body)

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_the_request_is_the_table_that_was_named() -> None:
    request = table(bots=("greedy", "driver"), seed=7).request()
    assert request.edition == "usa"
    assert [getattr(seat, "name", None) or seat.bot for seat in request.seats] == [  # type: ignore[union-attr]
        "Ada",
        "greedy",
        "driver",
    ]
    assert request.stand_in == "greedy"
    assert request.seed == seed_bytes(7).hex()
    assert table().request().seed is None


def test_a_server_that_runs_is_asked_with_the_secret_of_the_seat(
    address: str, answer: Answer
) -> None:
    new = table(seed=7)
    assert open_at_running_server(address, new, IN_USE) == f"{address}table/t1"
    assert answer.path == "/api/tables"
    assert answer.authorization == f"Bearer {new.token}"
    assert answer.asked["edition"] == "usa"
    assert answer.asked["seed"] == seed_bytes(7).hex()


@pytest.mark.parametrize(
    ("status", "body"), [(429, b"{}"), (201, b"nonsense"), (201, b'{"table": 5}')]
)
def test_a_server_that_opens_no_table_is_named_with_the_reason(
    address: str, answer: Answer, status: int, body: bytes
) -> None:
    answer.status, answer.body = status, body
    with pytest.raises(click.ClickException, match="It did not open a table"):
        open_at_running_server(address, table(), IN_USE)


@pytest.mark.parametrize(("edition", "bot"), [(str(SMALL_BOARD), "greedy"), ("usa", "search:8")])
def test_what_is_the_persons_own_is_not_asked_of_another_server(
    address: str, answer: Answer, edition: str, bot: str
) -> None:
    with pytest.raises(click.ClickException, match=IN_USE):
        open_at_running_server(address, table(edition, (bot,)), IN_USE)
    assert not answer.asked


def test_only_a_web_address_is_asked() -> None:
    with pytest.raises(click.ClickException, match=IN_USE):
        open_at_running_server("file:///etc/passwd?", table(), IN_USE)


def test_what_is_for_the_browser_stands_behind_the_hash_sign() -> None:
    new = table()
    link = urlsplit(link_to("http://here/table/t1", new, "pt"))
    assert (link.path, link.query) == ("/table/t1", "")
    assert parse_qs(link.fragment) == {"token": [new.token], "language": ["pt"]}
    assert link_to("http://here/", None, None) == "http://here/"


def test_a_name_is_kept_in_its_normal_form() -> None:
    assert NewTable("usa", ("greedy",), "  Ａda   B ", None, ()).name == "Ada B"
