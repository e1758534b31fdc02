"""What differs between the boards, the rules and the tables of two runs."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ferrovia.boards import Board, City, Edition, Route, Ticket
from ferrovia.boards.edition import NUMBERS
from ferrovia.lab.report.study import Study


class Difference(NamedTuple):
    """A thing that is not the same in both, and what it is in each."""

    what: str
    first: str
    second: str


_NONE = "–"

_NUMBERS = {
    "trains": "trains of a player",
    "stations": "stations of a player",
    "ticket_draw": "tickets drawn in a turn",
    "ticket_keep": "tickets to keep of these, at least",
    "longest_bonus": "points for the longest route",
    "station_bonus": "points for a station not built",
    "long_not_kept": "long tickets not kept go",
    "regular_not_kept": "tickets not kept go",
    "tie_break": "ties are broken by",
    "seats": "players, fewest and most",
}
"""The fields of an edition that are one number or word, or a few, in words."""

_OTHERWISE = (
    "id",
    "name",
    "sets",
    "marked_only",
    "player_colors",
    "deals",
    "route_points",
    "cards",
)

for _name in NUMBERS:
    if _name not in (*_NUMBERS, *_OTHERWISE):
        raise TypeError(
            f"a comparison of two boards has no words for {_name} of an edition: give it a line in "
            "_NUMBERS in lab/report/differences.py"
        )


def differences(one: Study, other: Study) -> list[Difference]:
    """Return what differs, the boards first, then the rules, then who played."""
    return [*_editions(one.edition, other.edition), *_tables(one, other)]


def _editions(one: Edition, other: Edition) -> Iterator[Difference]:
    if one.name != other.name:
        yield Difference("edition", one.name, other.name)
    yield from _boards(one.board, other.board)
    yield from _tickets(one, other)
    for name, what in _NUMBERS.items():
        first, second = getattr(one, name), getattr(other, name)
        if first != second:
            yield Difference(what, _in_words(first), _in_words(second))
    if one.deals != other.deals:
        yield Difference("tickets at the start", _deals(one), _deals(other))
    yield from _by_key("points of a route of length", one.route_points, other.route_points)
    yield from _by_key("cards", one.cards, other.cards)
    if one.extras != other.extras:
        yield Difference("ticket packs", _in_words(one.extras), _in_words(other.extras))


def _boards(one: Board, other: Board) -> Iterator[Difference]:
    first = {route.id: route for route in one.routes}
    second = {route.id: route for route in other.routes}
    if not first.keys() & second.keys():
        yield Difference("board", _size(one), _size(other))
        return
    mine, theirs = ({city.id: city for city in board.cities} for board in (one, other))
    for id in _all(mine, theirs):
        a, b = mine.get(id), theirs.get(id)
        if a != b:
            yield Difference(f"city {(a or b or City(id, id, 0, 0)).name}", _city(a), _city(b))
    for id in _all(first, second):
        here, there = first.get(id), second.get(id)
        if here != there:
            board, route = (one, here) if here is not None else (other, there)
            assert route is not None
            ends = f"{board.city(route.a).name} – {board.city(route.b).name}"
            half = ", second half" if _is_second_half(board, route) else ""
            yield Difference(f"route {ends}{half}", _route(here), _route(there))


def _tickets(one: Edition, other: Edition) -> Iterator[Difference]:
    first, second = ({it.id: it for it in edition.tickets} for edition in (one, other))
    changed = [id for id in _all(first, second) if first.get(id) != second.get(id)]
    if len(changed) > 24:
        yield Difference(
            "tickets in play",
            f"{len(first)}, {len(first.keys() - second.keys())} of them only here",
            f"{len(second)}, {len(second.keys() - first.keys())} of them only here",
        )
        return
    for id in changed:
        edition, ticket = (one, first[id]) if id in first else (other, second[id])
        board = edition.board
        what = f"ticket {board.city(ticket.a).name} – {board.city(ticket.b).name}"
        yield Difference(what, _ticket(first.get(id)), _ticket(second.get(id)))


def _tables(one: Study, other: Study) -> Iterator[Difference]:
    if one.bots != other.bots:
        yield Difference("bots by seat", ", ".join(one.bots), ", ".join(other.bots))
    if one.games != other.games:
        yield Difference("games", f"{one.games:,}", f"{other.games:,}")
    if (one.seed, one.first) != (other.seed, other.first):
        yield Difference("seed and first game", *(f"{it.seed}, {it.first}" for it in (one, other)))


def _by_key(what: str, one: Mapping[Any, int], other: Mapping[Any, int]) -> Iterator[Difference]:
    for key in _all(one, other):
        if one.get(key) != other.get(key):
            yield Difference(f"{what} {key}", str(one.get(key, _NONE)), str(other.get(key, _NONE)))


def _all(one: Iterable[Any], other: Iterable[Any]) -> list[Any]:
    """Return the keys of both, in their order and without repetition."""
    return list(dict.fromkeys((*one, *other)))


def _size(board: Board) -> str:
    return f"{board.id}: {len(board.cities)} cities, {len(board.routes)} routes"


def _city(city: City | None) -> str:
    return _NONE if city is None else f"at {city.lat:g}, {city.lon:g}"


def _route(route: Route | None) -> str:
    if route is None:
        return _NONE
    kinds = ["tunnel"] * route.tunnel + [f"ferry of {route.ferry}"] * bool(route.ferry)
    return ", ".join([f"{route.length} {route.color}", *kinds])


def _is_second_half(board: Board, route: Route) -> bool:
    twin = board.twin(route.id)
    return twin is not None and board.routes.index(twin) < board.routes.index(route)


def _ticket(ticket: Ticket | None) -> str:
    if ticket is None:
        return _NONE
    return f"{ticket.points} points{', long' * ticket.long}"


def _deals(edition: Edition) -> str:
    return "; then ".join(
        f"{f'{it.long} long and ' * bool(it.long)}{it.regular} regular, keep {it.keep_min} or more"
        for it in edition.deals
    )


def _in_words(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or _NONE
    return {"out": "out of the game", "bottom": "under the deck"}.get(value, str(value))
