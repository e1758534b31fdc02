"""Notices by the push services of browsers: who is told, what they read, and when they are not."""

import asyncio
import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ferrovia.server import Settings
from ferrovia.server.protocol import from_client
from ferrovia.server.refusals import Refusal
from ferrovia.server.store.memory import MemoryStore
from tests.server.support.slow_games import Sent, SlowGame, slow_game

http_ece = pytest.importorskip("http_ece")
py_vapid = pytest.importorskip("py_vapid")
from cryptography.hazmat.primitives import serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402

from ferrovia.server.lobby.push import Push  # noqa: E402

HTTPS = "https://club.example/trains/"
SECRET = b"sixteen letters!"


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Browser(NamedTuple):
    """A browser that has subscribed at its push service."""

    endpoint: str
    key: Any

    @property
    def asks(self) -> dict[str, str]:
        """What it sends to be told."""
        public = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return {"endpoint": self.endpoint, "p256dh": text(public), "auth": text(SECRET)}

    def reads(self, sent: Sent) -> Any:
        """What it makes of a message."""
        assert f"https://{sent.host}{sent.path}" == self.endpoint
        assert sent.headers["Content-Encoding"] == "aes128gcm"
        plain = http_ece.decrypt(sent.body, private_key=self.key, auth_secret=SECRET)
        return json.loads(plain)


def browser(name: str = "one") -> Browser:
    return Browser(
        f"https://fcm.googleapis.com/fcm/send/{name}", ec.generate_private_key(ec.SECP256R1())
    )


def with_game(folder: Path, play: Callable[[SlowGame], Any], **settings: Any) -> Any:
    async def run() -> Any:
        async with slow_game(folder, **{"public_url": HTTPS, **settings}) as game:
            return await play(game)

    return asyncio.run(run())


def test_a_browser_is_told_of_its_turns_in_its_language(tmp_path: Path) -> None:
    one = browser()

    async def play(game: SlowGame) -> list[Sent]:
        await game.command(1, from_client.Subscribe, language="es", **one.asks)
        while len(game.sent) < 3:
            await game.decide()
            table = await game.authority.table()
            assert not game.sent or 1 in table.awaited_people or len(game.sent) < 3
        return game.sent

    sent = with_game(tmp_path, play)
    for each in sent:
        said = one.reads(each)
        assert said.keys() == {"table", "text"}
        assert said["text"].startswith("Tu turno: ")
    # The service can tell who sends it, and keeps only the newest about a table.
    signed = sent[0].headers["Authorization"]
    assert py_vapid.Vapid02.verify(signed)
    assert len({each.headers["Topic"] for each in sent}) == 1
    assert said["table"] not in str([each.headers for each in sent])


def test_a_service_that_knows_the_browser_no_more_is_not_called_again(tmp_path: Path) -> None:
    gone, there = browser("gone"), browser("there")

    async def play(game: SlowGame) -> list[str]:
        await game.command(0, from_client.Subscribe, **gone.asks)
        await game.command(0, from_client.Subscribe, **there.asks)
        answers = {gone.endpoint: 410, there.endpoint: 201}
        note = game.post

        async def post(host: str, path: str, headers: Any, body: bytes) -> int:
            await note(host, path, headers, body)
            return answers[f"https://{host}{path}"]

        game.authority._services.push.__self__._webhooks._post = post  # type: ignore[attr-defined]
        while len(game.sent) < 4:
            await game.decide()
        told = (await game.authority.table()).talk.told(0)
        assert [one.endpoint for one in told] == [there.endpoint]
        return [each.path[-5:] for each in game.sent]

    assert with_game(tmp_path, play) == ["/gone", "there", "there", "there"]


def test_who_wants_no_more_is_told_no_more(tmp_path: Path) -> None:
    one = browser()

    async def play(game: SlowGame) -> None:
        await game.command(0, from_client.Subscribe, **one.asks)
        await game.command(0, from_client.Subscribe, endpoint=one.endpoint)
        for _ in range(6):
            await game.decide()
        assert not game.sent

    with_game(tmp_path, play)


@pytest.mark.parametrize(
    ("settings", "endpoint", "code"),
    [
        ({"public_url": "http://club.example/"}, "", "push_off"),
        ({"public_url": None}, "", "push_off"),
        ({"push": False}, "", "push_off"),
        ({}, "https://example.org/hook", "invalid_address"),
        ({}, "https://fcm.googleapis.com.example.org/x", "invalid_address"),
        ({}, "http://fcm.googleapis.com/x", "invalid_address"),
    ],
)
def test_what_is_refused(
    tmp_path: Path, settings: dict[str, Any], endpoint: str, code: str
) -> None:
    async def play(game: SlowGame) -> None:
        asked = browser().asks
        with pytest.raises(Refusal) as refused:
            await game.command(
                0, from_client.Subscribe, **{**asked, "endpoint": endpoint or asked["endpoint"]}
            )
        assert refused.value.code == code

    with_game(tmp_path, play, **settings)


def test_a_key_that_is_none_stops_nothing(tmp_path: Path) -> None:
    """A stranger may have sent anything that has the right length."""

    async def play(game: SlowGame) -> None:
        asked = {**browser().asks, "p256dh": "A" * 87}
        await game.command(0, from_client.Subscribe, **asked)
        for _ in range(6):
            await game.decide()
        assert not game.sent

    with_game(tmp_path, play)


def test_the_key_belongs_to_the_store() -> None:
    store = MemoryStore()
    assert Push(store, HTTPS).key == Push(store, HTTPS).key != Push(MemoryStore(), HTTPS).key
    assert Settings(public_url=HTTPS).pushes
