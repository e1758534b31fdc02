"""Stores of games: append-only logs, two implementations behind one small interface."""

from ferrovia.server.store.interface import (
    Append,
    Archive,
    CheckReport,
    Damage,
    Journal,
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
]
