"""A Ray cluster of two nodes, each in processes of its own, plays the same games, byte for byte."""

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ferrovia.kernel.library import COMPILED

pytestmark = [
    pytest.mark.skipif(not COMPILED, reason="too slow uncompiled"),
    pytest.mark.skipif(sys.platform == "win32", reason="Ray has no clusters on Windows"),
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="without Ray"),
]

BIN = Path(sys.executable).parent
TOKEN = "0123456789abcdef0123456789abcdef"


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    return {**kept, "RAY_USAGE_STATS_ENABLED": "0", **more}


def ferrovia(command: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    words = [BIN / "ferrovia", *command.split()]
    return subprocess.run(
        words, cwd=folder, env=environment(**more), capture_output=True, text=True, timeout=300
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def cluster() -> Iterator[str]:
    """A head that plays nothing and a node that does, with a token; yields the head's address."""
    folder = tempfile.mkdtemp(prefix="ray")  # short: sockets lie in it
    address = f"127.0.0.1:{free_port()}"
    head = f"--head --port={address.split(':')[1]} --num-cpus=0 --include-dashboard=false"
    head += f" --temp-dir={folder}"
    started = []
    try:
        for options in (head, f"--address={address} --num-cpus=2"):
            words = [BIN / "ray", "start", "--block", "--node-ip-address=127.0.0.1"]
            process = subprocess.Popen(
                [*words, *options.split()],
                env=environment(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=TOKEN),
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
            started.append(process)
            said = []
            for line in process.stdout or ():
                said.append(line)
                if "Ray runtime started" in line:
                    break
            else:
                pytest.fail("".join(said))
        yield address
    finally:
        for process in reversed(started):
            process.send_signal(signal.SIGTERM)
        for process in started:
            process.communicate(timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


def test_two_nodes_play_the_games_of_one_process(cluster: str, tmp_path: Path) -> None:
    commands = (
        "simulate usa --bots greedy,wary --games 600 --seed 7 --json",
        "simulate europe --bots planner,greedy --games 40 --seed 7 --trajectories moves --json",
        "tournament usa --bots greedy,wary,random --games 40 --seed 7 --json",
    )
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    for command in commands:
        mine = ferrovia(command, here)
        theirs = ferrovia(f"{command} --ray {cluster}", there, RAY_AUTH_TOKEN=TOKEN)
        assert theirs.returncode == 0, theirs.stderr
        assert theirs.stdout == mine.stdout
    written = sorted(path.name for path in (here / "moves").iterdir())
    assert written == ["_columns.json", "games-000000000.parquet"]
    for name in written:
        assert (there / "moves" / name).read_bytes() == (here / "moves" / name).read_bytes()
    refused = ferrovia(f"{commands[0]} --ray {cluster}", there, RAY_AUTH_TOKEN="x" * 32)
    assert refused.returncode != 0
    assert f"no Ray cluster at {cluster}, or it does not take this machine's token" in (
        refused.stderr
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "nobody.invalid"])
def test_where_nobody_answers_it_is_said_at_once(host: str, tmp_path: Path) -> None:
    address = f"{host}:{free_port()}"
    refused = ferrovia(f"simulate usa --bots greedy,greedy --games 2 --ray {address}", tmp_path)
    assert refused.returncode != 0
    assert f"nobody answers at {address}" in refused.stderr
    assert "Traceback" not in refused.stderr
