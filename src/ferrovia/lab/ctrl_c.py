"""Ctrl-C reaches all processes of a terminal: workers leave it to the process they work for."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def ctrl_c_ignored() -> Iterator[None]:
    """Processes started in the block ignore Ctrl-C: it is for the process that started them.

    For that one it comes after the block; on Windows, where nothing can hold it, it is lost.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
    elif sys.platform == "win32":
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
    else:
        # Blocked, which processes inherit, and not ignored: another thread would lose it for us.
        resource_tracker.ensure_running()  # started in the block, it would let Ctrl-C through
        held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
