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

import pytest
from click.testing import CliRunner

from ferrovia.cli import main

pytestmark = pytest.mark.xdist_group("server")


def started(*arguments: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "ferrovia", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "FERROVIA_DATA": str(folder)},
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
