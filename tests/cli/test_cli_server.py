"""`ferrovia serve` and `ferrovia play` as a person starts them."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from click.testing import CliRunner

from ferrovia.cli import main
from ferrovia.game import Game
from tests.server.support.people import Person, api

SMALL_BOARD = Path(__file__).parents[1] / "boards" / "small.json"

pytestmark = pytest.mark.xdist_group("server")


def started(*arguments: str, folder: Path, at: Path | None = None) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "ferrovia", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "FERROVIA_DATA": str(folder)},
        cwd=at,
    )


def health(port: int) -> object:
    """What /healthz answers, once it answers."""
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as answer:
                return json.load(answer)
        except OSError:
            time.sleep(0.2)
    raise AssertionError("the server did not come up")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def test_serve_answers_and_ends_politely(tmp_path: Path) -> None:
    port = free_port()
    process = started("serve", "--port", str(port), "--store", str(tmp_path / "g"), folder=tmp_path)
    try:
        assert health(port) == {"status": "ok"}
    finally:
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    assert f"http://127.0.0.1:{port}/" in out
    assert "Traceback" not in err


def test_a_taken_port_is_an_error_for_serve(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        process = started("serve", "--port", port, "--store", str(tmp_path / "g"), folder=tmp_path)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert port in err.splitlines()[-1]
    assert "Traceback" not in err


def test_a_proxy_is_an_address_or_a_network(tmp_path: Path) -> None:
    process = started("serve", "--trusted-proxy", "172.30.0.0/99", folder=tmp_path)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "172.30.0.0/99" in err
    assert "Traceback" not in err


def test_proxies_that_are_named_are_trusted_besides_those_of_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = []
    monkeypatch.setattr(
        "ferrovia.cli.commands.serve.run", lambda settings, **_: found.append(settings)
    )
    named = ["serve", "--trusted-proxy", "10.0.0.7", "--trusted-proxy", "172.30.65.0/24"]
    assert CliRunner().invoke(main, named).exit_code == 0
    [settings] = found
    assert settings.trusted_proxies == ("127.0.0.1", "::1", "10.0.0.7", "172.30.65.0/24")


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--board", "nonexistent.json"), "there is no such file"),
        (("--board", "broken.json"), "broken.json:1: is not valid JSON"),
        (("--public-url", "club"), "https://club.example/games"),
        (("--public-url", "ftp://club.example/"), "https://club.example/games"),
    ],
)
def test_what_a_server_cannot_start_with_is_an_error_of_one_line(
    option: tuple[str, str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board that is not there was a traceback in the log, and status 3."""
    monkeypatch.chdir(tmp_path)
    Path("broken.json").write_text("my board")
    monkeypatch.setattr(
        "ferrovia.cli.commands.serve.run", lambda *_, **__: pytest.fail("it has started")
    )
    result = CliRunner().invoke(main, ["serve", *option])
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_store_that_is_no_store_is_reported_in_one_line(tmp_path: Path) -> None:
    wrong = tmp_path / "notes.txt"
    wrong.write_text("these are my notes, not a database, " * 40)
    process = started("serve", "--port", "0", "--store", str(wrong), folder=tmp_path)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "Traceback" not in err
    assert wrong.read_text().startswith("these are my notes")


class Playing:
    """`ferrovia play` without a browser: the link that it prints, and the secret in it."""

    def __init__(self, *arguments: str, folder: Path) -> None:
        play = ("play", "--no-browser", "--port", "0", *arguments)
        self.process = started(*play, folder=folder, at=folder)
        self.errors = ""

    def __enter__(self) -> "Playing":
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        parts = urlsplit(line.removeprefix("Ferrovia is at ").partition(" ")[0].strip())
        self.address = f"http://{parts.netloc}/"
        self.path = parts.path
        self.brought = parse_qs(parts.fragment)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGINT)
        _, self.errors = self.process.communicate(timeout=60)

    def person(self) -> Person:
        """Whoever opens the link."""
        return person_at(self.address, self.path, self.brought)


def person_at(address: str, path: str, brought: dict[str, list[str]]) -> Person:
    return Person(address, path.removeprefix("/table/"), brought["token"][0]).come()


def test_play_opens_the_table_that_it_is_given(tmp_path: Path) -> None:
    arguments = "usa --bots conductor,driver --name Ada --seed 7 --language es"
    with Playing(*arguments.split(), folder=tmp_path) as playing:
        assert playing.brought["language"] == ["es"]
        ada = playing.person()
        seats = ada.state["table"]["seats"]
        assert [(seat["name"], seat["bot"]) for seat in seats] == [
            ("Ada", ""),
            ("", "conductor"),
            ("", "driver"),
        ]
        assert ada.state["table"]["edition"] == "usa"
        dealt = Game("usa", ["Ada", "bot:conductor", "bot:driver"], seed=7)
        assert ada.state["own"]["offer"] == list(dealt.view(0).offer)
        assert ada.decide()["type"] == "accepted"
    assert playing.process.returncode == 130
    assert playing.errors.strip() == ""


