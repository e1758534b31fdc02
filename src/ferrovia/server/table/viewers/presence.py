"""Presence: who is connected to the tables, at this server and at others that share its store.

Servers publish who is connected to them whenever that changes, and a heartbeat in between. Nothing
of it is stored: nobody is present any more at a server that has fallen silent.
"""

import asyncio
import math
from collections.abc import Iterable

import msgspec

from ferrovia.server.protocol.from_server import FilmShown
from ferrovia.server.store import Notification


class Lead(msgspec.Struct, frozen=True):
    """Somebody leads the film of a table: the number of this lead, a word by which two of the
    same number are told apart, and what is shown.
    """

    number: int
    word: str
    shown: FilmShown

    def order(self) -> tuple[int, str]:
        """Return what leads are sorted by: of two the later one counts."""
        return self.number, self.word


class Present(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who is at a table through one server, and the film that one of them leads. With `asks`, other
    servers are asked for the same. `leaving`: the server closes, and nobody is at any table through
    it any more.
    """

    seats: tuple[int, ...] = ()
    spectators: int = 0
    asks: bool = False
    leaving: bool = False
    film: Lead | None = None


_READ = msgspec.json.Decoder(Present).decode
_WRITE = msgspec.json.Encoder().encode


class Presences:
    """What this server publishes (`outgoing`: a table and who is there), and what others have
    published. `shared`: there may be others.
    """

    def __init__(self, shared: bool) -> None:
        self.outgoing: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self._shared = shared
        self._elsewhere: dict[str, dict[str, Present]] = {}
        self._heard: dict[str, float] = {}

    def publish(self, table: str, here: Present) -> None:
        """Queue for the other servers who is at a table here."""
        if self._shared:
            self.outgoing.put_nowait((table, _WRITE(here).decode()))

    def publish_leaving(self) -> None:
        """Queue for the other servers that this one closes."""
        self.publish("", Present(leaving=True))

    def elsewhere(self, table: str) -> Iterable[Present]:
        """Return who is at a table through other servers."""
        return self._elsewhere.get(table, {}).values()

    def attended(self) -> Iterable[str]:
        """Return the tables at which players are through other servers."""
        tables = self._elsewhere.items()
        return (table for table, there in tables if any(one.seats for one in there.values()))

    def knows(self, server: str) -> bool:
        """Return whether a server has sent something lately."""
        return server in self._heard

    def receive(self, news: Notification, now: float) -> Present | None:
        """Record news from another server; return who is present there, None for a heartbeat."""
        self._heard[news.sender] = now
        if not news.message:
            return None
        present = _READ(news.message)
        if present.leaving:
            self._heard[news.sender] = -math.inf  # as if it had been silent for ever
            return present
        there = self._elsewhere.setdefault(news.table, {})
        there.pop(news.sender, None)
        if present.seats or present.spectators:
            there[news.sender] = present
        if not there:
            del self._elsewhere[news.table]
        return present

    def silent(self, before: float) -> set[str]:
        """Return the servers that have sent nothing since a time, or are leaving."""
        return {sender for sender, when in self._heard.items() if when < before}

    def forget(self, before: float) -> set[str]:
        """Forget servers that have sent nothing since a time; return the tables that change."""
        silent = self.silent(before)
        changed = set()
        for table, there in list(self._elsewhere.items()):
            if silent & set(there):
                changed.add(table)
                self._elsewhere[table] = {s: p for s, p in there.items() if s not in silent}
        for sender in silent:
            del self._heard[sender]
        return changed
