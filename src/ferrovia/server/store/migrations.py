"""The schema of the store, version by version. A store is migrated when it is opened.

Each version is a list of statements that lead from the version before it. Published versions
never change; a new schema is a new version at the end, for both kinds of store.
"""

from collections.abc import Sequence

Migrations = Sequence[Sequence[str]]

SQLITE: Migrations = (
    (
        """CREATE TABLE log (
            game TEXT NOT NULL,
            number INTEGER NOT NULL,
            entry BLOB NOT NULL,
            PRIMARY KEY (game, number)
        ) WITHOUT ROWID""",
        """CREATE TABLE tables (
            game TEXT PRIMARY KEY,
            status TEXT NOT NULL,
            listed INTEGER NOT NULL,
            changed REAL NOT NULL,
            due REAL,
            card BLOB NOT NULL
        ) WITHOUT ROWID""",
        "CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL",
        "CREATE INDEX tables_listed ON tables (changed) WHERE listed AND status <> 'over'",
    ),
    (
        "ALTER TABLE log ADD COLUMN chain BLOB",
        "ALTER TABLE tables ADD COLUMN number INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE tables ADD COLUMN head BLOB NOT NULL DEFAULT x''",
        "ALTER TABLE tables ADD COLUMN seal BLOB NOT NULL DEFAULT x''",
    ),
    (
        # Strangers try codes of rooms: each try looks at one row, however many tables there are.
        """CREATE INDEX tables_rooms ON tables (card)
            WHERE NOT listed AND status <> 'over' AND card <> x''""",
    ),
    (
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
)

POSTGRESQL: Migrations = (
    (
        """CREATE TABLE ferrovia_log (
            game text NOT NULL,
            number integer NOT NULL,
            entry bytea NOT NULL,
            PRIMARY KEY (game, number)
        )""",
        """CREATE TABLE ferrovia_tables (
            game text PRIMARY KEY,
            status text NOT NULL,
            listed boolean NOT NULL,
            changed double precision NOT NULL,
            due double precision,
            card bytea NOT NULL
        )""",
        "CREATE INDEX ferrovia_tables_due ON ferrovia_tables (due) WHERE due IS NOT NULL",
        """CREATE INDEX ferrovia_tables_listed ON ferrovia_tables (changed)
            WHERE listed AND status <> 'over'""",
    ),
    (
        "ALTER TABLE ferrovia_log ADD COLUMN chain bytea",
        # A server from before the chain is refused when it writes, instead of leaving gaps.
        """ALTER TABLE ferrovia_log ADD CONSTRAINT ferrovia_log_chained
            CHECK (chain IS NOT NULL) NOT VALID""",
        """ALTER TABLE ferrovia_tables
            ADD COLUMN number integer NOT NULL DEFAULT 0,
            ADD COLUMN head bytea NOT NULL DEFAULT '',
            ADD COLUMN seal bytea NOT NULL DEFAULT ''""",
        # Every append updates the row of its table: room on the page keeps that cheap.
        "ALTER TABLE ferrovia_tables SET (fillfactor = 70)",
    ),
    (
        """CREATE INDEX ferrovia_tables_rooms ON ferrovia_tables (card)
            WHERE NOT listed AND status <> 'over' AND card <> ''""",
    ),
    (
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
)

CHAINED = 2
"""The version from which on entries are chained. What is older gets a head and a seal for every
table when it is migrated; its entries stay as they are."""
ANALYSES = 4
"""The version from which on analyses are kept beside the log."""


def too_new(where: str, found: int, known: int) -> str:
    """Return the message for a store of a version that this program does not know."""
    return (
        f"{where} has version {found}; this Ferrovia knows versions up to {known}. "
        "Nothing was changed: use the newer Ferrovia that wrote it, or another store."
    )
