"""Cities, routes and tickets as other programs have them, and the board file that they make.

What comes from strangers is never trusted: it becomes a document of our own form, which is then
checked like every board file. Whatever cannot be taken over is left out and said.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from ferrovia.boards.limits import MAX_CITIES, MAX_LENGTH, MAX_POINTS, MAX_ROUTES, MAX_TICKETS
from ferrovia.boards.model import COLORS, GRAY

_COLOR_WORDS: Final = {
    **{color: color for color in COLORS[:-1]},
    "pink": "purple",
    "violet": "purple",
    "magenta": "purple",
}
_Find = Callable[[str], str | None]
_CITY = re.compile(r"[a-z][a-z0-9_]{2,39}")
_NOTES = 40
_LONGEST_NAME = 60
_LONGEST_REFERENCE = 200

SHEET: Final = (-46.0, -126.0)
"""Where a board without geography lies: in the open Pacific, further from land than any board is
wide, so that its sheet is blank.
"""
_SHEET_WIDTH = 16.0  # degrees of longitude


class Stop(NamedTuple):
    """A city: what routes and tickets call it, its name, and where it lies, if that is known."""

    reference: str
    name: str
    lat: float | None = None
    lon: float | None = None
    x: float | None = None
    y: float | None = None


class Link(NamedTuple):
    """A route between two references."""

    a: str
    b: str
    length: int
    color: str
    ferry: int = 0
    tunnel: bool = False


class Claimant(NamedTuple):
    """A ticket between two references; `points` are 0 where they are not known."""

    a: str
    b: str
    points: int
    deck: str = ""
    long: bool = False


@dataclass
class Parts:
    """What was found in files of others, and notes on what was not taken over."""

    name: str = ""
    stops: list[Stop] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    tickets: list[Claimant] = field(default_factory=list)
    numbers: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Note what was not taken over; of many such notes only the first are kept."""
        if len(self.notes) < _NOTES:
            self.notes.append(text)


class Imported(NamedTuple):
    """A board file made of others' files, to be checked like any, and what was left out."""

    document: dict[str, Any]
    notes: tuple[str, ...]


def color_of(word: str) -> str:
    """Return our colour for a word; what is no colour of cards is grey."""
    return _COLOR_WORDS.get(word.strip().lower(), GRAY)


def plain(text: str) -> str:
    """Return a name for comparison: small letters, no accents."""
    found = unicodedata.normalize("NFKD", text).casefold()
    return " ".join("".join(c for c in found if not unicodedata.combining(c)).split())


