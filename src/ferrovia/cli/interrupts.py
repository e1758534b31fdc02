"""Ctrl-C: never lost, and never at a bad moment."""

import _thread
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

_AGAIN = 0.05  # seconds until Ctrl-C that was lost comes again
_ONE_PRESS = 1.0  # seconds in which one press may arrive twice, from the terminal and a wrapper


def _interrupt() -> None:
    """Interrupt the main thread, even while it waits."""
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def deliver_again() -> None:
    """Deliver a Ctrl-C that was lost in a callback once more, a moment later.

    Python prints what is raised in a function that C calls, and drops it: the command would go on
    as if nothing had been pressed. Importing a module calls such functions too.
    """
    report = sys.unraisablehook

    def hook(lost: "sys.UnraisableHookArgs") -> None:
        if not isinstance(lost.exc_value, KeyboardInterrupt):
            report(lost)
            return
        again = threading.Timer(_AGAIN, _interrupt)
        again.daemon = True
        with suppress(RuntimeError):  # at its end a process starts no threads
            again.start()

    sys.unraisablehook = hook


@contextmanager
def _handled_by(handler: Callable[[int, Any], None]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def stopped_gently(stop: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C calls `stop`, which lets work in progress end; a second ends it at once."""
    first: list[float] = []

    def handler(_signal: int, _frame: Any) -> None:
        if not first:
            first.append(time.monotonic())
            stop()
            click.echo("stopping after the games in progress (Ctrl-C again: at once)", err=True)
        elif time.monotonic() - first[0] > _ONE_PRESS:
            raise KeyboardInterrupt

    with _handled_by(handler):
        yield
