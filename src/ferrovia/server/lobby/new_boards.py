"""Boards that are made for a table before anybody sits down at it, another one for every game."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec

from ferrovia.boards import edition_from_document
from ferrovia.boards.reading.json_file import parse_document
from ferrovia.server.catalog import Catalog, MadeBoard
from ferrovia.server.processes.queue import FairQueue, QueueFull, Standing
from ferrovia.server.protocol.workshop import BoardFile, MakeBoard
from ferrovia.server.refusals import Refusal

_WAITING = 20
_WAITING_OF_SITE = 2


class NewBoards:
    """Makes boards one at a time; `make` does it elsewhere and answers with JSON."""

    def __init__(self, catalog: Catalog, make: Callable[[MakeBoard], Awaitable[bytes]]) -> None:
        self._catalog = catalog
        self._make = make
        self._places = FairQueue(1, _WAITING, _WAITING_OF_SITE)

    async def prepare(self, edition: str, site: str = "") -> int:
        """Make the board of an edition that is one to be made, for somebody at a site, unless it is
        there; return how many bytes are kept of it. Raises `Refusal` if it cannot be made.
        """
        wanted = MadeBoard.of(edition)
        if wanted is None or self._catalog.knows(edition):
            return 0
        try:
            await self._places.enter(lambda: Standing(0, site))
        except QueueFull:
            raise Refusal("too_fast", "too many wait for a board") from None
        time = asyncio.get_running_loop().time
        began = time()
        try:
            made = await self._make(MakeBoard(**wanted._asdict()))
        except Refusal as refusal:
            raise Refusal("invalid_setup", refusal.detail) from None
        finally:
            self._places.leave(site, time() - began)
        text = msgspec.json.decode(made, type=BoardFile).board
        board = edition_from_document(parse_document(text, edition).value, name=edition)
        await asyncio.to_thread(self._catalog.keep, edition, board)
        return len(text)
