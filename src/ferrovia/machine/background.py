"""Compiling beside a process that has begun uncompiled, so that nobody waits for the compiler.

Uncompiled, a decision takes milliseconds: quick enough for people and for every bot but those that
search. So where the cache is cold the game begins at once (see ferrovia.cli.cold_start), and the
cache is filled by another process meanwhile, at the lowest priority: first with what the levels
need, and once those have taken over with the other bots.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, Literal

from ferrovia.bots.registry import bot_behind
from ferrovia.machine.compile import FOR_TABLES, for_bots, not_compiled
from ferrovia.rules.compiler import COMPILED, cache_folder

COMMAND = (sys.executable, "-m", "ferrovia.machine.compile", "--background")
UNCOMPILED = "NUMBA_DISABLE_JIT"
"""The variable of Numba that leaves functions as they are."""


def needs_compiled_rules(bot: str) -> bool:
    """Return whether a bot is too slow for people where the rules are not compiled.

    Those are the ones that try moves in many games of their own: seconds for each decision.
    """
    name, _, budget = bot_behind(bot).partition(":")
    return name == "search" or (name == "net" and budget != "")


def keeps_people_waiting(bot: str) -> bool:
    """Return whether people would wait for the compiler at the first decision of a bot here.

    On a board that no net has learned, ask for the bot that plays there: `bot_on`.
    """
    if not COMPILED:
        return needs_compiled_rules(bot)
    return bool(not_compiled(for_bots([bot], learned=True)))


def compiler_beside(*, uncompiled: bool) -> "BackgroundCompiler | None":
    """Return the compiler that a server needs beside it; None if everything is compiled.

    One that has begun uncompiled needs the levels, to be replaced by its successor; one with
    compiled rules the bots that nobody has used yet, unless nothing can be kept for them.
    """
    if uncompiled:
        return BackgroundCompiler("levels")
    needed = not_compiled(FOR_TABLES) and cache_folder() is not None
    return BackgroundCompiler("tables") if needed else None


def compiled_environment() -> dict[str, str]:
    """Return the environment for a process that compiles, started from one that does not."""
    return {name: value for name, value in os.environ.items() if name != UNCOMPILED}


class BackgroundCompiler:
    """Fills the cache with what levels or tables need, in processes beside this one.

    `done` of `total` functions are ready; `total` is 0 until it is known. `changed` is called at
    every step, from a thread of its own.
    """

    def __init__(self, what: Literal["levels", "tables"]) -> None:
        self.done = 0
        self.total = 0
        self.state: Literal["running", "finished", "failed"] = "running"
        self._command = (*COMMAND, f"--{what}")
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None

    def start(self, changed: Callable[[], None] = lambda: None) -> None:
        """Start the processes."""
        options: dict[str, Any] = {}
        if os.name == "nt":
            options["creationflags"] = 0x4000  # BELOW_NORMAL_PRIORITY_CLASS
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=compiled_environment(),
            start_new_session=True,  # Ctrl-C at the terminal is not for them
            **options,
        )
        self._reader = threading.Thread(
            target=self._follow, args=(self._process, changed), daemon=True
        )
        self._reader.start()

    def _follow(self, process: "subprocess.Popen[str]", changed: Callable[[], None]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            done, _, total = line.partition(" of ")
            if done.isdecimal() and total.strip().isdecimal():
                self.done, self.total = int(done), int(total)
                changed()
        self.state = "finished" if process.wait() == 0 else "failed"
        changed()

    def stop(self) -> None:
        """End the processes that still run; what they have finished stays in the cache."""
        process = self._process
        if process is None:
            return
        if process.poll() is None:
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)  # with the processes that it has started
            else:
                process.kill()
        if self._reader is not None:
            self._reader.join()
        if process.stdout is not None:
            process.stdout.close()
        self._process = None

    def __enter__(self) -> "BackgroundCompiler":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
