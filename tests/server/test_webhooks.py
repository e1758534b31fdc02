"""Webhooks of slow games: a notice for every turn, and nothing that a stranger could use."""

import asyncio
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ferrovia.server.lobby.public_internet import is_public, public_address
from ferrovia.server.lobby.webhooks import Webhooks
from ferrovia.server.protocol import from_client
from ferrovia.server.protocol.clock import Clock
from ferrovia.server.refusals import Refusal
from ferrovia.server.table.verbs.notify import checked_url
from ferrovia.server.table.viewers import view
from tests.server.support.slow_games import slow_game
from tests.server.support.tabletop import Tabletop

HOOK = "https://example.org/hook?key=secret"
TURN = "it is your turn"


def slow(**more: Any) -> Tabletop:
    top = Tabletop(edition="compass", clock=Clock("slow", 2), **more)
    top.table.setup = msgspec.structs.replace(top.table.setup, webhooks=True)
    return top


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/",
        "https://localhost/",
        "https://printer.local/",
        "https://127.0.0.1/",
        "https://0x7f.1/",
        "https://2130706433/",
        "https://[::1]/",
        "https://user:word@example.org/",
        "https://example.org:22/",
        "https://example.org:99999/",
        "https://example.org/\r\nHost: other",
        "https://example.org/ x",
        "ftp://example.org/",
        "https:///",
    ],
)
def test_addresses_that_are_not_called(url: str) -> None:
    with pytest.raises(Refusal) as refused:
        checked_url(url)
    assert refused.value.code == "invalid_address"


