"""Exact judges: what the right answer is follows from the rules, and everything calls them."""

from collections.abc import Iterator

from ferrovia.boards import Route, Ticket
from ferrovia.game import View
from ferrovia.game.cheapest_way import cheapest_way, trains_of
from ferrovia.game.codec.lexicon import LOCOMOTIVE_CARD
from ferrovia.game.scores import longest_routes, result_of
from ferrovia.kernel import Buffer
from ferrovia.rules import calls
from ferrovia.rules.state.layout import STATE


def tickets_of(view: View) -> list[Ticket]:
    """Return the tickets of a seat that its own routes do not join yet."""
    done = result_of(view.lexicon, view.buffer).scores[view.seat].completed
    return [view.edition.ticket(id) for id in view.tickets if id not in done]


def way_for(view: View, ticket: Ticket) -> tuple[Route, ...] | None:
    """Return a way with the fewest trains for a ticket."""
    return cheapest_way(view, ticket.a, ticket.b)


def can_finish(view: View, ticket: Ticket) -> bool:
    """Return whether a seat has trains enough for a ticket by itself, whatever cards come."""
    way = way_for(view, ticket)
    return way is not None and trains_of(way) <= view.of(view.seat).trains


def tunnel_percent(view: View, color: str, length: int) -> int:
    """Return in how many of 100 cases a tunnel can be paid, laid with as few locomotives as may be.

    All cards of the colour are laid first; what is left in the hand pays what is turned up.
    """
    own, locomotives = view.hand.get(color, 0), view.hand.get(LOCOMOTIVE_CARD, 0)
    spare = own + locomotives - length
    ways = view.tunnel_odds()[color]
    return round(100 * sum(ways[: spare + 1]) / sum(ways))


def longest_with(view: View, route: str) -> tuple[int, tuple[str, ...]] | None:
    """Return the longest route of a seat with one more route, and which routes it runs over."""
    state = view.buffer.copy()
    seat = view.seat
    if not calls.place_route(view.lexicon.book, state, seat, view.lexicon.route(route)):
        return None
    score = result_of(view.lexicon, state).scores[seat]
    return score.longest, longest_routes(view.lexicon, state)[seat]


def tickets_with_station(view: View, city: str) -> int | None:
    """Return the ticket points of a seat with a station in a city, as if the game ended now."""
    state: Buffer = view.buffer.copy()
    seat = view.seat
    built = list(STATE.of(state).stations[seat])
    place = next((at for at, it in enumerate(built) if it < 0), None)
    if place is None or not calls.place_station(state, seat, place, view.lexicon.city(city)):
        return None
    return result_of(view.lexicon, state).scores[seat].tickets


def claimable(view: View) -> Iterator[Route]:
    """Yield the routes that a seat can pay for now, each once."""
    seen: set[str] = set()
    for action in view.legal_actions():
        words = str(action).split()
        if words[0] == "claim" and words[1] not in seen:
            seen.add(words[1])
            yield view.edition.board.route(words[1])