def test_play_opens_a_board_and_a_bot_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "my_bots.py").write_text(
        "class Mine:\n    name = 'mine'\n    def decide(self, view):\n"
        "        return view.legal_actions()[0]\n"
    )
    with Playing(str(SMALL_BOARD), "--bots", "my_bots:Mine", folder=tmp_path) as playing:
        ada = playing.person()
        edition = ada.state["table"]["edition"]
        assert api(playing.address).get(f"/api/editions/{edition}").status_code == 200
        assert api(playing.address).get(f"/api/editions/{edition}/picture").status_code == 200
        ada.decide()
        while not [e for e in ada.entries if e["entry"] == "decided" and e["seat"] == 1]:
            ada.hear("state")
    assert playing.errors.strip() == ""


def test_a_second_play_uses_the_server_that_runs(tmp_path: Path) -> None:
    with Playing("usa", folder=tmp_path) as playing:
        again = started("play", "--no-browser", folder=tmp_path)
        assert (
            again.communicate(timeout=60)[0] == f"Ferrovia is running already: {playing.address}\n"
        )
        words = ("play", "--no-browser", "usa", "--bots", "racer", "--seed", "7")
        other = started(*words, folder=tmp_path)
        link = urlsplit(other.communicate(timeout=60)[0].rpartition(" ")[2].strip())
        brought = parse_qs(link.fragment)
        assert brought["token"] != playing.brought["token"]
        ada = person_at(playing.address, link.path, brought)
        assert ada.state["table"]["seats"][1]["bot"] == "racer"
        dealt = Game("usa", ["Player", "bot:racer"], seed=7)
        assert ada.state["own"]["offer"] == list(dealt.view(0).offer)
        # It does not know the files of this one.
        own = started("play", "--no-browser", str(SMALL_BOARD), folder=tmp_path)
        _, error = own.communicate(timeout=60)
        assert own.returncode == 2
        assert f"process {playing.process.pid}, {playing.address}" in error
        assert "--store" in error
        with Playing("--store", "mine", "--seed", "3", folder=tmp_path) as mine:
            assert mine.address != playing.address


def test_without_a_table_play_opens_the_start_page(tmp_path: Path) -> None:
    with Playing("--language", "ro", folder=tmp_path) as playing:
        assert (playing.path, playing.brought) == ("/", {"language": ["ro"]})


def test_wrong_words_start_nothing(tmp_path: Path) -> None:
    for arguments in ("./nonexistent.json --bots nobody --seed 5", "usa --bots nobody"):
        process = started("play", "--no-browser", *arguments.split(), folder=tmp_path)
        out, err = process.communicate(timeout=60)
        assert (process.returncode, out) == (2, "")
        assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_edit_follows_a_file_both_ways(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    process = started(
        "edit", "mine.json", "--no-browser", "--port", "0", folder=tmp_path, at=tmp_path
    )
    assert process.stdout is not None
    link = process.stdout.readline().removeprefix("mine.json is at ").partition(" ")[0]
    address, _, page = link.partition("#")
    try:
        with api(address) as client:

            def ask(known: str = "") -> dict[str, object]:
                found: dict[str, object] = client.get(
                    "/api/workshop/file", params={"known": known}
                ).json()
                return found

            assert page == "/editor/file"
            assert ask() == {"name": "mine.json", "version": "", "board": None}
            first = client.post("/api/workshop/file", json={"board": "{}", "after": ""}).json()
            assert file.read_text() == "{}"
            assert ask(first["version"])["board"] is None
            # Another program is faster: nothing that it wrote is lost.
            file.write_text(SMALL_BOARD.read_text())
            late = client.post(
                "/api/workshop/file", json={"board": "[]", "after": first["version"]}
            )
            assert late.json()["code"] == "stale"
            found = ask(first["version"])
            assert found["board"] == SMALL_BOARD.read_text() == file.read_text()
            again = {"board": "{}", "after": found["version"]}
            assert client.post("/api/workshop/file", json=again).status_code == 200
            # What is no text is no board, so that its letters are not lost in what follows.
            file.write_bytes('{"name": "Málaga"}'.encode("latin-1"))
            assert ask()["board"] == ""
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert errors.strip() == ""


def test_edit_says_what_is_wrong_with_its_file(tmp_path: Path) -> None:
    process = started("edit", str(tmp_path / "none" / "x.json"), "--no-browser", folder=tmp_path)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "no such folder" in error
