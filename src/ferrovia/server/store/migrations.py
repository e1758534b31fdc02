"""The schema of the store, version by version. A store is migrated when it is opened.

Each version is a list of statements that lead from the version before it. Published versions
never change; a new schema is a new version at the end, for both kinds of store.
"""

from collections.abc import Sequence

from ferrovia.server.store.interface import StoreGone, StoreNewer

Migrations = Sequence[Sequence[str]]

FIRST = 4
"""The version of the first list: those before it were never released."""

SQLITE: Migrations = (
    (
        """CREATE TABLE log (
            game TEXT NOT NULL,
            number INTEGER NOT NULL,
            entry BLOB NOT NULL,
            chain BLOB NOT NULL,
            PRIMARY KEY (game, number)
        ) WITHOUT ROWID""",
        """CREATE TABLE tables (
            game TEXT PRIMARY KEY,
            status TEXT NOT NULL,
            listed INTEGER NOT NULL,
            changed REAL NOT NULL,
            due REAL,
            card BLOB NOT NULL,
            number INTEGER NOT NULL DEFAULT 0,
            head BLOB NOT NULL DEFAULT x'',
            seal BLOB NOT NULL DEFAULT x''
        ) WITHOUT ROWID""",
        "CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL",
        "CREATE INDEX tables_listed ON tables (changed) WHERE listed AND status <> 'over'",
        # Strangers try codes of rooms: each try looks at one row, however many tables there are.
        """CREATE INDEX tables_rooms ON tables (card)
            WHERE NOT listed AND status <> 'over' AND card <> x''""",
        """CREATE TABLE analyses (
            id INTEGER PRIMARY KEY,
            game TEXT NOT NULL,
            body BLOB NOT NULL
        )""",
        "CREATE INDEX analyses_game ON analyses (game, id)",
        """CREATE TABLE shared_analyses (
            game TEXT NOT NULL,
            seat INTEGER NOT NULL,
            PRIMARY KEY (game, seat)
        ) WITHOUT ROWID""",
    ),
    ("CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",),
)

POSTGRESQL: Migrations = (
    (
        """CREATE TABLE ferrovia_log (
            game text NOT NULL,
            number integer NOT NULL,
            entry bytea NOT NULL,
            chain bytea NOT NULL,
            PRIMARY KEY (game, number)
        )""",
        # Every append updates the row of its table: room on the page keeps that cheap.
        """CREATE TABLE ferrovia_tables (
            game text PRIMARY KEY,
            status text NOT NULL,
            listed boolean NOT NULL,
            changed double precision NOT NULL,
            due double precision,
            card bytea NOT NULL,
            number integer NOT NULL DEFAULT 0,
            head bytea NOT NULL DEFAULT '',
            seal bytea NOT NULL DEFAULT ''
        ) WITH (fillfactor = 70)""",
        "CREATE INDEX ferrovia_tables_due ON ferrovia_tables (due) WHERE due IS NOT NULL",
        """CREATE INDEX ferrovia_tables_listed ON ferrovia_tables (changed)
            WHERE listed AND status <> 'over'""",
        """CREATE INDEX ferrovia_tables_rooms ON ferrovia_tables (card)
            WHERE NOT listed AND status <> 'over' AND card <> ''""",
        """CREATE TABLE ferrovia_analyses (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            game text NOT NULL,
            body bytea NOT NULL
        )""",
        "CREATE INDEX ferrovia_analyses_game ON ferrovia_analyses (game, id)",
        """CREATE TABLE ferrovia_shared_analyses (
            game text NOT NULL,
            seat integer NOT NULL,
            PRIMARY KEY (game, seat)
        )""",
    ),
    ("CREATE TABLE ferrovia_secrets (name text PRIMARY KEY, value bytea NOT NULL)",),
)


def latest(steps: Migrations) -> int:
    """Return the version that migrations lead to."""
    return FIRST + len(steps) - 1


def missing(where: str, found: int, steps: Migrations) -> list[tuple[int, Sequence[str]]]:
    """Return the versions that lead from the one that was found (0: an empty store) to the latest,
    with their statements; raises `StoreError` for a version that this program does not know.
    """
    newest = latest(steps)
    if found > newest:
        raise StoreNewer(
            f"{where} has version {found}; this Ferrovia knows versions up to {newest}. "
            "Nothing was changed: use the newer Ferrovia that wrote it, or another store."
        )
    if 0 < found < FIRST:
        raise StoreGone(f"{where} has version {found}, which is from before the first release")
    return [each for each in enumerate(steps, start=FIRST) if each[0] > found]


def known(version: int, steps: Migrations) -> list[tuple[int, Sequence[str]]]:
    """Return the versions that led to this one, with their statements."""
    return [each for each in enumerate(steps, start=FIRST) if each[0] <= version]
