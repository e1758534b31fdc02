"""Ctrl-C: never lost, and never at a bad moment."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

_ONE_PRESS = 1.0  # seconds in which one press may arrive twice, from the terminal and a wrapper


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


@contextmanager
def never_swallowed() -> Iterator[Callable[[], None]]:
    """Ctrl-C interrupts, also where a library swallows it: the block calls what is yielded."""
    pressed: list[bool] = []

    def handler(_signal: int, _frame: Any) -> None:
        pressed.append(True)
        raise KeyboardInterrupt

    def look() -> None:
        if pressed:
            raise KeyboardInterrupt

    with _handled_by(handler):
        yield look
        look()
