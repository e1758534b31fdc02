"""Start: the game begins as soon as every seat is taken."""

from ferrovia.game import Game
from ferrovia.game.record import header_of
from ferrovia.server.table.catalog import Catalog
from ferrovia.server.table.entries import Started
from ferrovia.server.table.table import Table, table_header


class GameStarter:
    """Shuffles and deals; the entry has the seed, and the commitment to publish."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def start(self, table: Table, now: float) -> Started:
        """Return the entry for the start of a full table's game."""
        setup = table.setup
        names = [f"bot:{seat.bot}" if seat.kind == "bot" else seat.name for seat in table.seats]
        edition = self._catalog.find(setup.edition, setup.extras)
        game = Game(edition, names, first=setup.first)
        seconds = table.clock.seconds
        return Started(
            at=now,
            header=table_header(header_of(game, game.seed.hex()), setup),
            events=tuple(game.events),  # type: ignore[arg-type]
            deadline=None if seconds is None else now + seconds,
        )
