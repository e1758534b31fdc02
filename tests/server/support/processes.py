"""Server processes for the tests."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from tests.measured import measured_python

SCRIPT = Path(__file__).with_name("run_server.py")
SHORT_BOARD = Path(__file__).parents[2] / "boards" / "short.json"  # for two or three, in a minute

FAST: dict[str, Any] = {"burst": 1e9, "per_second": 1e9}
METRICS_TOKEN = "metrics-of-the-tests"
RATES = (
    "requests",
    "creations",
    "listings",
    "stored_bytes",
    "connections",
    "messages",
    "messages_of_address",
    "hints",
    "histories",
    "films",
    "arrangements",
    "frames",
    "frames_of_address",
    "received_bytes",
)
FREE: dict[str, Any] = {**dict.fromkeys(RATES, FAST), "viewers_of_address": 10**9}


def _environment() -> dict[str, str]:
    """Return the environment of a server: without the folder in which the processes of the tests
    keep what they ran, which slipcover would delete when the server ends.
    """
    return {name: value for name, value in os.environ.items() if name != "SLIPCOVER_COVERAGE_DIR"}


class Server:
    """A real server in a process of its own. Its log is kept.

    One that is `measured` is part of the coverage, if it is stopped and not killed.
    """

    def __init__(self, store: str, *, measured: bool = False, **settings: Any) -> None:
        self.measured = measured
        self.settings = {
            "store": store,
            "port": 0,
            "bot_pace": 0.0,
            "patience": 0.0,
            "clock_grace": 0.0,
            "bot_workers": 1,
            "limits": FREE,
            "boards": [str(SHORT_BOARD)],
            "metrics_token": METRICS_TOKEN,
            **settings,
        }
        self.log: list[str] = []
        self.address = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self, **options: Any) -> "Server":
        said = self.try_to_start(**options)
        assert said.startswith("READY "), (said, self.log)
        self.address = said.removeprefix("READY ")
        # The same port again after a restart, as people know it.
        self.settings["port"] = int(self.address.rstrip("/").rsplit(":", 1)[1].split("/")[0])
        return self

    def command(self) -> list[str]:
        """Return the program and its arguments."""
        return [str(SCRIPT), json.dumps(self.settings)]

    def try_to_start(self, **options: Any) -> str:
        """Start, and give the first line that it says: READY with its address, or REFUSED."""
        process = self.process = self._begin(**options)
        threading.Thread(target=self._read_log, args=(process,), daemon=True).start()
        assert process.stdout is not None
        return process.stdout.readline().strip()

    def _begin(self, **options: Any) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*(measured_python() if self.measured else [sys.executable]), *self.command()],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=_environment(),
            **options,
        )

    def _read_log(self, process: "subprocess.Popen[str]") -> None:
        assert process.stderr is not None
        self.log += process.stderr

    def kill(self) -> None:
        """As a power cut does."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """As the system does."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill()
