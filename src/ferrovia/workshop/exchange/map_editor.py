"""Maps of the Ticket to Ride map editor of bjornhagstrom (github.com/bjornhagstrom), as JSON.

Its file is an envelope with a version around a map or a network: stops on a canvas, routes between
them, decks of tickets. Versions newer than those known here are refused, not guessed at.
"""

from collections.abc import Iterator
from typing import Any, Final

from ferrovia.boards.limits import MAX_TRAINS
from ferrovia.boards.reading.problems import refusal
from ferrovia.workshop.exchange.parts import Claimant, Link, Parts, Stop, color_of, number, whole

FORMAT: Final = "ticket-to-ride-map"
_NEWEST = 4


def is_map(value: object) -> bool:
    """Return whether a JSON value is a map of that editor, of any of its versions."""
    return isinstance(value, dict) and (
        value.get("format") == FORMAT
        or (isinstance(value.get("stops"), list) and isinstance(value.get("routes"), list))
    )


def read_map(value: dict[str, Any], name: str, parts: Parts) -> None:
    """Add what a map holds to `parts`."""
    payload = value
    if value.get("format") == FORMAT:
        version, kind = value.get("version"), value.get("kind")
        if not isinstance(version, int) or version > _NEWEST:
            message = f"is of version {version!s:.20} of that editor; {_NEWEST} is the newest known"
            raise refusal(message, "update Ferrovia, or export tables (CSV) there", file=name)
        if kind not in ("map", "network", "tickets"):
            raise refusal(f"is a '{kind!s:.20}' of that editor, without cities", file=name)
        inner = value.get("payload")
        payload = inner if isinstance(inner, dict) else {}
    title = payload.get("name")
    if isinstance(title, str) and title.strip():
        parts.name = title
    no_cards = _types_without_cards(payload)
    parts.stops += [
        Stop(_text(stop, "id"), _text(stop, "name") or _text(stop, "id"), x=x, y=y)
        for stop in _objects(payload, "stops")
        for x, y in [(number(stop.get("x")), number(stop.get("y")))]
    ]
    for route in _objects(payload, "routes"):
        if route.get("type") in no_cards:
            parts.note("a line that takes no cards was left out")
            continue
        slots = route.get("locomotiveSlots")
        parts.links.append(
            Link(
                a=_text(route, "a"),
                b=_text(route, "b"),
                length=whole(route.get("length")),
                color=color_of(_text(route, "color")),
                ferry=len(slots) if isinstance(slots, list) else 0,
                tunnel=any(
                    "tunnel" in _text(route, key).lower()
                    for key in ("lineStyle", "wagonStyle", "type")
                ),
            )
        )
    for ticket in (*_objects(payload, "tickets"), *_in_decks(payload)):
        parts.tickets.append(
            Claimant(
                a=_text(ticket, "a") or _text(ticket, "aName"),
                b=_text(ticket, "b") or _text(ticket, "bName"),
                points=whole(ticket.get("points")),
                deck=_text(ticket, "deck"),
                long=ticket.get("long") is True or ticket.get("longDeck") is True,
            )
        )
    _read_numbers(payload, parts)


def _read_numbers(payload: dict[str, Any], parts: Parts) -> None:
    trains = whole(payload.get("wagonsPerPlayer"))
    if 1 <= trains <= MAX_TRAINS:
        parts.numbers["trains"] = trains
    players = payload.get("players")
    if isinstance(players, dict):
        low, high = whole(players.get("min")), whole(players.get("max"))
        if 2 <= low <= high <= 6:
            parts.numbers["seats"] = [low, high]


def _types_without_cards(payload: dict[str, Any]) -> set[object]:
    return {
        _text(style, "id")
        for style in _objects(payload, "routeTypeStyles")
        if style.get("infrastructure") is True
    }


def _in_decks(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for key in ("decks", "ticketSets"):
        for deck in _objects(payload, key):
            name = _text(deck, "name") or _text(deck, "label")
            for ticket in _objects(deck, "tickets"):
                yield {**ticket, "deck": name}


def _objects(value: dict[str, Any], key: str) -> list[dict[str, Any]]:
    found = value.get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _text(value: dict[str, Any], key: str) -> str:
    found = value.get(key)
    return found[:200] if isinstance(found, str) else ""
