"""Why a decision is a good one, in facts that a seat can know: for the words of a hint.

What a ticket still takes is counted on the board. What cards are for, and which trains tickets
leave, is planner's plan of the view; what is to be expected, the net's games from there on. Bots
that have neither give fewer reasons.
"""

from math import inf
from typing import Any

import msgspec

from ferrovia.boards import COLORS
from ferrovia.boards.ways import distances
from ferrovia.bots.kernel.kernel_bot import ScriptedBot
from ferrovia.bots.kernel.scratch import PLAN
from ferrovia.bots.kernel.scripts import SCRIPTS
from ferrovia.bots.registry import bot_behind
from ferrovia.bots.search.net_search import chance_of_winning
from ferrovia.game import Action, View
from ferrovia.game.actions import (
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    TakeCard,
)
from ferrovia.game.codec.actions import codes_of
from ferrovia.game.scores import members
from ferrovia.rules.state.layout import LOCOMOTIVE, STATE, TURN

_PLANNER = SCRIPTS.index("planner")


class TicketGoal(msgspec.Struct, frozen=True):
    """A ticket that a decision is for, and the trains that it takes afterwards."""

    ticket: str
    trains: int


class Why(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What speaks for a decision; what does not matter to it, or is not known, is left out.

    `goals`: tickets that it brings nearer, or that are kept. `points`: of a route that serves no
    ticket. `route`: what a card is meant for. `missing`: cards that the planned routes still lack
    after it, of the card's colour or of all. `spare`: trains that the ways of all tickets leave.
    `chance`: share of the games that the bot expects to win from there on.
    """

    goals: tuple[TicketGoal, ...] = ()
    points: int | None = None
    route: str | None = None
    missing: int | None = None
    spare: int | None = None
    chance: float | None = None


def why(view: View, action: Action, bot: str) -> Why:
    """Return what speaks for an action of the view's seat, which `bot` would choose."""
    s = STATE.of(view.buffer)
    behind = bot_behind(bot)
    plans = behind.partition(":")[0] in ("planner", "net")
    reasons = _Reasons(view, plans)
    match action:
        case ClaimRoute(route):
            found = reasons.of_route(view.lexicon.route(route))
        case BuildStation(city):
            found = reasons.of_station(view.lexicon.city(city))
        case TakeCard(card):
            found = reasons.of_card(COLORS.index(card))
        case DrawCard():
            found = reasons.of_deck()
        case DrawTickets():
            found = reasons.of_tickets()
        case KeepTickets(numbers):
            found = reasons.of_offer([int(s.offer[view.seat, number - 1]) for number in numbers])
        case _:
            return Why()
    if not behind.startswith("net:"):
        return found
    code = codes_of(view.lexicon, view.buffer, view.seat, action, listed=True)[0]
    chance = chance_of_winning(view.lexicon, view.buffer.copy(), view.seat, code)
    return msgspec.structs.replace(found, chance=chance)


class _Reasons:
    """What can be said of the decisions of one seat in one view."""

    def __init__(self, view: View, plans: bool) -> None:
        self._lexicon, self._book, self._seat = view.lexicon, view.lexicon.tables, view.seat
        self._view, self._s = view.buffer, STATE.of(view.buffer)
        self._plans = plans

    def of_route(self, route: int) -> Why:
        goals = self._nearer(route)
        if not goals and (plan := self._plan()) is not None:
            goals = self._served(plan, [route])  # a way that is longer, and free of others
        if goals:
            return Why(goals=goals)
        return Why(points=int(self._book.route_points[self._book.length[route]]))

    def of_station(self, city: int) -> Why:
        plan = self._plan()
        if plan is None:
            return Why()
        borrowed = [
            route
            for route in members(plan.loans)
            if city in (int(self._book.end_a[route]), int(self._book.end_b[route]))
        ]
        return Why(goals=self._served(plan, borrowed))

    def of_card(self, color: int) -> Why:
        plan = self._plan()
        if plan is None or color == LOCOMOTIVE:
            return Why()
        hand = int(self._s.hand[self._seat, color]) + 1
        for routes, cards in ((plan.tree, plan.need), (plan.side, plan.want)):
            meant = [r for r in members(routes) if int(plan.dye[r]) == color]
            if meant:
                route = max(meant, key=lambda r: int(self._book.length[r]))
                return Why(
                    goals=self._served(plan, [route]),
                    route=self._lexicon.routes[route],
                    missing=max(0, int(cards[color]) - hand),
                )
        return Why()

    def of_deck(self) -> Why:
        plan = self._plan()
        if plan is None:
            return Why()
        hand = self._s.hand[self._seat]
        lack = sum(max(0, int(plan.need[c]) - int(hand[c])) for c in range(LOCOMOTIVE))
        return Why(missing=max(0, lack - int(hand[LOCOMOTIVE])) or None)

    def of_tickets(self) -> Why:
        plan = self._plan()
        return Why() if plan is None else Why(spare=self._spare(plan))

    def of_offer(self, kept: list[int]) -> Why:
        goals = tuple(
            TicketGoal(self._lexicon.tickets[ticket], int(left))
            for ticket in kept
            if (left := self._left(ticket)) < inf
        )
        plan = self._plan(kept) if kept else None
        return Why(goals=goals, spare=None if plan is None else self._spare(plan))

    def _spare(self, plan: Any) -> int:
        return int(self._s.trains[self._seat]) - int(plan.bound)

    def _plan(self, kept: list[int] | None = None) -> Any:
        """Return planner's plan of the view, as if some tickets were kept; None without one."""
        if not self._plans:
            return None
        view = self._view.copy()
        s = STATE.of(view)
        if kept is not None:
            for ticket in kept:
                s.tickets[self._seat, ticket // 64] |= 1 << ticket % 64
            s.ticket_count[self._seat] += len(kept)
            s.offered[self._seat] = 0
            s.phase, s.seat = TURN, self._seat
        planner = ScriptedBot(_PLANNER, bytes(32))
        planner.small_decision(self._lexicon, view, self._seat)
        return PLAN.of(planner.plan)

    def _served(self, plan: Any, routes: list[int]) -> tuple[TicketGoal, ...]:
        """Return the tickets whose planned ways use some routes, or their twins."""
        twins = {int(self._book.twin[route]) for route in routes} | set(routes)
        goals = []
        for ticket, way in zip(plan.planned, plan.ways, strict=True):
            if twins & set(members(way)) and (left := self._left(int(ticket))) < inf:
                goals.append(TicketGoal(self._lexicon.tickets[int(ticket)], int(left)))
        return tuple(goals)

    def _nearer(self, route: int) -> tuple[TicketGoal, ...]:
        """Return the tickets that take fewer trains once a route is claimed."""
        goals = []
        for ticket in members(self._s.tickets[self._seat]):
            before = self._left(ticket)
            after = self._left(ticket, route) if before > 0 else before
            if after < before:
                goals.append(TicketGoal(self._lexicon.tickets[ticket], int(after)))
        return tuple(goals)

    def _left(self, ticket: int, claimed: int | None = None) -> float:
        """Return the trains of the shortest open way of a ticket, with one route more claimed."""
        lexicon = self._lexicon
        free = set(members(self._s.routes[self._seat]))
        if claimed is not None:
            free.add(claimed)
        usable = free.union(members(self._s.open[self._seat]))
        routes = lexicon.edition.board.routes
        ends = lexicon.edition.tickets[ticket]
        own = {routes[route].id for route in free}
        trains = distances((routes[route] for route in sorted(usable)), ends.a, own)
        return trains.get(ends.b, inf)
