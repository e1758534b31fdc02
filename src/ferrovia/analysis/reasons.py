"""Reasons for a remark: facts that were checked in the position, never guesses.

Each has a key, from which a client makes its sentence, and what it speaks of. What no predicate
supports is not said: a remark can stand without a reason.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ferrovia.boards import Ticket
from ferrovia.game import (
    Action,
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    Game,
    KeepTickets,
    TakeCard,
    View,
    WithdrawTunnel,
)
from ferrovia.game.cheapest_way import cheapest_way, detour, trains_of
from ferrovia.game.codec.lexicon import LOCOMOTIVE_CARD
from ferrovia.game.events import Claim, Event, Keep, Tunnel, Withdraw
from ferrovia.game.scores import result_of
from ferrovia.game.views import view_of

_FEW_UNSEEN = 2
_MOST = 3  # reasons of a remark


class Reason(msgspec.Struct, frozen=True):
    """A fact: `key` names the sentence, `about` what stands in it, by name."""

    key: str
    about: dict[str, Any] = {}


def open_tickets(view: View) -> list[Ticket]:
    """Return the tickets of a seat that its own routes do not join yet and still can."""
    trains = view.of(view.seat).trains
    held = map(view.edition.ticket, view.tickets)
    ways = ((ticket, cheapest_way(view, ticket.a, ticket.b)) for ticket in held)
    return [ticket for ticket, way in ways if way and trains_of(way) <= trains]


def reasons_for(
    view: View, played: Action, better: Action, later: Sequence[Event]
) -> tuple[Reason, ...]:
    """Return what speaks for the better action and against the one played, of what is true.

    `later` are the events after the decision, all of which are public or the seat's own.
    """
    found = (
        *_of_routes(view, played, better, later),
        *_of_payments(played, better),
        *_of_cards(view, played, better),
        *_of_tickets(view, played, better),
        *_of_the_end(view, played, better),
    )
    return found[:_MOST]


def _of_routes(
    view: View, played: Action, better: Action, later: Sequence[Event]
) -> Iterator[Reason]:
    if not isinstance(better, ClaimRoute):
        if isinstance(played, ClaimRoute) and not _serves(view, played.route):
            yield Reason("serves_no_ticket", {"route": played.route})
        return
    if isinstance(played, ClaimRoute) and played.route == better.route:
        return
    route = view.edition.board.route(better.route)
    for ticket in open_tickets(view):
        way = cheapest_way(view, ticket.a, ticket.b) or ()
        if [it.id for it in way] in ([route.id], _twins(view, route.id)):
            yield Reason("completes", {"route": route.id, "ticket": ticket.id})
            continue
        if route.id not in _on_cheapest(view, ticket):
            continue
        around = detour(view, ticket.a, ticket.b, route.id)
        if around is None:
            yield Reason("only_way", {"route": route.id, "ticket": ticket.id})
        elif around > 0:
            yield Reason("on_way", {"route": route.id, "ticket": ticket.id, "detour": around})
    for event in later:
        if isinstance(event, Claim) and event.route in _twins(view, route.id):
            if event.player != view.seat:
                yield Reason("taken_later", {"route": route.id, "seat": event.player})
            break
    if isinstance(played, ClaimRoute) and not _serves(view, played.route):
        yield Reason("serves_no_ticket", {"route": played.route})


def _twins(view: View, route: str) -> list[str]:
    board = view.edition.board
    ends = {board.route(route).a, board.route(route).b}
    return [it.id for it in board.routes if {it.a, it.b} == ends]


def _on_cheapest(view: View, ticket: Ticket) -> list[str]:
    """Return the routes of a cheapest way of a ticket, both halves of doubles."""
    way = cheapest_way(view, ticket.a, ticket.b) or ()
    return [half for route in way for half in _twins(view, route.id)]


def _serves(view: View, route: str) -> bool:
    """Return whether a route, or its other half, lies on any cheapest way of an open ticket."""
    found = view.edition.board.route(route)
    ends = ((found.a, found.b), (found.b, found.a))
    for ticket in open_tickets(view):
        least = trains_of(cheapest_way(view, ticket.a, ticket.b) or ())
        for near, far in ends:
            before, after = cheapest_way(view, ticket.a, near), cheapest_way(view, far, ticket.b)
            if before is None or after is None:
                continue
            if trains_of(before) + found.length + trains_of(after) <= least:
                return True
    return False


def _of_payments(played: Action, better: Action) -> Iterator[Reason]:
    if not isinstance(played, ClaimRoute | BuildStation) or type(played) is not type(better):
        return
    assert isinstance(better, ClaimRoute | BuildStation)
    if str(played).split()[1] != str(better).split()[1] or not better.cards:
        return
    more = played.cards.count(LOCOMOTIVE_CARD) - better.cards.count(LOCOMOTIVE_CARD)
    if more > 0:
        yield Reason("locomotives_spent", {"count": more})


def _of_cards(view: View, played: Action, better: Action) -> Iterator[Reason]:
    unseen = view.unseen
    if isinstance(better, TakeCard) and better.card != LOCOMOTIVE_CARD:
        if unseen.get(better.card, 0) <= _FEW_UNSEEN:
            yield Reason("few_left", {"card": better.card, "count": unseen.get(better.card, 0)})
    if isinstance(played, TakeCard) and played.card == LOCOMOTIVE_CARD:
        if isinstance(better, DrawCard | TakeCard):
            yield Reason("locomotive_is_the_turn")
    if isinstance(better, ClaimRoute) and isinstance(played, DrawCard | TakeCard):
        yield Reason("could_be_paid", {"route": better.route})
    route = next((it.route for it in (played, better) if isinstance(it, ClaimRoute)), None)
    if route is not None and view.edition.board.route(route).tunnel:
        yield from _of_a_tunnel(view, played, route)


def _of_a_tunnel(view: View, played: Action, route: str) -> Iterator[Reason]:
    if not isinstance(played, ClaimRoute) or played.route != route or not played.cards:
        return
    color = next((card for card in played.cards if card != LOCOMOTIVE_CARD), LOCOMOTIVE_CARD)
    ways = view.tunnel_odds()[color]
    spare = view.hand.get(color, 0) + view.hand.get(LOCOMOTIVE_CARD, 0) - len(played.cards)
    if color == LOCOMOTIVE_CARD:
        spare = view.hand.get(LOCOMOTIVE_CARD, 0) - len(played.cards)
    failing = sum(ways[extra] for extra in range(len(ways)) if extra > spare)
    if failing:
        yield Reason("tunnel_odds", {"route": route, "percent": round(100 * failing / sum(ways))})


def _of_tickets(view: View, played: Action, better: Action) -> Iterator[Reason]:
    if isinstance(played, KeepTickets) and isinstance(better, KeepTickets):
        left = [n for n in played.numbers if n not in better.numbers]
        more = [n for n in better.numbers if n not in played.numbers]
        for number in left:
            yield Reason("ticket_too_far", {"ticket": view.offer[number - 1]} | _cost(view, number))
        for number in more:
            yield Reason("ticket_near", {"ticket": view.offer[number - 1]} | _cost(view, number))
    if isinstance(played, DrawTickets) and (turns := view.turns_left) is not None:
        yield Reason("tickets_in_last_round", {"turns": turns})


def _cost(view: View, number: int) -> dict[str, int | None]:
    ticket = next(it for it in view.edition.tickets if it.id == view.offer[number - 1])
    way = cheapest_way(view, ticket.a, ticket.b)
    return {"trains": None if way is None else trains_of(way)}


def _of_the_end(view: View, played: Action, better: Action) -> Iterator[Reason]:
    if isinstance(better, BuildStation) and view.turns_left is not None:
        yield Reason("station_before_the_end", {"city": better.city})
    if isinstance(played, WithdrawTunnel):
        yield Reason("withdrawn")


class EndFact(msgspec.Struct, frozen=True):
    """Something that a seat's result holds, as a reason of its own."""

    seat: int
    reason: Reason