def test_addresses_that_are() -> None:
    for url in (HOOK, "https://example.org", "https://hooks.example.org:443/a/b"):
        assert checked_url(url) == url


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("10.0.0.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("127.0.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("::ffff:10.0.0.1", False),
        ("::ffff:93.184.216.34", False),
        ("64:ff9b::a00:1", False),
        ("2002:a00:1::", False),
        ("::10.0.0.1", False),
        ("fec0::1", False),
        ("64:ff9b:1::a00:1", False),
        ("5f00::1", False),
        ("no address", False),
    ],
)
def test_what_is_in_the_public_internet(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_a_name_with_one_address_inside_is_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(found: list[str]) -> str:
        def getaddrinfo(*_: Any, **__: Any) -> list[Any]:
            return [(socket.AF_INET, 1, 6, "", (one, 443)) for one in found]

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
        return asyncio.run(public_address("example.org"))

    assert resolve(["93.184.216.34"]) == "93.184.216.34"
    for inside in (["93.184.216.34", "10.0.0.1"], ["127.0.0.1"], []):
        with pytest.raises(OSError, match="public internet"):
            resolve(inside)


def test_a_name_server_that_does_not_answer_keeps_nobody_from_the_store(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Names are not looked up with the threads that the store is read with."""
    answer = threading.Event()

    def getaddrinfo(*_: Any, **__: Any) -> list[Any]:
        assert answer.wait(60)
        raise OSError("no such name")

    async def run() -> None:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(2))
        names = [loop.create_task(public_address(f"h{n}.example")) for n in range(8)]
        await asyncio.sleep(0)
        async with asyncio.timeout(30):
            assert await asyncio.to_thread(lambda: "read") == "read"
        answer.set()
        assert all(isinstance(one, OSError) for one in await _all(names))

    async def _all(tasks: list[asyncio.Task[str]]) -> list[Any]:
        return await asyncio.gather(*tasks, return_exceptions=True)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    try:
        asyncio.run(run())
    finally:
        answer.set()


def test_hosts_that_do_not_answer_keep_nobody_else_waiting() -> None:
    """Whoever owns a domain has as many hosts as they like."""
    called: list[str] = []

    async def post(host: str, path: str, headers: Any, body: bytes) -> int:
        called.append(host)
        if host.endswith(".slow.example"):
            await asyncio.Event().wait()
        return 200

    async def run() -> None:
        hooks = Webhooks(True, None, post)
        for number in range(200):
            hooks.tell("abc", f"https://h{number}.slow.example/", TURN)
        hooks.tell("def", HOOK, TURN, "ada")
        for _ in range(500):
            await asyncio.sleep(0)
        await hooks.close()

    asyncio.run(run())
    assert "example.org" in called
    assert len(called) == 3


def test_the_address_is_a_secret_of_its_seat() -> None:
    top = slow()
    top.command(0, from_client.Notify, url=HOOK)
    assert top.table.talk.hooks == {0: HOOK}
    log = list(enumerate(top.log, start=1))
    for viewer in (None, 0, 1):
        frame = view.Snapshot(top.table).state(viewer, log, 0)
        assert b"example.org" not in frame
        assert json.loads(frame)["entries"][-1]["entry"] == "aside"
    assert "example.org" not in (view.record_text(top.table, 0) or "")
    top.command(0, from_client.Notify, url=None)
    assert not top.table.talk.hooks[0]


def test_only_players_of_slow_games_where_it_is_switched_on() -> None:
    for top in (Tabletop(edition="compass", clock=Clock("slow", 2)), Tabletop(edition="compass")):
        with pytest.raises(Refusal) as refused:
            top.command(0, from_client.Notify, url=HOOK)
        assert refused.value.code == "webhooks_off"
    top = slow()
    with pytest.raises(Refusal) as refused:
        top.command(None, from_client.Notify, url=HOOK)
    assert refused.value.code == "not_seated"


def test_a_game_of_strangers_keeps_nobody_waiting_who_calls_the_same_domain() -> None:
    """What they sent to a chat service that others use as well was all that it was sent."""
    called: list[str] = []

    async def post(host: str, path: str, headers: Any, body: bytes) -> int:
        called.append(json.loads(body)["table"])
        await asyncio.sleep(0)
        return 200

    async def run() -> None:
        hooks = Webhooks(True, None, post)
        for number in range(200):
            hooks.tell(f"spam {number}", HOOK, TURN, "eve")
        hooks.tell("mine", HOOK, TURN, "ada")
        while len(called) < 10:
            await asyncio.sleep(0)
        await hooks.close()

    asyncio.run(run())
    assert "mine" in called[:4]


def test_what_is_sent_and_that_a_failure_stops_nothing() -> None:
    sent: list[tuple[str, str, Any]] = []

    async def post(host: str, path: str, headers: Any, body: bytes) -> int:
        sent.append((host, path, json.loads(body)))
        if len(sent) == 1:
            raise OSError("nobody there")
        return 200

    async def run() -> None:
        hooks = Webhooks(True, "https://club.example/trains/", post)
        hooks.tell("abc", HOOK, TURN)
        hooks.tell("def", HOOK, TURN)
        while len(sent) < 2:
            await asyncio.sleep(0)
        await hooks.close()
        off = Webhooks(False, None, post)
        off.tell("abc", HOOK, TURN)
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(sent) == 2

    asyncio.run(run())
    host, path, body = sent[1]
    assert (host, path) == ("example.org", "/hook?key=secret")
    assert body["link"] == "https://club.example/trains/table/def"
    assert body["text"] == body["content"]


def test_a_slow_game_over_days_calls_once_a_turn(tmp_path: Path) -> None:
    """Two people, a day and more between their moves: whoever asked for it is told of every turn,
    and of those that others, the clock or a pause brought about.
    """

    async def run() -> None:
        async with slow_game(tmp_path, webhooks=True) as game:
            await game.command(0, from_client.Notify, url=HOOK)
            turns = 0
            table = await game.authority.table()
            assert view.table_info(table).webhooks
            for _ in range(40):
                if table.status == "over":
                    break
                before = 0 in table.awaited_people
                await game.decide()
                table = await game.authority.table()
                turns += 0 in table.awaited_people and not before
                assert len(game.sent) == turns
            assert turns > 3

    asyncio.run(run())


def test_the_address_of_a_host_hears_of_all_turns_and_of_the_end(tmp_path: Path) -> None:
    """A club's channel: and a name in it calls nobody there, as a link or by a mention."""

    async def run() -> list[str]:
        async with slow_game(tmp_path, "<@everyone>", "bob.example", webhooks=True) as game:
            with pytest.raises(Refusal) as refused:
                await game.command(1, from_client.Notify, url=HOOK, table=True)
            assert refused.value.code == "not_host"
            await game.command(0, from_client.Notify, url=HOOK, table=True)
            while (await game.authority.table()).status != "over":
                await game.decide()
            return [json.loads(sent.body)["text"] for sent in game.sent]

    said = asyncio.run(run())
    assert said[-1] == "Ferrovia: the game is over"
    assert set(said[:-1]) == {
        "Ferrovia: it is the turn of ··everyone·",
        "Ferrovia: it is the turn of bob·example",
    }
