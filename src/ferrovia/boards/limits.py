"""Limits that keep hostile files small and every board inside the tables of the rules.

The counts are what the compiled rules have space for; a board within these limits fits.
"""

from typing import Final

MAX_BYTES: Final = 1 << 20
MAX_DEPTH: Final = 16
MAX_PROBLEMS: Final = 100

MAX_CITIES: Final = 64
MAX_ROUTES: Final = 192
MAX_TICKETS: Final = 192
MAX_LENGTH: Final = 8
MAX_POINTS: Final = 99
MAX_BEND: Final = 40
"""Hundredths of its length by which a line bows to one side."""

MIN_SEATS: Final = 2
MAX_SEATS: Final = 6
MAX_TRAINS: Final = 64
MAX_STATIONS: Final = 3
MAX_CARDS_OF_COLOR: Final = 60
MAX_STAGES: Final = 2
MAX_OFFER: Final = 6
START_CARDS: Final = 4
"""Cards dealt to each player at the start (R2.2)."""

PLACES: Final = 5
"""Places of the display (R2.2)."""

ENOUGH_OTHERS: Final = 3
"""Cards other than locomotives from which on the display is dealt anew (R4.7)."""

MAX_REDEALS: Final = 100
"""Times that the display may be turned up on average, at the first deal, until it stays (R4.6)."""
