"""Where games are kept: an append-only log, with two implementations behind one small protocol."""

from ferrovia.server.store.journal import Journal
from ferrovia.server.store.opening import open_store
from ferrovia.server.store.protocol import (
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

__all__ = [
    "Append",
    "Journal",
    "News",
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
