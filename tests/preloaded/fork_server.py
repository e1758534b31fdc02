"""An interpreter that has everything imported and loaded, and forks: `fork_server.py FOLDER`.

A process of ours needs a second of the processor before it does anything: Numba is imported, and
what was compiled is loaded. The tests start hundreds. Here that is done once, and each of them is a
fork: a process of its own, with its own arguments, files, folder and environment, as if it had been
started by itself. It ends when its standard input is closed.

In the folder lie `python`, to be used in the place of Python (see `client.py`), and `ferrovia`.
"""

import atexit
import gc
import importlib
import io
import json
import os
import runpy
import selectors
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

MODULES = (
    "ferrovia.cli",
    "ferrovia.server.analysis.worker",
    "ferrovia.server.bots.worker",
    "ferrovia.server.film",
    "ferrovia.server.run",
)
OPTIONS = ("-B", "-u")  # of Python itself
MOST_FILES = 250  # that one message can carry


@dataclass(frozen=True, slots=True)
class Order:
    """A program to run: arguments as Python gets them, and its open files by their numbers."""

    arguments: list[str]
    folder: str
    environment: dict[str, str]
    files: dict[int, int]


def load() -> None:
    """Import and load what our processes need."""
    from ferrovia.machine import compile as compiled

    for module in MODULES:
        importlib.import_module(module)
    compiled.load(compiled.FOR_TABLES)
    gc.collect()
    gc.freeze()


def serve(folder: Path) -> Order:
    """Fork for every order. Returns, in the new process, the order."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(folder / "orders"))
    listening.listen(64)
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    waiting: dict[int, socket.socket] = {}  # who waits for a process
    selector = selectors.DefaultSelector()
    for source in (sys.stdin.fileno(), listening.fileno(), ended):
        selector.register(source, selectors.EVENT_READ)
    print("ready", flush=True)
    while True:
        for key, _ in selector.select():
            if key.fd == listening.fileno():
                connection, _ = listening.accept()
                if (order := read_order(connection)) is None:
                    connection.close()
                    continue
                if not (process := os.fork()):
                    os.setsid()  # a signal to its group is not for us
                    signal.set_wakeup_fd(-1)
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    selector.close()
                    for open_file in (ended, wake):
                        os.close(open_file)
                    for open_socket in (listening, connection, *waiting.values()):
                        open_socket.close()
                    return order
                for file in order.files.values():
                    os.close(file)
                with suppress(OSError):  # gone already, as will be seen below
                    connection.sendall(b"%d\n" % process)
                waiting[process] = connection
                selector.register(connection, selectors.EVENT_READ, process)
            elif key.fd == ended:
                os.read(ended, 4096)
                reap(waiting, selector)
            elif key.data is None:  # nobody needs us any more
                for process in waiting:
                    os.kill(process, signal.SIGKILL)
                sys.exit()
            elif key.data in waiting:  # who waited for it is gone
                selector.unregister(waiting[key.data])
                os.kill(key.data, signal.SIGKILL)


def read_order(connection: socket.socket) -> Order | None:
    """Return what somebody sends, None if it is not whole."""
    head, files, _, _ = socket.recv_fds(connection, 4, MOST_FILES)
    parts, missing = [], int.from_bytes(head, "big")
    while missing and (part := connection.recv(missing)):
        parts.append(part)
        missing -= len(part)
    if missing or len(head) < 4:
        for file in files:
            os.close(file)
        return None
    sent: dict[str, Any] = json.loads(b"".join(parts))
    numbers = sent.pop("files")
    return Order(**sent, files=dict(zip(numbers, files, strict=True)))


def reap(waiting: dict[int, socket.socket], selector: selectors.BaseSelector) -> None:
    """Tell how processes ended to those who wait for them."""
    while waiting:
        process, status = os.waitpid(-1, os.WNOHANG)
        if not process:
            return
        connection = waiting.pop(process)
        if connection.fileno() in selector.get_map():
            selector.unregister(connection)
        with suppress(OSError):  # gone meanwhile
            connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
        connection.close()


def become(order: Order) -> None:
    """Make this process the one that was ordered."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    kept = max([*order.files, *order.files.values()]) + 1
    for place, (number, file) in enumerate(order.files.items()):  # first out of each other's way
        moved = kept + place
        os.dup2(file, moved)
        os.close(file)
        order.files[number] = moved
    for number, file in order.files.items():
        os.dup2(file, number, inheritable=True)
        os.close(file)
    options = takewhile(lambda word: word in OPTIONS, order.arguments)
    unbuffered = "-u" in options or order.environment.get("PYTHONUNBUFFERED")
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        if unbuffered and mode == "w":
            raw = open(number, "wb", buffering=0, closefd=False)  # noqa: SIM115
            again = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
        else:
            again = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
        if number == 2:
            again.reconfigure(line_buffering=True, errors="backslashreplace")
        setattr(sys, name, again)
        setattr(sys, f"__{name}__", again)
    os.chdir(order.folder)
    os.environ.clear()
    os.environ.update(order.environment)
    more = order.environment.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[1:1] = [path for path in more if path and path not in sys.path]
    sys.orig_argv = [sys.executable, *order.arguments]


def end(program: Callable[[], None]) -> NoReturn:
    """Run a program and end as Python does, but leave the memory to the system: to take it apart
    would touch, and so copy, all that the fork shares.
    """
    status = 0
    try:
        program()
    except SystemExit as said:
        if isinstance(said.code, str):
            print(said.code, file=sys.stderr)
        status = said.code if isinstance(said.code, int) else int(said.code is not None)
    except KeyboardInterrupt:
        traceback.print_exc()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:
        traceback.print_exc()
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def run(arguments: list[str]) -> None:
    """Run a program, a module or a text of Python, as `python ARGUMENTS` does."""
    while arguments[0] in OPTIONS:
        arguments = arguments[1:]
    what, *rest = arguments
    if what == "-m":
        sys.argv = rest
        sys.path[0] = os.getcwd()
        if not hasattr(sys.modules.get(rest[0]), "__path__"):
            sys.modules.pop(rest[0], None)  # it runs a second time, as __main__
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif what == "-c":
        sys.argv = ["-c", *rest[1:]]
        sys.path[0] = ""
        main = sys.modules["__main__"] = ModuleType("__main__")
        exec(compile(rest[0], "<string>", "exec"), main.__dict__)
    else:
        sys.argv = arguments
        sys.path[0] = str(Path(what).resolve().parent)
        runpy.run_path(what, run_name="__main__")


def write_python(folder: Path) -> str:
    """Write the programs that stand for Python and for our command; return the path of Python."""
    client = Path(__file__).with_name("client.py").read_text(encoding="utf-8")
    path = folder / "python"
    ours = "import sys; sys.argv[1:1] = ['-m', 'ferrovia']\n"
    for program, first in ((path, ""), (folder / "ferrovia", ours)):
        program.write_text(f"#!{sys.executable} -IS\n{first}{client}", encoding="utf-8")
        program.chmod(0o755)
    (folder / "environment").write_text(json.dumps([sys.executable, dict(os.environ)]))
    return str(path)


if __name__ == "__main__":
    place = Path(sys.argv[1])
    sys.executable = write_python(place)  # what a fork starts is a fork
    load()
    order = serve(place)
    become(order)
    end(lambda: run(order.arguments))
