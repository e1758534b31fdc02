"""Stores of games: append-only logs, two implementations behind one small interface."""

from ferrovia.server.store.address import open_store
from ferrovia.server.store.interface import (
    Append,
    News,
    Store,
    StoreError,
    StoreFull,
    StoreGone,
    StoreInUse,
    StoreLocked,
    StoreNewer,
    Summary,
)
from ferrovia.server.store.journal import Journal
from ferrovia.server.store.readiness import Readiness

__all__ = [
    "Append",
    "Journal",
    "News",
    "Readiness",
    "Store",
    "StoreError",
    "StoreFull",
    "StoreGone",
    "StoreInUse",
    "StoreLocked",
    "StoreNewer",
    "Summary",
    "open_store",
]
