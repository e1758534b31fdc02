"""Verbs: what can be done at a table, one module each.

A verb is given the table, the actor, the command and the time. It returns the entries for the log,
or raises `Refusal`. It changes nothing, not even the table: `Table.apply` does (see table.py).
"""

from ferrovia.server.table.verbs.chat import Talker
from ferrovia.server.table.verbs.create import TableCreator
from ferrovia.server.table.verbs.decide import Decider
from ferrovia.server.table.verbs.pause import Pauser
from ferrovia.server.table.verbs.rematch import Rematcher
from ferrovia.server.table.verbs.room import RoomKeeper
from ferrovia.server.table.verbs.seats import SeatAssigner
from ferrovia.server.table.verbs.stand_in import StandIn
from ferrovia.server.table.verbs.start import REVEAL_SECONDS, GameStarter
from ferrovia.server.table.verbs.undo import Undoer

__all__ = [
    "REVEAL_SECONDS",
    "Decider",
    "GameStarter",
    "Pauser",
    "Rematcher",
    "RoomKeeper",
    "SeatAssigner",
    "StandIn",
    "TableCreator",
    "Talker",
    "Undoer",
]
