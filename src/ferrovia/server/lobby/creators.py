"""Creators: from which address each table was set up, as far as this process has seen it.

Only the process knows it, and it is never stored: it is for sharing out the list of tables and the
time of the bots, not for knowing who plays.
"""

from collections import OrderedDict

_MOST = 100_000


class Creators:
    """The addresses of the tables that were set up last."""

    def __init__(self) -> None:
        self._addresses: OrderedDict[str, str] = OrderedDict()

    def add(self, table: str, address: str) -> None:
        """Remember from where a table was set up."""
        self._addresses[table] = address
        if len(self._addresses) > _MOST:
            self._addresses.popitem(last=False)

    def address_of(self, table: str) -> str | None:
        """Return from where a table was set up; None if that is not known."""
        return self._addresses.get(table)
