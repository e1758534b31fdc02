"""Makers: one for each kind of puzzle. Each looks at a view and poses its question, or does not."""

import random
from collections.abc import Callable
from functools import lru_cache

from ferrovia.boards import GRAY, Edition, Route
from ferrovia.errors import FerroviaError
from ferrovia.game import Game, View
from ferrovia.game.cheapest_way import cheapest_way, trains_of
from ferrovia.game.codec.lexicon import LOCOMOTIVE_CARD
from ferrovia.puzzles.puzzle import Answer, Kind
from research.puzzles.judges import (
    can_finish,
    claimable,
    longest_with,
    tickets_of,
    tickets_with_station,
    tunnel_percent,
    way_for,
)

Posed = tuple[dict[str, str | int], list[Answer]]

_ANSWERS = 4
_NEAR = 12  # percentage points between two answers


class Rejected(FerroviaError):
    """No question of this kind can be posed here; the message names the check that failed."""


def _way(view: View, chance: random.Random) -> Posed:
    """How many trains does a ticket still take?"""
    found = []
    for ticket in tickets_of(view):
        way = way_for(view, ticket)
        if way is not None and len(way) >= 2:
            found.append((ticket, way))
    if not found:
        raise Rejected("no open ticket")
    ticket, way = chance.choice(found)
    right = trains_of(way)
    untouched = trains_of(_empty_way(view, ticket.a, ticket.b))
    if right == untouched:
        raise Rejected("too easy")
    shows = tuple(route.id for route in way)
    numbers = {right, untouched, *(right + by for by in (-2, -1, 1, 2, 3))} - {0, -1}
    wrong = sorted(numbers - {right}, key=lambda it: (it != untouched, chance.random()))
    answers = [Answer(str(it), it == right, it, shows) for it in (right, *wrong[: _ANSWERS - 1])]
    return {"ticket": ticket.id}, sorted(answers, key=lambda it: it.value)


def _empty_way(view: View, a: str, b: str) -> tuple[Route, ...]:
    """Return the cheapest way on an empty board."""
    return cheapest_way(_empty(view.edition), a, b) or ()


@lru_cache(maxsize=8)
def _empty(edition: Edition) -> View:
    return Game(edition, 2, seed=0).view(0)


def _tunnel(view: View, chance: random.Random) -> Posed:
    """How likely is it that a tunnel can be paid?"""
    found = []
    locomotives = view.hand.get(LOCOMOTIVE_CARD, 0)
    for route in claimable(view):
        if not route.tunnel or route.ferry:
            continue
        colors = [route.color] if route.color != GRAY else list(view.hand)
        for color in colors:
            own = view.hand.get(color, 0)
            if color != LOCOMOTIVE_CARD and own and 0 <= own + locomotives - route.length < 3:
                found.append((route, color))
    if not found:
        raise Rejected("no tunnel in reach")
    route, color = chance.choice(found)
    right = tunnel_percent(view, color, route.length)
    if not 5 <= right <= 95:
        raise Rejected("too easy")
    steps = [right + by * _NEAR for by in (-4, -3, -2, -1, 1, 2, 3, 4)]
    wrong = [it for it in steps if 1 <= it <= 99]
    chance.shuffle(wrong)
    answers = [Answer(str(it), it == right, it) for it in (right, *wrong[: _ANSWERS - 1])]
    if len(answers) < 3:
        raise Rejected("too few answers")
    return {"route": route.id, "card": color}, sorted(answers, key=lambda it: it.value)


def _finish(view: View, chance: random.Random) -> Posed:
    """Which of the tickets can no longer be finished?"""
    tickets = tickets_of(view)
    lost = [ticket for ticket in tickets if not can_finish(view, ticket)]
    if not lost or len(lost) == len(tickets):
        raise Rejected("all or none can be finished")
    if all(way_for(view, ticket) is None for ticket in lost):
        raise Rejected("too easy")
    answers = []
    for ticket in tickets[:5]:
        way = way_for(view, ticket)
        shows = tuple(route.id for route in way or ())
        value = -1 if way is None else trains_of(way)
        answers.append(Answer(ticket.id, ticket in lost, value, shows))
    if not any(it.right for it in answers) or all(it.right for it in answers):
        raise Rejected("all or none can be finished")
    return {}, answers


def _trail(view: View, chance: random.Random) -> Posed:
    """Which route makes the longest continuous route longest?"""
    found = []
    for route in claimable(view):
        outcome = longest_with(view, route.id)
        if outcome is not None:
            found.append((outcome[0], route, outcome[1]))
    if len(found) < 3:
        raise Rejected("too few routes in reach")
    best = max(length for length, _, _ in found)
    rights = [it for it in found if it[0] == best]
    wrong = [it for it in found if it[0] < best]
    if len(rights) > 2 or len(wrong) < 2:
        raise Rejected("no single best")
    right = rights[0]
    if right[1].length == max(route.length for _, route, _ in found):
        raise Rejected("too easy")
    wrong.sort(key=lambda it: (-it[1].length, it[1].id))
    chosen = [*rights, *wrong[: _ANSWERS - len(rights)]]
    answers = [Answer(route.id, length == best, length, shows) for length, route, shows in chosen]
    return {}, sorted(answers, key=lambda it: it.answer)


def _station(view: View, chance: random.Random) -> Posed:
    """Where does a station bring most ticket points, if the game ended now?"""
    seat = view.seat
    if not view.edition.stations or not view.of(seat).stations_left:
        raise Rejected("no station left")
    if not tickets_of(view):
        raise Rejected("no open ticket")
    cities = {city for it in view.owners for city in _ends(view, it)}
    values = {}
    for city in sorted(cities):
        points = tickets_with_station(view, city)
        if points is not None:
            values[city] = points
    if not values:
        raise Rejected("no city is free")
    best, least = max(values.values()), min(values.values())
    rights = [city for city, points in values.items() if points == best]
    if best == least:
        raise Rejected("no station helps")
    if len(rights) > 2:
        raise Rejected("no single best")
    ends = {city for ticket in tickets_of(view) for city in (ticket.a, ticket.b)}
    wrong = [city for city in values if values[city] < best]
    wrong.sort(key=lambda city: (city not in ends, chance.random()))
    chosen = [*rights, *wrong[: _ANSWERS - len(rights)]]
    answers = [Answer(city, values[city] == best, values[city]) for city in chosen]
    return {}, sorted(answers, key=lambda it: it.answer)


def _ends(view: View, route: str) -> tuple[str, str]:
    found = view.edition.board.route(route)
    return found.a, found.b


MAKERS: dict[Kind, Callable[[View, random.Random], Posed]] = {
    "way": _way,
    "tunnel": _tunnel,
    "finish": _finish,
    "trail": _trail,
    "station": _station,
}
