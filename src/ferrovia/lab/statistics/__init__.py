"""What the report tells of: statistics that work on whole batches of games at once."""

from ferrovia.lab.accumulators import Accumulator
from ferrovia.lab.statistics.endings import Endings
from ferrovia.lab.statistics.rare_rules import RareRules
from ferrovia.lab.statistics.routes import Routes
from ferrovia.lab.statistics.scores import Scores
from ferrovia.lab.statistics.starters import Starters
from ferrovia.lab.statistics.tickets import Tickets

__all__ = ["Endings", "RareRules", "Routes", "Scores", "Starters", "Tickets", "for_report"]


def for_report() -> tuple[Accumulator, ...]:
    """Everything that a report needs, with nothing counted."""
    return (Routes(), Tickets(), Scores(), Starters(), Endings(), RareRules())
