"""Stores of games: append-only logs, two implementations behind one small interface."""

from ferrovia.server.store.interface import (
    Append,
    Archive,
    Damage,
    Journal,
    Notification,
    Store,
    Stored,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreGone,
    StoreInUse,
    StoreLocked,
    StoreNewer,
    StoreReport,
    TableSummary,
)
from ferrovia.server.store.probe import StoreProbe

__all__ = [
    "Append",
    "Archive",
    "Damage",
    "Journal",
    "Notification",
    "Store",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreGone",
    "StoreInUse",
    "StoreLocked",
    "StoreNewer",
    "StoreProbe",
    "StoreReport",
    "Stored",
    "TableSummary",
]
