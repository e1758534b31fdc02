"""What can be done at a table: one verb per class.

A verb is given the table, who speaks, the command and the time, and gives the entries that the
log shall hold; or it raises `Refusal`, and nothing has changed. It never writes and never tells.
"""

from ferrovia.server.verbs.deciding import Decider
from ferrovia.server.verbs.founding import Founder
from ferrovia.server.verbs.pausing import Pauser
from ferrovia.server.verbs.rematching import Rematcher
from ferrovia.server.verbs.seating import Seater
from ferrovia.server.verbs.standing_in import StandIn
from ferrovia.server.verbs.starting import Starter

__all__ = ["Decider", "Founder", "Pauser", "Rematcher", "Seater", "StandIn", "Starter"]
