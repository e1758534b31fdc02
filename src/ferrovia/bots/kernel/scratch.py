"""The memory of a scripted bot: one record, passed in, since scripts allocate nothing.

It must be all zero when a game begins. It only keeps what can be computed from the view again, so a
decision never depends on it.
"""

from typing import Any

from ferrovia.kernel import RecordLayout
from ferrovia.rules.state.layout import (
    CITIES,
    COLORS,
    KINDS,
    OFFER,
    ROUTE_WORDS,
    ROUTES,
    SCORE,
    SEATS,
    STATE,
    TICKET_WORDS,
    WORK,
)

Plan = Any  # a record of the shape below

PLANNED = 16  # tickets that a plan considers
RING = 128  # more than any price of a route


PLAN = RecordLayout(
    "PLAN",
    # For scoring tickets.
    ("score", SCORE),
    ("work", WORK),
    ("trial", STATE),  # with one route more claimed: see planner/last_turn.py
    # What the plan was made for: see simple/targets.py.
    ("seen_open", "u8", (ROUTE_WORDS,)),
    ("seen_routes", "u8", (ROUTE_WORDS,)),
    ("seen_lent", "u8", (ROUTE_WORDS,)),
    ("seen_tickets", "u8", (TICKET_WORDS,)),
    ("seen_stationed", "u8"),
    ("seen_turns", "i2"),
    # The plan.
    ("targets", "u8", (ROUTE_WORDS,)),
    ("bound", "i2"),  # trains that the ways of open tickets need
    ("station", "i2"),  # the city where a station finishes a lost ticket, or NONE
    ("ferry", "i2"),  # most locomotives that a target asks for
    ("need", "i2", (COLORS,)),  # cards of a colour that the coloured targets ask for
    # For finding ways: see paths.py.
    ("cost", "i2", (CITIES,)),  # of the cheapest way from the start
    ("via", "i2", (CITIES,)),  # the last route on it
    ("way", "u8", (ROUTE_WORDS,)),
    # For the tickets.
    ("waiting", "u8", (TICKET_WORDS,)),
    ("other_cost", "i2", (CITIES,)),
    ("price", "i2", (OFFER,)),
    # The tree of the planner: see planner/ticket_tree.py.
    ("free", "u8", (ROUTE_WORDS,)),  # routes that are its own or planned already
    ("priced", "u8", (ROUTE_WORDS,)),  # routes that it can claim or borrow
    ("lent", "u8", (ROUTE_WORDS,)),  # routes that it can borrow
    ("loans", "u8", (ROUTE_WORDS,)),  # what it plans to borrow
    ("tree", "u8", (ROUTE_WORDS,)),  # what it needs for its tickets
    ("side", "u8", (ROUTE_WORDS,)),  # what it claims for the points
    ("ways", "u8", (PLANNED, ROUTE_WORDS)),  # of each ticket
    ("reach", "u8", (SEATS,)),  # cities that each seat has reached
    ("planned", "i2", (PLANNED,)),  # tickets, those with most points first
    ("net", "i2", (ROUTES,)),  # what a route costs, less its points
    ("toll", "i2", (ROUTES,)),  # the same as a price for finding ways
    ("dye", "i2", (ROUTES,)),  # the colour meant for a route
    ("want", "i2", (COLORS,)),  # cards of a colour that tree and side routes ask for
    ("pool", "i2", (KINDS,)),  # cards that it has not seen
)
