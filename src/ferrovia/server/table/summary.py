"""What the store keeps of a table besides its log."""

from ferrovia.server.store.interface import Append, TableSummary
from ferrovia.server.table.commands import advance
from ferrovia.server.table.context import Terms
from ferrovia.server.table.entries import AnyEntry, Created, write_entry
from ferrovia.server.table.table import Table
from ferrovia.server.table.viewers import view


def new_table(
    id: str, created: Created, now: float, terms: Terms, *more: AnyEntry
) -> tuple[Table, Append]:
    """Return a new table and its first append, with `more` entries; its game begins if no seat is
    open.
    """
    table = Table(id)
    written = advance(table, [created, *more], now, terms)
    return table, Append(id, 1, tuple(map(write_entry, written)), summary_of(table))


def summary_of(table: Table) -> TableSummary:
    """Return what the store keeps of a table besides its log."""
    listed = table.setup.listed
    return TableSummary(
        status=table.status,
        listed=listed,
        changed=table.changed,
        due=None if table.bots_play_alone else table.due,  # they do while somebody looks on
        card=view.listed_table(table) if listed else view.room_card(table),
    )


def says_the_same(summary: TableSummary, before: TableSummary | None) -> bool:
    """Return whether a summary need not be written again: `changed` matters where it is listed."""
    if before is None or summary.listed or before.listed:
        return False
    said = (summary.status, summary.due, summary.card)
    return said == (before.status, before.due, before.card)
