"""What a player can look at: everything here comes from the view of the seat."""

import re
from collections.abc import Iterable
from contextvars import ContextVar
from textwrap import wrap

from ferrovia.boards import GRAY, Route
from ferrovia.game import View
from ferrovia.game.cheapest_way import cheapest_way
from ferrovia.game.scores import result_of
from ferrovia.terminal.sentences import Narrator, counted, laid_out

WIDTH = 78
width = ContextVar("width", default=WIDTH)
"""How wide lines may be now: narrower than usual on a phone."""


def paragraph(text: str, indent: str = "") -> list[str]:
    """Return a text as lines that fit the terminal, those after the first indented."""
    fitting = width.get()
    if fitting < WIDTH:
        indent = indent[:4]
    return wrap(text, fitting, subsequent_indent=indent, break_long_words=False) or [""]


def folded(line: str) -> list[str]:
    """Return a line in parts that fit a terminal narrower than usual, such as that of a phone."""
    fitting = width.get()
    if fitting >= WIDTH or len(line) <= fitting:
        return [line]
    indent = line[: len(line) - len(line.lstrip())][:4]
    text = re.sub(" {2,}", "  ", line.strip())
    return wrap(indent + text, fitting, subsequent_indent=f"{indent}  ")


def amount(count: int, thing: str) -> str:
    """Return a number and its noun: 1 train, 2 trains."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def hand_line(view: View) -> str:
    cards = [card for card, count in view.hand.items() for _ in range(count)]
    return f"{counted(cards)} ({amount(len(cards), 'card')})"


def table_lines(view: View, seat: int) -> list[str]:
    """Return what a player needs to see before every turn."""
    me = view.of(seat)
    stations = f"{amount(me.stations_left, 'station')}, " if view.edition.stations else ""
    decks = f"{amount(view.deck_size, 'card')}, {amount(view.ticket_deck_size, 'ticket')}"
    points = f"{amount(me.points, 'point')} for routes"
    return [
        f"  Face up: {laid_out(view.display)}",
        *paragraph(f"  Hand:    {hand_line(view)}", " " * 11),
        f"  You:     {amount(me.trains, 'train')}, {stations}{points}",
        f"  Decks:   {decks}",
    ]


def kind(route: Route) -> str:
    """Return a route in a few words: 4 blue, tunnel; 3 any colour, ferry with 1 locomotive."""
    words = f"{route.length} {'of any colour' if route.color == GRAY else route.color}"
    if route.ferry:
        words += f", ferry with {route.ferry} locomotive" + ("s" if route.ferry > 1 else "")
    return words + (", tunnel" if route.tunnel else "")


def ticket_lines(view: View, narrator: Narrator, seat: int) -> list[str]:
    """Return the seat's own tickets, as they would count if the game ended now."""
    score = result_of(view.lexicon, view.buffer).scores[seat]
    lines = []
    for id in view.tickets:
        if id in score.completed:
            lines.append(f"  done      {narrator.ticket(id)}")
        else:
            ticket = view.edition.ticket(id)
            way = way_text(view, narrator, ticket.a, ticket.b)
            lines += paragraph(f"  not yet   {narrator.ticket(id)}: {way}", " " * 12)
    if score.borrowed:
        lent = [f"{narrator.route(r)} from {narrator.city(c)}" for c, r in score.borrowed.items()]
        lines += paragraph(f"  Your stations lend you {', '.join(lent)}.", " " * 4)
    return lines or ["  You hold no tickets."]


def way_text(view: View, narrator: Narrator, a: str, b: str) -> str:
    """Return the cheapest way still open between two cities, in words."""
    way = cheapest_way(view, a, b)
    if way is None:
        return "no way of your own is left"
    if not way:
        return "your routes join them"
    trains = sum(route.length for route in way)
    steps = ", ".join(f"{narrator.route(route.id)} {route.length}" for route in way)
    return f"{amount(trains, 'train')} to go ({steps})"


def offer_lines(view: View, narrator: Narrator) -> list[str]:
    """Return the tickets to choose from, numbered."""
    lines = []
    for number, id in enumerate(view.offer, start=1):
        ticket = view.edition.ticket(id)
        way = cheapest_way(view, ticket.a, ticket.b)
        trains = sum(route.length for route in way or ())
        to_go = "no way left" if way is None else f"{amount(trains, 'train')} to go"
        long = ", long" if ticket.long else ""
        lines.append(f"  {number}. {narrator.ticket(id)}{long}, {to_go}")
    return lines


def routes_of_city(view: View, narrator: Narrator, city: str) -> list[str]:
    """Return all routes of a city: where to, what they take, and who owns them."""
    owners, free = view.owners, view.open_routes
    routes = [route for route in view.edition.board.routes if city in (route.a, route.b)]
    lines = [f"Routes of {narrator.city(city)}:"]
    for route in routes:
        other = route.b if route.a == city else route.a
        if route.id in owners:
            state = f"owned by {narrator.whom(owners[route.id])}"
        else:
            state = "open" if route.id in free else "closed (other half taken)"
        lines.append(f"  {narrator.city(other):<16}{kind(route):<36}{state}")
    for seat in range(view.players):
        if city in view.of(seat).stations:
            lines.append(f"  Here is a station of {narrator.whom(seat)}.")
    return lines


def claimable_lines(view: View, routes: Iterable[str]) -> list[str]:
    """Return the routes that can be paid for now, with their notation."""
    lines = []
    for id in routes:
        route = view.edition.board.route(id)
        lines.append(f"  {id:<32}{kind(route)}")
    if not lines:
        return ["  You cannot pay for any route now."]
    return ["You can claim now:", *lines]


def board_lines(view: View, narrator: Narrator) -> list[str]:
    """Return who owns what."""
    lines = []
    for seat in range(view.players):
        it = view.of(seat)
        routes = "; ".join(narrator.route(route) for route in it.routes) or "no routes yet"
        lines += paragraph(f"{narrator.who(seat)}: {routes}.", "    ")
        if it.stations:
            cities = ", ".join(map(narrator.city, it.stations))
            lines += paragraph(f"    Stations in {cities}.", "    ")
    free = len(view.open_routes)
    return [*lines, f"{free} of {len(view.edition.board.routes)} routes are open to you."]


def player_lines(view: View, narrator: Narrator) -> list[str]:
    """Return a table of all players' public numbers."""
    widest = max(len(narrator.who(seat)) for seat in range(view.players))
    head = f"  {'':<{widest}}  points  trains  cards  tickets"
    lines = [head + ("  stations" if view.edition.stations else "")]
    for seat in range(view.players):
        it = view.of(seat)
        tickets = "?" if it.tickets is None else it.tickets
        line = (
            f"  {narrator.who(seat):<{widest}}{it.points:>8}{it.trains:>8}{it.cards:>7}{tickets:>9}"
        )
        lines.append(line + (f"{it.stations_left:>10}" if view.edition.stations else ""))
    return [*lines, "  (points for routes only: tickets stay secret to the end)"]
