"""A server on a machine with an empty cache: people play at once, and nothing is lost when compiled
rules take over.

Compiling takes a minute, so a program stands in for it that copies the cache of these tests.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ferrovia.rules.compiler import COMPILED, cache_folder
from tests.server.support.people import PERSON, Closed, Person, api, bot, create

pytestmark = [
    pytest.mark.xdist_group("server"),
    pytest.mark.skipif(
        not COMPILED or cache_folder() is None, reason="nothing is compiled, or can be kept"
    ),
    pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there"),
]

# Waits for a file, then fills the cache or fails.
COMPILER = """
import os, shutil, sys, time
from pathlib import Path
from ferrovia.rules.compiler import source_hash
go, warm, what = map(Path, sys.argv[1:])
assert what.name == "--levels"
assert "NUMBA_DISABLE_JIT" not in os.environ
print("0 of 24", flush=True)
print("6 of 24", flush=True)
while not go.exists():
    time.sleep(0.02)
if go.read_text() == "fail":
    sys.exit(1)
for package in ("rules", "bots"):
    name = f"{package}-{source_hash(package)}"
    if (warm / name).is_dir():
        shutil.copytree(warm / name, Path(os.environ["FERROVIA_CACHE"], name), dirs_exist_ok=True)
print("24 of 24", flush=True)
"""

FERROVIA = """
from ferrovia.machine import background
background.COMMAND = {command!r}
from ferrovia.cli import main
main(prog_name="ferrovia")
"""


class ColdServer:
    """`ferrovia serve`, as a person starts it where nothing is compiled."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder / "cache"
        self.go = folder / "go"
        warm = cache_folder()
        assert warm is not None
        compiler = (sys.executable, "-c", COMPILER, str(self.go), str(warm.parent))
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                FERROVIA.format(command=compiler),
                "serve",
                "--port",
                "0",
                "--store",
                str(folder / "games.sqlite"),
            ],
            stdout=subprocess.PIPE,
            stderr=(folder / "log").open("w"),
            text=True,
            env={**os.environ, "FERROVIA_CACHE": str(self.cache)},
        )
        self._log = folder / "log"
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().removeprefix("Serving ").strip()
        assert self.address.startswith("http"), self.log

    @property
    def log(self) -> str:
        return self._log.read_text()

    def offerings(self) -> Any:
        return api(self.address).get("/api/offerings").json()

    def end_compiling(self, how: str = "well") -> None:
        self.go.with_suffix(".part").write_text(how)
        self.go.with_suffix(".part").rename(self.go)

    def wait_until(self, happened: Callable[[], bool]) -> None:
        while not happened():
            assert self.process.poll() is None, self.log
            time.sleep(0.02)

    def stop(self, how: int = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(60)


@pytest.fixture
def cold(tmp_path: Path) -> Iterator[ColdServer]:
    server = ColdServer(tmp_path)
    yield server
    if server.process.poll() is None:
        server.process.kill()
        server.process.wait()
    server.end_compiling("fail")


def awaited(person: Person) -> Person:
    """A person who has to decide something now."""
    while person.moves is None:
        person.hear("state")
    return person


def compiled_files(server: ColdServer) -> list[Path]:
    return list(server.cache.rglob("*.nbi"))


def test_people_play_at_once_and_go_on_when_compiled_rules_take_over(cold: ColdServer) -> None:
    cold.wait_until(lambda: cold.offerings()["preparing"]["done"] > 0)
    assert cold.offerings()["preparing"] == {
        "type": "preparing",
        "bots": ["search", "director"],
        "done": 6,
        "total": 24,
    }
    made = create(cold.address, PERSON, bot("conductor"), stand_in="greedy")
    token = made["held"][0]["token"]
    ada = Person(cold.address, made["table"], token).come()
    assert ada.hear("preparing")["bots"] == ["search", "director"]
    ada.play(upto=8)
    awaited(ada).say(type="hint", id="h1")
    assert ada.hear("hint", "refused", id="h1")["bot"] == "driver"
    assert compiled_files(cold) == []

    refused: list[OSError] = []
    over = threading.Event()

    def knock() -> None:
        """As clients do that come at a bad moment."""
        port = int(cold.address.rstrip("/").rsplit(":", 1)[1])
        while not over.is_set():
            try:
                socket.create_connection(("127.0.0.1", port), timeout=60).close()
            except OSError as problem:
                refused.append(problem)
            time.sleep(0.01)

    knocking = threading.Thread(target=knock)
    knocking.start()
    cold.end_compiling()
    # The command of which the answer may be lost is sent again, as clients do.
    number = ada.state["number"]
    action = ada.choose()
    try:
        answer = ada.command("decide", id="once", known=number, action=action)
    except Closed:
        answer = None
    with pytest.raises(Closed) as closed:
        ada.hear("nothing")
    assert closed.value.args == (1012,)
    before = list(ada.entries)

    again = Person(cold.address, made["table"], token).come()
    over.set()
    knocking.join()
    assert refused == []
    assert cold.process.poll() is None, "the successor has the same process id"
    assert [e for e in again.entries if e["number"] <= len(before)] == before
    repeated = again.command("decide", id="once", known=number, action=action)
    assert repeated["type"] == "accepted"
    assert answer is None or answer["number"] == repeated["number"]
    assert cold.offerings()["preparing"] is None
    assert compiled_files(cold)
    again.play(upto=again.state["number"] + 3)
    awaited(again).say(type="hint", id="h2")
    assert again.hear("hint", "refused", id="h2")["bot"] == "director"
    assert cold.stop() == -signal.SIGTERM
    assert "Traceback" not in cold.log
    assert token not in cold.log


def test_a_bot_that_searches_waits_for_compiled_rules_and_then_plays(cold: ColdServer) -> None:
    made = create(cold.address, PERSON, bot("director"))
    ada = Person(cold.address, made["table"], made["held"][0]["token"]).come()
    ada.play(upto=ada.state["number"] + 1)
    assert [e["seat"] for e in ada.entries if e["entry"] == "decided"] == [0]
    cold.end_compiling()
    with pytest.raises(Closed):
        ada.hear("nothing")
    ada = Person(cold.address, made["table"], made["held"][0]["token"]).come()
    while not [e for e in ada.entries if e["entry"] == "decided" and e["seat"] == 1]:
        ada.hear("state")
    assert cold.stop(signal.SIGINT) == 130
    assert "Traceback" not in cold.log


def test_where_compiling_fails_the_game_goes_on_as_it_is(cold: ColdServer) -> None:
    made = create(cold.address, PERSON, bot("conductor"))
    ada = Person(cold.address, made["table"], made["held"][0]["token"]).come()
    cold.end_compiling("fail")
    while ada.hear("preparing")["bots"]:
        pass
    ada.play(upto=ada.state["number"] + 4)
    assert cold.offerings()["preparing"] is None
    assert "compiling_failed" in cold.log
    assert compiled_files(cold) == []


def test_a_server_that_is_stopped_stops_its_compiler(cold: ColdServer) -> None:
    cold.wait_until(lambda: cold.offerings()["preparing"]["done"] == 6)
    assert cold.stop() == -signal.SIGTERM
    assert "changing_over" not in cold.log
    assert cold.process.stdout is not None
    # Nobody holds the other end: the compiler is gone as well.
    assert "Everybody can play at once" in cold.process.stdout.read()
