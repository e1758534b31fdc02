"""The address of a store: a path, `postgresql://…`, or the default in the data folder."""

import os
from pathlib import Path

import platformdirs

from ferrovia.errors import MissingExtra
from ferrovia.server.store.interface import Store, StoreGone
from ferrovia.server.store.sqlite import SqliteStore


def default_path() -> Path:
    """Return `games.sqlite` in the user's data folder, or in the one that `FERROVIA_DATA` names."""
    chosen = os.environ.get("FERROVIA_DATA")
    data = Path(chosen) if chosen else platformdirs.user_data_path("ferrovia", appauthor=False)
    return data / "games.sqlite"


def open_store(address: str | None = None) -> Store:
    """Open the store at `postgresql://…` or in the SQLite file of this path; None: the default.

    Raises `StoreError` or `MissingExtra` with a message for the people who run the server.
    """
    if address is None:
        return SqliteStore(default_path())
    if address.startswith(("postgresql://", "postgres://")):
        try:
            from ferrovia.server.store.postgresql import PostgresqlStore
        except ImportError as problem:
            raise MissingExtra("postgresql", problem) from None
        return PostgresqlStore(address)
    if "://" in address and not address.startswith("sqlite://"):
        scheme = address.partition("://")[0]
        raise StoreGone(f"there is no kind of store '{scheme}': give a path or postgresql://…")
    return SqliteStore(address.removeprefix("sqlite://"))
