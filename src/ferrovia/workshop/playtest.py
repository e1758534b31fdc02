"""Playtests by bots: what is contested, which tickets are finished, and what a seat is worth."""

from math import sqrt

import msgspec

from ferrovia.boards.edition import Edition

_WIN = 60  # sixtieths: a win that is shared counts in parts
_SURE = 1.96  # standard errors to either side of 95 in 100


class Playtest(msgspec.Struct, frozen=True):
    """Games of bots at a table of so many. `turns` are those of a game and `points` those of a
    seat, on average; `first` is the share of wins of whoever begins, and `give` by how much it may
    be off (95%). `taken`: in how many of the games each route was claimed; `finished`: how many of
    those who kept each ticket completed it, null where nobody did.
    """

    players: int
    games: int
    turns: float
    points: float
    first: float
    give: float
    taken: dict[str, float]
    finished: dict[str, float | None]


def playtest(
    edition: Edition, players: int, *, games: int = 300, seed: int = 1, bot: str = "planner"
) -> Playtest:
    """Return what happens in so many games of a bot against itself; the same each time."""
    from ferrovia.lab import Plan, Tally, simulate  # which need NumPy, as a page has not
    from ferrovia.lab.statistics import Routes, Starters, Tickets

    plan = Plan(edition, (bot,) * players, games=games, seed=seed)
    routes, tickets, starters = Routes(), Tickets(), Starters()
    tally = Tally(players)
    for results in simulate(plan, accumulators=(routes, tickets, starters)):
        tally.add(results)
    claims = routes.totals["claims"].sum(axis=0)
    kept = tickets.totals["kept"].sum(axis=0)
    completed = tickets.totals["completed"].sum(axis=0)
    began = int(starters.totals["games"][:, 0].sum())
    first = int(starters.totals["wins"][:, 0].sum()) / _WIN / began
    return Playtest(
        players=players,
        games=tally.games,
        turns=tally.turns / tally.games,
        points=sum(tally.sums("total")) / tally.games / players,
        first=first,
        give=_SURE * sqrt(first * (1 - first) / began),
        taken={
            route.id: int(claims[number]) / tally.games
            for number, route in enumerate(edition.board.routes)
        },
        finished={
            ticket.id: int(completed[number]) / int(kept[number]) if kept[number] else None
            for number, ticket in enumerate(edition.tickets)
        },
    )
