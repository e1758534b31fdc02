"""What can be done at a table: one verb per class.

A verb is given the table, who speaks, the command and the time, and gives the entries that the
log shall hold; or it raises `Refusal`, and nothing has changed. It never writes and never tells.
"""

from ferrovia.server.table.verbs.create import Founder
from ferrovia.server.table.verbs.decide import Decider
from ferrovia.server.table.verbs.pause import Pauser
from ferrovia.server.table.verbs.rematch import Rematcher
from ferrovia.server.table.verbs.seats import Seater
from ferrovia.server.table.verbs.stand_in import StandIn
from ferrovia.server.table.verbs.start import Starter

__all__ = ["Decider", "Founder", "Pauser", "Rematcher", "Seater", "StandIn", "Starter"]