def end_facts(game: Game) -> tuple[EndFact, ...]:
    """Return for each seat what its result shows: trains that ran out, stations, surcharges."""
    facts: list[EndFact] = []
    result = result_of(game.lexicon, game.state)
    for seat, score in enumerate(result.scores):
        view = view_of(game.lexicon, game.state, seat)
        trains = view.of(seat).trains
        for id in score.failed:
            ticket = game.edition.ticket(id)
            way = cheapest_way(view, ticket.a, ticket.b)
            if way is None:
                facts.append(EndFact(seat, Reason("ticket_cut_off", {"ticket": id})))
            elif trains_of(way) > trains:
                missing = trains_of(way) - trains
                facts.append(
                    EndFact(seat, Reason("trains_ran_out", {"ticket": id, "missing": missing}))
                )
        left = view.of(seat).stations_left
        if left and score.failed:
            facts.append(EndFact(seat, Reason("stations_left", {"count": left})))
        if paid := _surcharge(game, seat):
            facts.append(EndFact(seat, Reason("tunnel_surcharge", {"cards": paid})))
        late = _late_tickets(game, seat, score.failed)
        facts += [EndFact(seat, Reason("drawn_and_failed", {"ticket": id})) for id in late]
    return tuple(facts)


def _surcharge(game: Game, seat: int) -> int:
    """Return how many cards a seat paid for its tunnels beyond their length."""
    paid, due = 0, 0
    for event in game.events:
        if isinstance(event, Tunnel) and event.player == seat:
            due = event.extra
        elif isinstance(event, Claim) and event.player == seat:
            paid, due = paid + due, 0
        elif isinstance(event, Withdraw) and event.player == seat:
            due = 0
    return paid


def _late_tickets(game: Game, seat: int, failed: Sequence[str]) -> list[str]:
    """Return the failed tickets of a seat that it drew during the game."""
    kept = [it for it in game.events if isinstance(it, Keep) and it.player == seat]
    drawn = kept[len(game.edition.deals) :]
    return [id for it in drawn for id in it.kept or () if id is not None and id in failed]
