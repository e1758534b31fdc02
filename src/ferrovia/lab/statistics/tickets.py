"""Tickets: offered, kept, completed, and how those did who kept them."""

import numpy as np

from ferrovia.lab.accumulators import Accumulator
from ferrovia.lab.games import Games
from ferrovia.lab.statistics.counting import bits, table
from ferrovia.rules.state import log


class Tickets(Accumulator):
    """Totals by ticket `offered`; by seat and ticket `kept`, `completed`, and of those who kept it
    `wins` (in sixtieths) and `points`.
    """

    id = "tickets"

    def games(self, games: Games) -> None:
        seats, tickets = games.seats, len(games.words.tickets)
        offers = games.rows[games.rows[:, log.EVENT] == log.OFFERED]
        items = offers[:, log.ITEMS :]
        there = np.arange(items.shape[1]) < offers[:, log.COUNT, None]
        kept = bits(games.states["tickets"][:, :seats], tickets)
        completed = bits(games.scores["completed"][:, :seats], tickets)
        totals = self.totals
        totals["offered"] += table((tickets,), items[there])
        totals["kept"] += kept.sum(axis=0, dtype=np.int64)
        totals["completed"] += completed.sum(axis=0, dtype=np.int64)
        for name, worth in (
            ("wins", games.wins),
            ("points", games.results["total"][:, :seats].astype(np.int64)),
        ):
            totals[name] += np.einsum("gst,gs->st", kept, worth)
