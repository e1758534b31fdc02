"""The tables of a server without its sockets, on this system."""

from collections.abc import Callable

from ferrovia.server.lobby.tables import Tables
from ferrovia.server.operating_system import operating_system
from ferrovia.server.settings import Settings
from ferrovia.server.store import Store


def tables_of(settings: Settings, store: Store, now: Callable[[], float] | None = None) -> Tables:
    """Return the tables of a server over a store."""
    system = operating_system()
    pool = system.bots(settings)
    return Tables(
        settings, store, system.metrics, system.journal, pool, system.post, system.workshop, now
    )
