"""The shuffle before the game: the server's part, and the time by which people reveal theirs."""

from typing import TYPE_CHECKING

import msgspec

from ferrovia.game.chance.shuffle import commitment_to
from ferrovia.server.table.entries import Closed, Created, Sealed, Started

if TYPE_CHECKING:
    from ferrovia.server.table.table import Table

Followed = Created | Sealed | Started | Closed


class Shuffling(msgspec.Struct):
    """`part`: that of the server, and the `commitment` to it. `sealed_at`: the number of the entry
    after which no commitment changes any more; 0 before.
    """

    part: str = ""
    commitment: str | None = None
    reveal_by: float | None = None
    sealed_at: int = 0

    @property
    def sealed(self) -> bool:
        """Whether the commitments are fixed; no seat changes hands any more."""
        return self.sealed_at > 0

    def follow(self, entry: Followed, table: "Table") -> None:
        match entry:
            case Created():
                self.part = entry.part
                self.commitment = commitment_to(entry.part) if entry.part else None
            case Sealed():
                self.sealed_at, self.reveal_by = table.number, entry.deadline
            case Started() | Closed():
                self.reveal_by = None