def id_of(name: str, taken: set[str]) -> str:
    """Return a free id for a name, and take it."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    base = "_".join("".join(c if c.isalnum() else " " for c in ascii_name).split())[:40] or "city"
    found, number = base, 2
    while found in taken:
        found, number = f"{base}_{number}", number + 1
    taken.add(found)
    return found


def imported(parts: Parts) -> Imported:
    """Return the board file of what was found."""
    stops = _unique(parts)
    for what, count, most in (
        ("cities", len(stops), MAX_CITIES),
        ("routes", len(parts.links), MAX_ROUTES),
        ("tickets", len(parts.tickets), MAX_TICKETS),
    ):
        if count > most:
            parts.note(f"only the first {most} of {count} {what} were taken")
    stops = stops[:MAX_CITIES]
    taken: set[str] = set()
    ids: dict[str, str] = {}
    for stop in stops:
        own = _CITY.fullmatch(stop.reference) is not None and stop.reference not in taken
        if own:
            taken.add(stop.reference)
        ids[stop.reference] = stop.reference if own else id_of(stop.name, taken)
    by_name = {plain(stop.name): ids[stop.reference] for stop in reversed(stops)}

    def city(reference: str) -> str | None:
        return ids.get(reference) or by_name.get(plain(reference))

    places = _places(stops, parts)
    word = (id_of(parts.name or "board", set())[:60].replace("_", "-")) or "board"
    routes = list(_routes(parts, city))[:MAX_ROUTES]
    tickets = list(_tickets(parts, city, word))
    document: dict[str, Any] = {
        "board": word,
        "cities": [
            {"id": ids[stop.reference], "name": _name(stop.name), "lat": lat, "lon": lon}
            for stop, (lat, lon) in zip(stops, places, strict=True)
        ],
        "routes": routes,
        "tickets": tickets,
        "edition": {"name": _name(parts.name or "Imported board"), **parts.numbers},
    }
    return Imported(document, tuple(parts.notes))


def _name(text: str) -> str:
    clean = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return clean[:_LONGEST_NAME] or "?"


def _unique(parts: Parts) -> list[Stop]:
    """Return the cities, each once; where none are listed, those that routes name."""
    if not parts.stops:
        named = dict.fromkeys(end for link in parts.links for end in (link.a, link.b))
        parts.stops = [Stop(reference, reference) for reference in named]
        if named:
            parts.note("there was no list of cities: they were made from the names in the routes")
    found: dict[str, Stop] = {}
    for stop in parts.stops:
        reference = stop.reference[:_LONGEST_REFERENCE]
        if reference in found:
            parts.note(f"'{_name(stop.name)}' is listed twice: the second was left out")
        else:
            found[reference] = stop._replace(reference=reference)
    return list(found.values())


def _routes(parts: Parts, city: _Find) -> Iterable[dict[str, Any]]:
    taken: set[str] = set()
    between: Counter[frozenset[str]] = Counter()
    lengths: dict[frozenset[str], int] = {}
    for link in parts.links[: 4 * MAX_ROUTES]:
        a, b = city(link.a), city(link.b)
        said = f"{_name(link.a)} – {_name(link.b)}"
        if a is None or b is None or a == b:
            parts.note(f"the route {said} was left out: it does not join two cities of the list")
            continue
        pair = frozenset((a, b))
        if between[pair] == 2:
            parts.note(f"the third route {said} was left out: a double has two (R5.6)")
            continue
        if between[pair] and lengths[pair] != link.length:
            parts.note(f"the second route {said} got the length of the first (R5.6)")
        length = lengths.setdefault(pair, max(1, min(MAX_LENGTH, link.length)))
        if not 1 <= link.length <= MAX_LENGTH:
            parts.note(f"the route {said} has {link.length} spaces: it got {length}")
        between[pair] += 1
        color, ferry = link.color, max(0, min(length, link.ferry))
        if ferry and color != GRAY:
            parts.note(f"the ferry {said} was {color} and is grey now (R6.1)")
            color = GRAY
        route = id_of(f"{a} {b}", taken)
        taken.discard(route)
        route = route.replace("_", "-")
        while route in taken:
            route += "-2"
        taken.add(route)
        yield {
            "id": route,
            "a": a,
            "b": b,
            "length": length,
            "color": color,
            **({"ferry": ferry} if ferry else {}),
            **({"tunnel": True} if link.tunnel and not ferry else {}),
        }


def _tickets(parts: Parts, city: _Find, word: str) -> Iterable[dict[str, Any]]:
    taken: set[str] = set()
    for ticket in parts.tickets[:MAX_TICKETS]:
        a, b = city(ticket.a), city(ticket.b)
        said = f"{_name(ticket.a)} – {_name(ticket.b)}"
        if a is None or b is None or a == b:
            parts.note(f"the ticket {said} was left out: it does not name two cities of the list")
            continue
        if not 1 <= ticket.points <= MAX_POINTS:
            parts.note(f"the ticket {said} was left out: it is worth {ticket.points}")
            continue
        deck = id_of(ticket.deck, set()).replace("_", "-") if ticket.deck.strip() else word
        name = f"{deck}:{a}-{b}"
        while name in taken:
            name += "-2"
        taken.add(name)
        yield {
            "id": name,
            "a": a,
            "b": b,
            "points": ticket.points,
            "set": deck,
            **({"long": True} if ticket.long else {}),
        }


def _places(stops: Sequence[Stop], parts: Parts) -> list[tuple[float, float]]:
    """Return latitude and longitude of every city: as given, from the places on a sheet, or, where
    nothing is known, on a circle.
    """
    if stops and all(stop.lat is not None and stop.lon is not None for stop in stops):
        return [(_within(stop.lat, 89), _within(stop.lon, 180)) for stop in stops]
    known = [stop for stop in stops if stop.x is not None and stop.y is not None]
    if len(known) < len(stops):
        parts.note(f"{len(stops) - len(known)} cities had no place: move them")
    xs, ys = [stop.x or 0.0 for stop in known] or [0.0], [stop.y or 0.0 for stop in known] or [0.0]
    width = max(max(xs) - min(xs), (max(ys) - min(ys)) * 1.2, 1e-6)
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    scale = _SHEET_WIDTH / width
    found = []
    for number, stop in enumerate(stops):
        if stop.x is None or stop.y is None:
            turn = 2 * math.pi * number / len(stops)
            x, y = _SHEET_WIDTH / 2 * math.cos(turn), _SHEET_WIDTH / 3 * math.sin(turn)
        else:
            x, y = (stop.x - middle[0]) * scale, (stop.y - middle[1]) * scale
        shrink = math.cos(math.radians(SHEET[0]))
        found.append((round(SHEET[0] - y * shrink, 4), round(SHEET[1] + x, 4)))
    return found


def _within(value: float | None, most: float) -> float:
    return max(-most, min(most, value or 0.0))


def number(value: object) -> float | None:
    """Return a finite number of moderate size, or None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        found = float(str(value).strip().replace(",", "."))
    except ValueError:
        return None
    return found if math.isfinite(found) and abs(found) < 1e7 else None


def whole(value: object) -> int:
    """Return a whole number, or 0 for anything else."""
    found = number(value)
    return int(found) if found is not None and found == int(found) else 0


def yes(value: object) -> bool:
    """Return whether a cell says yes."""
    return str(value).strip().lower() in ("yes", "true", "1", "ja", "x", "sí", "si", "sim", "da")


Cells = Mapping[str, str]
