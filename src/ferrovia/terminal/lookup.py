"""Looking up what a player types: names without accents, in any case, shortened if unambiguous."""

import re
import unicodedata
from collections.abc import Sequence

from ferrovia.boards import COLORS, Board, Route
from ferrovia.game import InvalidAction
from ferrovia.game.errors import no_such

_ALSO_CALLED = {"pink": "purple", "wild": "locomotive"}
_LONGEST_NAME = 3  # words in the name of a city


def plain(text: str) -> str:
    """Return a text in lower case without accents, as names are compared."""
    pulled_apart = unicodedata.normalize("NFKD", text.casefold().replace("ø", "o"))
    return "".join(letter for letter in pulled_apart if not unicodedata.combining(letter))


def choose(word: str, options: Sequence[str], unknown: str) -> str:
    """Return the option with this name or this beginning; InvalidAction unless there is one."""
    found = [option for option in options if option.startswith(word)]
    if word in options or len(found) == 1:
        return word if word in options else found[0]
    raise InvalidAction(f"'{word}' could be {' or '.join(found)}" if found else unknown)


def read_card(word: str) -> str:
    """Return a card by its name, the beginning of it, or another name for it."""
    unknown = no_such("card", word, COLORS)
    one = word.removesuffix("s")
    return choose(_ALSO_CALLED.get(one, one), COLORS, unknown)


def read_cards(words: Sequence[str]) -> tuple[str, ...]:
    """Return the cards of words such as `blue blue` or `2 blue`, in the order of the notation."""
    cards: list[str] = []
    times = 1
    for word in words:
        if word.isdecimal():
            times = min(int(word[:3]), 99)
        else:
            cards += [read_card(word)] * times
            times = 1
    return tuple(sorted(cards, key=COLORS.index))


def read_city(board: Board, text: str) -> str:
    """Return the one city that is meant."""
    found = _cities(board, _parts(text))
    if len(found) == 1:
        return found.pop()
    if found:
        names = " or ".join(board.city(id).name for id in sorted(found))
        raise InvalidAction(f"'{text}' could be {names}")
    raise InvalidAction(f"there is no city '{text}' on this board")


def read_city_and_cards(board: Board, words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return a city and the cards after it."""
    parts = _parts(" ".join(words))
    for end in range(1, min(_LONGEST_NAME, len(parts)) + 1):
        if _are_cards(parts[end:]):
            return read_city(board, " ".join(parts[:end])), read_cards(parts[end:])
    return read_city(board, " ".join(words)), ()


def read_route_and_cards(board: Board, words: Sequence[str]) -> tuple[list[Route], tuple[str, ...]]:
    """Return the routes that are meant, both halves of a double, and the cards after them."""
    if words and any(route.id == words[0] for route in board.routes):
        return [board.route(words[0])], read_cards(words[1:])
    parts = _parts(" ".join(words))
    found: dict[str, Route] = {}
    cards: tuple[str, ...] = ()
    for middle in range(1, _LONGEST_NAME + 1):
        for end in range(middle + 1, min(middle + _LONGEST_NAME, len(parts)) + 1):
            routes = _routes(board, parts[:middle], parts[middle:end])
            if routes and _are_cards(parts[end:]):
                cards = read_cards(parts[end:])
                found |= {route.id: route for route in routes}
    pairs = sorted({f"{route.a}-{route.b}" for route in found.values()})
    if len(pairs) > 1:
        raise InvalidAction(f"that could be {' or '.join(pairs)}")
    if not found:
        if len(_cities(board, parts)) == 1:
            raise InvalidAction("a route has two cities, such as: claim paris zurich")
        raise InvalidAction(f"there is no route '{' '.join(words)}'; look with: routes CITY")
    return list(found.values()), cards


def _parts(text: str) -> list[str]:
    return [part for part in re.split(r"[\s_–—.-]+", plain(text)) if part]


def _cities(board: Board, parts: Sequence[str]) -> set[str]:
    """Return the cities whose names begin with `parts`; a full name means that city alone."""
    found = set()
    for city in board.cities:
        for name in (_parts(city.name), _parts(city.id)):
            if name == list(parts):
                return {city.id}
            if 0 < len(parts) <= len(name) and all(map(str.startswith, name, parts)):
                found.add(city.id)
    return found


def _routes(board: Board, one: Sequence[str], other: Sequence[str]) -> list[Route]:
    ends, others = _cities(board, one), _cities(board, other)
    return [
        route
        for route in board.routes
        if (route.a in ends and route.b in others) or (route.b in ends and route.a in others)
    ]


def _are_cards(words: Sequence[str]) -> bool:
    try:
        read_cards(words)
    except InvalidAction:
        return False
    return True
