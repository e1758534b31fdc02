"""A TCP proxy that cuts, slows down and holds the connections through it."""

import select
import socket
import threading
import time
from contextlib import suppress


class Proxy:
    """Passes connections to an address on from a port of its own.

    `delay`: seconds that every piece of data is late. `held`: nothing passes, nothing is lost.
    """

    def __init__(self, host: str, port: int) -> None:
        self._to = (host, port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.delay = 0.0
        self.held = False
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._closed = False
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break all connections, in the middle of whatever they carry."""
        with self._lock:
            broken, self._open = self._open, set()
        for one in broken:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def heal(self) -> None:
        self.delay, self.held = 0.0, False

    def close(self) -> None:
        self._closed = True
        self._listening.close()
        self.heal()
        self.cut()

    def _accept(self) -> None:
        while not self._closed:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self._to, timeout=5)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            with self._lock:
                self._open |= {near, far}
            threading.Thread(target=self._pass_on, args=(near, far), daemon=True).start()

    def _pass_on(self, near: socket.socket, far: socket.socket) -> None:
        """Both ways in one thread: a delay in one direction delays the other as well."""
        others = {near: far, far: near}
        with suppress(OSError, ValueError), near, far:
            while True:
                ready, _, _ = select.select([near, far], [], [], 1.0)
                for one in ready:
                    data = one.recv(65536)
                    if not data:
                        return
                    time.sleep(self.delay)
                    while self.held:
                        time.sleep(0.005)
                    others[one].sendall(data)
