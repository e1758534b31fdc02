"""Bodies: how much of what clients send is in memory at a time, by site."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

from ferrovia.server.protocol.from_client import MAX_MESSAGE
from ferrovia.server.refusals import Refusal

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]


class Bodies:
    """The bodies of all requests that are being answered. What a request sends beyond the size of
    a message counts for its site, which may have `most` bytes of that; so whoever sends much keeps
    nobody from saying little.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: Counter[str] = Counter()

    @contextmanager
    def counting(self, site: str, receive: Receive) -> Iterator[Receive]:
        """Count what a request receives until it is answered; it raises `Refusal`."""
        size = held = 0

        async def counted() -> MutableMapping[str, Any]:
            nonlocal size, held
            message = await receive()
            size += len(message.get("body", b""))
            more = max(0, size - MAX_MESSAGE) - held
            if more > 0:
                if self._held[site] + more > self._most:
                    raise Refusal("too_fast", "this network sends too much at a time")
                self._held[site] += more
                held += more
            return message

        try:
            yield counted
        finally:
            self._held[site] -= held
            if not self._held[site]:
                del self._held[site]
