"""The clock of a table, as it is agreed on when the table is set up."""

from typing import Literal

import msgspec


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time for a turn: none, `live` in seconds or `slow` in days."""

    kind: Literal["none", "live", "slow"] = "none"
    turn: int = 0

    @property
    def seconds(self) -> float | None:
        """The time for a turn in seconds; None without a clock."""
        if self.kind == "none":
            return None
        return float(self.turn if self.kind == "live" else self.turn * 86400)
