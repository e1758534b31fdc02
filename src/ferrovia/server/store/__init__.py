"""Stores of games: append-only logs, two implementations behind one small interface."""

from ferrovia.server.store.address import is_begun, open_archive, open_store
from ferrovia.server.store.interface import (
    Append,
    Archive,
    CheckReport,
    Damage,
    News,
    Store,
    Stored,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreGone,
    StoreInUse,
    StoreLocked,
    StoreNewer,
    Summary,
)
from ferrovia.server.store.journal import Journal
from ferrovia.server.store.probe import StoreProbe

__all__ = [
    "Append",
    "Archive",
    "CheckReport",
    "Damage",
    "Journal",
    "News",
    "Store",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreGone",
    "StoreInUse",
    "StoreLocked",
    "StoreNewer",
    "StoreProbe",
    "Stored",
    "Summary",
    "is_begun",
    "open_archive",
    "open_store",
]
