"""The memory of a scripted bot: one record, handed in, since scripts allocate nothing.

It must be all zero when a game begins. What it remembers is only what can be worked out from the
view again, so a decision never depends on it.
"""

from typing import Any

import numpy as np

from ferrovia.rules.layout import (
    CITIES,
    COLORS,
    OFFER,
    ROUTE_WORDS,
    SCORE,
    TICKET_WORDS,
    WORK,
)

Plan = Any  # a record of the shape below

RING = 16  # more than the spaces of a route, and a power of two


PLAN = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # Room for scoring tickets. (First, since a record inside a record is not aligned.)
                ("score", SCORE),
                ("work", WORK),
                # What the plan was made for: see targets.py.
                ("seen_open", "u8", (ROUTE_WORDS,)),
                ("seen_routes", "u8", (ROUTE_WORDS,)),
                ("seen_lent", "u8", (ROUTE_WORDS,)),
                ("seen_tickets", "u8", (TICKET_WORDS,)),
                ("seen_stationed", "u8"),
                # The plan.
                ("targets", "u8", (ROUTE_WORDS,)),
                ("bound", "i2"),  # trains that the ways of open tickets need
                ("station", "i2"),  # the city where a station finishes a lost ticket, or NONE
                ("ferry", "i2"),  # most locomotives that a target asks for
                ("need", "i2", (COLORS,)),  # cards of a colour that the coloured targets ask for
                # Room for finding ways: see ways.py.
                ("ring", "u8", (RING,)),  # cities to go on from, by cost
                ("cost", "i2", (CITIES,)),  # of the cheapest way from the start
                ("via", "i2", (CITIES,)),  # the last route on it
                ("way", "u8", (ROUTE_WORDS,)),
                # Room for the tickets.
                ("waiting", "u8", (TICKET_WORDS,)),
                ("other_cost", "i2", (CITIES,)),
                ("price", "i2", (OFFER,)),
            ],
            align=True,
        ),
    )
)
