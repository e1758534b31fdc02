"""The address of a store: a path, `postgresql://…`, or the default in the data folder."""

from pathlib import Path

from ferrovia.data_folder import data_folder
from ferrovia.errors import MissingExtra
from ferrovia.server.store.interface import Archive, Mode, StoreDamaged, StoreGone
from ferrovia.server.store.maintenance.check import AT_ONCE, check
from ferrovia.server.store.sqlite.store import SqliteStore


def default_path() -> Path:
    """Return `games.sqlite` in the user's data folder."""
    return data_folder() / "games.sqlite"


def open_store(address: str | None = None) -> Archive:
    """Open the store at `postgresql://…` or in the SQLite file of this path; None: the default.

    A small one is checked now (see `Archive.report`). Raises `StoreError` or `MissingExtra` with a
    message for the people who run the server, even when the whole store is damaged.
    """
    store = open_archive(address, "serve")
    try:
        if store.size() <= AT_ONCE:
            store.report = check(store)
            broken = store.report.broken
            if broken is not None:
                raise StoreDamaged(
                    None,
                    None,
                    f"the store {store.name} is damaged: {broken.problem}. Nothing was changed. "
                    "Restore a backup (ferrovia store restore), or keep what is whole "
                    "(ferrovia store move --salvage)",
                )
    except BaseException:
        store.close()
        raise
    return store


def open_archive(address: str | None, mode: Mode) -> Archive:
    """Open a store for a tool, unchecked: one that exists, in any state."""
    if address is None:
        return SqliteStore(default_path(), mode=mode)
    if is_postgresql(address):
        try:
            from ferrovia.server.store.postgresql.store import PostgresqlStore
        except ImportError as problem:
            raise MissingExtra("postgresql", problem) from None
        return PostgresqlStore(address, mode=mode)
    return SqliteStore(path_of(address), mode=mode)


def is_begun(address: str | None) -> bool:
    """Return whether there is an SQLite store at an address; of a database this is not asked."""
    return not (address is not None and is_postgresql(address)) and path_of(address).exists()


def is_postgresql(address: str) -> bool:
    """Return whether an address is that of a database."""
    return address.startswith(("postgresql://", "postgres://"))


def path_of(address: str | None) -> Path:
    """Return the path of an SQLite store; raises `StoreGone` for another kind of address."""
    if address is None:
        return default_path()
    if "://" in address and not address.startswith("sqlite://"):
        scheme = address.partition("://")[0]
        raise StoreGone(f"there is no kind of store '{scheme}': give a path or postgresql://…")
    return Path(address.removeprefix("sqlite://"))
