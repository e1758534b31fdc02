"""Who is present at the tables: at this server, and at the others that share its store.

Servers tell each other who is connected to them whenever that changes, and now and then that they
are alive. Nothing of it is kept: a server that falls silent has nobody present any more.
"""

import asyncio
from collections.abc import Iterable

import msgspec

from ferrovia.server.store import News


class Present(msgspec.Struct, frozen=True):
    """Who is at a table through one server. With `asks` it wants to hear the same from others."""

    seats: tuple[int, ...] = ()
    spectators: int = 0
    asks: bool = False


_READ = msgspec.json.Decoder(Present).decode
_WRITE = msgspec.json.Encoder().encode


class Presences:
    """What this server has to tell the others (`outgoing`: a table, and who is there), and what it
    was told by them. `shared`: there are others.
    """

    def __init__(self, shared: bool) -> None:
        self.outgoing: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self._shared = shared
        self._elsewhere: dict[str, dict[str, Present]] = {}
        self._heard: dict[str, float] = {}

    def tell(self, table: str, here: Present) -> None:
        """Let the others know who is at a table here."""
        if self._shared:
            self.outgoing.put_nowait((table, _WRITE(here).decode()))

    def elsewhere(self, table: str) -> Iterable[Present]:
        """Who is at a table through the other servers."""
        return self._elsewhere.get(table, {}).values()

    def knows(self, server: str) -> bool:
        """Whether a server was heard of lately."""
        return server in self._heard

    def take(self, news: News, now: float) -> Present | None:
        """Take up what another server says; None when it only says that it is alive."""
        self._heard[news.sender] = now
        if not news.said:
            return None
        present = _READ(news.said)
        there = self._elsewhere.setdefault(news.table, {})
        there.pop(news.sender, None)
        if present.seats or present.spectators:
            there[news.sender] = present
        if not there:
            del self._elsewhere[news.table]
        return present

    def forget(self, before: float) -> set[str]:
        """Forget servers that were not heard since a time; gives the tables that this changes."""
        silent = {sender for sender, when in self._heard.items() if when < before}
        changed = set()
        for table, there in list(self._elsewhere.items()):
            if silent & set(there):
                changed.add(table)
                self._elsewhere[table] = {s: p for s, p in there.items() if s not in silent}
        for sender in silent:
            del self._heard[sender]
        return changed
