"""Processes of ours for the tests that start at once: forks of one that has everything loaded."""

import atexit
import json
import multiprocessing
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import IO

import pytest

_running: list["subprocess.Popen[str]"] = []

ENVIRONMENT = dict(os.environ)  # as no test has changed it: what decides how a fork may begin

FORK_SERVER = Path(__file__).with_name("fork_server.py")


def folder_of_forks() -> Path | None:
    """Return the folder of the fork server of these tests; None where there is none.

    Programs beside the tests, which measure, start processes as users do.
    """
    usable = sys.platform == "linux" and os.environ.get("NUMBA_DISABLE_JIT") != "1"
    return fork_server() if usable and "PYTEST_VERSION" in os.environ else None


@lru_cache(maxsize=1)
def fork_server() -> Path:
    """Return the folder of this process's fork server, started now."""
    # Short: the address of a socket has room for a hundred characters.
    place = Path(tempfile.mkdtemp(prefix="forks-", dir="/tmp"))
    server = subprocess.Popen(
        [sys.executable, str(FORK_SERVER), str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        start_new_session=True,
    )
    assert server.stdout is not None
    _running.append(server)  # it ends with its standard input, and so with us
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    assert server.stdout.readline() == "ready\n"
    return place


def python() -> list[str]:
    """Return the command to be used as Python: it starts at once where there is a fork server."""
    place = folder_of_forks()
    return [sys.executable] if place is None else [str(place / "python")]


@pytest.fixture(scope="session", autouse=True)
def quick_workers() -> None:
    """The worker processes of this one start at once."""
    multiprocessing.set_executable(*python())


@pytest.fixture
def ordinary_workers() -> Iterator[None]:
    """The worker processes of this one are started by Python itself."""
    multiprocessing.set_executable(sys.executable)
    yield
    multiprocessing.set_executable(*python())


def begin(
    arguments: Sequence[str], environment: Mapping[str, str], folder: Path | None = None
) -> "Fork | subprocess.Popen[str]":
    """Start Python with these arguments, a fork where that can be."""
    if (fork_server := folder_of_forks()) is not None:
        return Fork(fork_server, arguments, environment, folder)
    return subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=folder,
    )


class Fork:
    """A program of Python, with its standard output and error: as `subprocess.Popen` in text mode.

    Other than behind `python()`, `pid` is the number of the process itself.
    """

    def __init__(
        self,
        fork_server: Path,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        folder: Path | None = None,
    ) -> None:
        self.args = arguments
        self.returncode: int | None = None
        self._ended = threading.Event()
        read_out, write_out = os.pipe()
        read_err, write_err = os.pipe()
        nothing = os.open(os.devnull, os.O_RDONLY)
        files = [nothing, write_out, write_err]
        order = {
            "arguments": list(arguments),
            "folder": str(folder or os.getcwd()),
            "files": [0, 1, 2],
        }
        packed = json.dumps({**order, "environment": dict(environment)}).encode()
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(str(fork_server / "orders"))
        socket.send_fds(self._connection, [len(packed).to_bytes(4, "big")], files)
        self._connection.sendall(packed)
        for file in files:
            os.close(file)
        self.stdout: IO[str] = open(read_out, encoding="utf-8")  # noqa: SIM115
        self.stderr: IO[str] = open(read_err, encoding="utf-8")  # noqa: SIM115
        answers = self._connection.makefile()
        self.pid = int(answers.readline())
        threading.Thread(target=self._await_the_end, args=(answers,), daemon=True).start()

    def _await_the_end(self, answers: IO[str]) -> None:
        self.returncode = int(answers.readline() or -signal.SIGKILL)
        self._connection.close()
        self._ended.set()

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired(list(self.args), timeout or 0.0)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            if self.returncode is None:
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Return all that it writes, and wait for its end."""
        errors: list[str] = []
        reader = threading.Thread(target=lambda: errors.append(self.stderr.read()), daemon=True)
        reader.start()
        written = self.stdout.read()
        self.wait(timeout)
        reader.join()
        return written, errors[0]
