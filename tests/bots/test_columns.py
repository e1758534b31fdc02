"""What each column of an observation means, worked out again from the view in words.

Planner's plan is taken as it is, and what the columns say of it is worked out from that.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from ferrovia.boards import COLORS, Route, load_edition
from ferrovia.boards.ways import shortest_way
from ferrovia.bots import make
from ferrovia.bots.net.columns import Columns
from ferrovia.bots.net.observation import NO_WORTH
from ferrovia.bots.planner.weights import PLANNER
from ferrovia.env.batch import BatchEnv, Kind
from ferrovia.game import Game, Phase, View
from ferrovia.game.codec.actions import codes_of, legal_codes, target
from ferrovia.game.scores import members
from ferrovia.kernel.library import COMPILED
from ferrovia.rules.state.layout import (
    KEEP,
    LOCOMOTIVE,
    PAY,
    ROUTES,
    SECOND,
    START,
    STATE,
    TUNNEL,
    TURN,
)
from tests.memory import fields

compiled_only = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")

NEXT_STEP = (
    "say here what the column '{}' means, in words of the view; a new column is another layout, "
    "which the nets that ship do not fit: train them again (ferrovia learn), or keep the layout"
)


class Position(NamedTuple):
    """What a seat sees in a position that it decides in, and what planner makes of that."""

    view: View
    columns: Columns
    plan: Any
    worths: list[int]
    decision: int

    @property
    def s(self) -> Any:
        return fields(self.view.buffer, STATE)

    @property
    def seat(self) -> int:
        return self.view.seat


def trains_of(routes: Iterable[Route]) -> int:
    return sum(route.length for route in routes)


def largest_network(view: View, seat: int) -> int:
    """The trains of the routes that hang together, at most."""
    left = [view.edition.board.route(id) for id in view.of(seat).routes]
    most = 0
    while left:
        cities, part = {left[0].a}, 0
        while joined := [it for it in left if cities & {it.a, it.b}]:
            cities |= {end for it in joined for end in (it.a, it.b)}
            part += trains_of(joined)
            left = [it for it in left if it not in joined]
        most = max(most, part)
    return most


def touched(view: View, seat: int) -> set[str]:
    routes = map(view.edition.board.route, view.of(seat).routes)
    return {end for it in routes for end in (it.a, it.b)}


def meanings(at: Position) -> Iterator[tuple[str, int | bool]]:
    """Every column by its name, before it is cut to a byte."""
    yield from of_actions(at)
    yield from of_cards(at)
    yield from of_own(at)
    for place in range(1, at.columns.others + 1):
        yield from of_other(at, place)
    yield from of_question(at)
    yield from of_board(at)
    yield from of_tickets(at)
    yield from of_edition(at)


def of_actions(at: Position) -> Iterator[tuple[str, int | bool]]:
    legal = set(legal_codes(at.view.lexicon, at.view.buffer, at.seat).tolist())
    for action in range(at.columns.actions):
        yield f"legal {action}", action in legal
        yield f"planner {action}", action == at.decision
    offered = at.s.phase in (START, KEEP)
    for subset in range(1 << at.columns.offer):
        worth = at.worths[subset] if offered and subset < len(at.worths) else NO_WORTH
        less = (max(at.worths, default=0) - worth) // 2
        yield f"worth {subset}", 0 if worth == NO_WORTH else max(1, 255 - less)


def of_cards(at: Position) -> Iterator[tuple[str, int | bool]]:
    view, plan = at.view, at.plan
    shown = Counter(view.display)
    unseen = Counter(view.unseen)
    if view.tunnel is not None:  # those that are laid for a tunnel lie nowhere else
        unseen.update(view.tunnel.laid)
    for number, card in enumerate(COLORS):
        need, want = (0, 0) if number == LOCOMOTIVE else (plan.need[number], plan.want[number])
        held = view.hand.get(card, 0)
        yield f"hand {card}", held
        yield f"display {card}", shown[card]
        yield f"unseen {card}", unseen[card]
        yield f"discarded {card}", view.discards.get(card, 0)
        yield f"need {card}", need
        yield f"want {card}", want
        yield f"lack {card}", int(need) - held
        for place in range(1, at.columns.others + 1):
            known = 0
            if place < view.players:
                known = view.of((at.seat + place) % view.players).known.get(card, 0)
            yield f"known {card} of +{place}", known


def of_own(at: Position) -> Iterator[tuple[str, int | bool]]:
    view, plan = at.view, at.plan
    own, board = view.of(at.seat), view.edition.board
    turns = turns_left(view, at.seat)
    points = {ticket.id: ticket.points for ticket in view.edition.tickets}
    done = [it.id for it in view.own_tickets() if it.done]
    planned = [view.lexicon.tickets[plan.planned[i]] for i in range(len(view.tickets) - len(done))]
    lost = [id for id, way in zip(planned, plan.ways, strict=False) if not way.any()]
    tree = [board.routes[route] for route in members(plan.tree)]
    ferries = sum(route.ferry for route in tree)
    asked = ferries + sum(max(0, lack) for lack in lacks(at))
    lacking = max(0, asked - view.hand.get("locomotive", 0))
    free = turns - len(tree) - (lacking + 1) // 2
    yield "deck", view.deck_size
    yield "discards", sum(view.discards.values())
    yield "hand", sum(view.hand.values())
    yield "trains", own.trains
    yield "points", own.points
    yield "tickets", len(view.tickets)
    yield "done", len(done)
    yield "done points", sum(points[id] for id in done)
    yield "open points", sum(points[id] for id in planned if id not in lost)
    yield "lost points", sum(points[id] for id in lost)
    yield "ticket deck", view.ticket_deck_size
    yield "round", view.turns // view.players
    yield "bound", trains_of(tree)
    yield "spare trains", own.trains - trains_of(tree)
    yield "turns left", turns
    yield "free turns", free
    yield "late turns", -free
    yield "lacking", lacking
    yield "tree size", len(tree)
    yield "locomotives needed", ferries
    yield "network", largest_network(view, at.seat)
    yield "stations left", own.stations_left


def turns_left(view: View, seat: int) -> int:
    """If the others end the game as quickly as planner thinks they do."""
    if view.turns_left is not None:
        return 1
    others = (pace(view, other) for other in range(view.players) if other != seat)
    return 1 + min(others) * PLANNER.pace // 16


def pace(view: View, seat: int) -> int:
    """Turns until two trains are left: two cards a turn, then four trains a turn."""
    trains = max(0, view.of(seat).trains - 2)
    return (max(0, trains - view.of(seat).cards) + 1) // 2 + -(-trains // 4)


def lacks(at: Position) -> list[int]:
    return [int(at.plan.need[n]) - at.view.hand.get(COLORS[n], 0) for n in range(LOCOMOTIVE)]


def of_other(at: Position, place: int) -> Iterator[tuple[str, int | bool]]:
    view = at.view
    there = place < view.players
    seat = (at.seat + place) % view.players
    other, own = view.of(seat), view.of(at.seat)
    found = {
        f"hand of +{place}": other.cards,
        f"unknown of +{place}": other.cards - sum(other.known.values()),
        f"trains of +{place}": other.trains,
        f"points of +{place}": other.points,
        f"ahead of +{place}": own.points - other.points,
        f"behind +{place}": other.points - own.points,
        f"tickets of +{place}": other.tickets or 0,
        f"pace of +{place}": pace(view, seat),
        f"network of +{place}": largest_network(view, seat),
        f"stations of +{place}": len(other.stations),
        **{f"+{place} has at most {few} trains": other.trains <= few for few in (2, 5, 8, 11)},
    }
    yield from ((name, value if there else 0) for name, value in found.items())


def of_question(at: Position) -> Iterator[tuple[str, int | bool]]:
    view, s = at.view, at.s
    for left in range(7):
        yield f"last round {left}", view.turns_left == left
    phases = ("start", "turn", "second card", "payment", "tunnel", "offer")
    for number, phase in enumerate(phases):
        yield f"phase {phase}", s.phase == number
    asks = s.phase in (PAY, TUNNEL)
    route = view.edition.board.routes[s.pending] if asks and s.pending < ROUTES else None
    for color in (*COLORS[:LOCOMOTIVE], "gray"):
        yield f"pays {color}", route is not None and route.color == color
    tunnel = view.tunnel if s.phase == TUNNEL else None
    yield "pays length", route.length if route else 0
    yield "pays ferry", route.ferry if route else 0
    yield "pays tunnel", route.tunnel if route else 0
    yield "pays station", asks and route is None
    yield "pays tree", route is not None and in_tree(at, int(s.pending))
    yield "extra", tunnel.extra if tunnel else 0
    locomotives = tunnel.laid.count("locomotive") if tunnel else 0
    yield "laid", len(tunnel.laid) - locomotives if tunnel else 0
    yield "laid locomotives", locomotives


def in_tree(at: Position, route: int) -> bool:
    tree = members(at.plan.tree)
    return route in tree or int(at.view.lexicon.tables.twin[route]) in tree


def of_board(at: Position) -> Iterator[tuple[str, int | bool]]:
    view, plan = at.view, at.plan
    board, owners = view.edition.board, view.owners
    open_routes = set(view.open_routes)
    tree, side, loans = (members(it) for it in (plan.tree, plan.side, plan.loans))
    for number, route in enumerate(board.routes):
        opens = route.id in open_routes
        yield f"mine {route.id}", owners.get(route.id) == at.seat
        yield f"taken {route.id}", owners.get(route.id, at.seat) != at.seat
        yield f"open {route.id}", opens
        yield f"tree {route.id}", number in tree or (opens and in_tree(at, number))
        yield f"side {route.id}", number in side
        yield f"loan {route.id}", number in loans
    tickets = {ticket.id: ticket for ticket in view.edition.tickets}
    goals = [tickets[it.id] for it in view.own_tickets() if not it.done]
    ends = Counter(end for ticket in goals for end in (ticket.a, ticket.b))
    offered = [tickets[id] for id in view.offer]
    offers = Counter(end for ticket in offered for end in (ticket.a, ticket.b))
    reached = [touched(view, (at.seat + it) % view.players) for it in range(view.players)]
    stations = {it: view.of(seat).stations for it, seat in enumerate(range(view.players))}
    for city in board.cities:
        yield f"reached {city.id}", city.id in reached[0]
        for place in range(1, at.columns.others + 1):
            there = place < view.players and city.id in reached[place]
            yield f"reached {city.id} by +{place}", there
        yield f"goals {city.id}", ends[city.id]
        yield f"offers {city.id}", offers[city.id]
        built = [seat for seat, cities in stations.items() if city.id in cities]
        yield f"station {city.id}", built == [at.seat]
        yield f"occupied {city.id}", built != [] and built != [at.seat]


def of_tickets(at: Position) -> Iterator[tuple[str, int | bool]]:
    view, plan = at.view, at.plan
    board = view.edition.board
    tickets = {ticket.id: ticket for ticket in view.edition.tickets}
    goals = [tickets[it.id] for it in view.own_tickets() if not it.done]
    dearest = sorted((ticket.points for ticket in goals), reverse=True)
    lent = members(plan.lent)
    for i in range(8):
        here = i < len(goals)
        way = members(plan.ways[i]) if here else ()
        yield f"open ticket {i} points", dearest[i] if here else 0
        laid = trains_of(board.routes[it] for it in way if it not in lent)
        yield f"open ticket {i} trains", laid
        yield f"open ticket {i} given up", here and not way
    own, tree = view.of(at.seat), [board.routes[it].id for it in members(plan.tree)]
    usable = [board.route(id) for id in {*own.routes, *view.open_routes}]
    for i in range(at.columns.offer):
        here = i < len(view.offer)
        ticket = tickets[view.offer[i]] if here else view.edition.tickets[0]
        costs = []
        for free in (own.routes, (*own.routes, *tree)):
            way = shortest_way(usable, ticket.a, ticket.b, set(free))
            paid = None if way is None else [board.route(it) for it in way if it not in free]
            costs.append(None if paid is None else trains_of(paid))
        cost, extra = costs
        spare = own.trains - int(plan.bound)
        yield f"offer {i} points", ticket.points if here else 0
        yield f"offer {i} cost", (cost or 0) if here else 0
        yield f"offer {i} extra", (extra or 0) if here else 0
        yield f"offer {i} lost", here and (extra is None or extra > spare)
        yield f"offer {i} long", here and ticket.long


def of_edition(at: Position) -> Iterator[tuple[str, int | bool]]:
    found = at.view.edition
    for seats in range(2, at.columns.others + 2):
        yield f"{seats} seats", at.view.players == seats
    yield "all trains", found.trains
    yield "all stations", found.stations
    yield "station bonus", found.station_bonus
    yield "longest bonus", found.longest_bonus
    yield "draw", found.ticket_draw
    yield "deals", len(found.deals)
    yield "first offer", found.deals[-1].regular
    yield "long tickets", sum(ticket.long for ticket in found.tickets)
    yield "all tickets", len(found.tickets)


class Observer:
    """A batch of one game, set to one view after the other."""

    def __init__(self, name: str, players: int) -> None:
        self.env = BatchEnv([Kind(load_edition(name), players)], np.zeros(1, np.int64), key=1)
        self.obs = self.env.observations()
        self.seats, self.decisions = np.zeros((1, 1), np.int32), np.zeros((1, 1), np.int64)

    def look(self, view: View) -> tuple[Position, Any]:
        kept = self.env.arrays
        kept["whole"][0] = view.buffer
        self.env.observe(self.obs, self.seats, np.zeros((1, 1), np.uint8), self.decisions, 0)
        assert self.seats[0, 0] == view.seat
        worths = kept["worths"][0, : 1 << int(view.lexicon.tables.max_offer)].tolist()
        decision = int(self.decisions[0, 0])
        at = Position(view, self.env.columns, kept["plans"][0].copy(), worths, decision)
        return at, self.obs[0, :, 0].copy()


def positions(name: str, players: int, every: int) -> Iterator[View]:
    """Views of a game in which their seats decide, also how to pay."""
    game = Game(name, players, seed=4)
    bots = [make(bot, 4) for bot in ("planner", "random", "planner", "greedy")[:players]]
    chance = np.random.default_rng(4)
    while not game.over:
        seat = game.awaited[0]
        view = game.view(seat)
        action = bots[seat].decide(view)
        codes = codes_of(game.lexicon, game.state, seat, action, listed=True)
        usual = game.phase is Phase.TURN and len(codes) == 1
        if game.phase is Phase.START or chance.integers(every if usual else every // 4) == 0:
            yield view
            if len(codes) > 1:
                paying = view.buffer.copy()
                s = fields(paying, STATE)
                s.phase, s.pending = PAY, target(game.lexicon, codes[0])
                yield View(game.lexicon, paying, seat)
        game.play(seat, action)


@compiled_only
@pytest.mark.parametrize(
    ("name", "players"), [("europe", 3), ("usa-classic", 2), ("mega-europe", 4), ("usa", 4)]
)
def test_every_column_says_what_it_means(name: str, players: int) -> None:
    observer, phases = Observer(name, players), set()
    for view in positions(name, players, every=24):
        at, obs = observer.look(view)
        meant = dict(meanings(at))
        for number, column in enumerate(at.columns.all):
            assert column.name in meant, NEXT_STEP.format(column.name)
            value = min(max(int(meant[column.name]), 0), 255)
            assert obs[number] == value, f"{column.name}: {column.meaning}"
        assert len(meant) == at.columns.count
        phases.add(int(at.s.phase))
    assert phases >= {START, TURN, SECOND, PAY}
