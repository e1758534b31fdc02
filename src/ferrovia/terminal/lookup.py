"""Finding what a player means: names without accents, in any case, and as short as is clear."""

import re
import unicodedata
from collections.abc import Sequence

from ferrovia.boards import COLORS, Board, Route
from ferrovia.game import InvalidAction

_ALSO_CALLED = {"pink": "purple", "wild": "locomotive"}
_LONGEST_NAME = 3  # words in the name of a city


def plain(text: str) -> str:
    """Small letters without accents: how names are compared."""
    pulled_apart = unicodedata.normalize("NFKD", text.casefold().replace("ø", "o"))
    return "".join(letter for letter in pulled_apart if not unicodedata.combining(letter))


def choose(word: str, options: Sequence[str], unknown: str) -> str:
    """The option that is meant by its name or the beginning of it; InvalidAction if not one."""
    found = [option for option in options if option.startswith(word)]
    if word in options or len(found) == 1:
        return word if word in options else found[0]
    raise InvalidAction(f"'{word}' can be {' or '.join(found)}" if found else unknown)


def read_card(word: str) -> str:
    """A card by its name, the beginning of it, or what some call it."""
    unknown = f"'{word}' is no card; there are {', '.join(COLORS)}"
    one = word.removesuffix("s")
    return choose(_ALSO_CALLED.get(one, one), COLORS, unknown)


def read_cards(words: Sequence[str]) -> tuple[str, ...]:
    """Cards one by one or with a number before them, in the order of the notation."""
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
    """The one city that is meant."""
    found = _cities(board, _parts(text))
    if len(found) == 1:
        return found.pop()
    if found:
        names = " or ".join(board.city(id).name for id in sorted(found))
        raise InvalidAction(f"'{text}' can be {names}")
    raise InvalidAction(f"there is no city '{text}' on this board")


def read_city_and_cards(board: Board, words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """A city and the cards named behind it."""
    parts = _parts(" ".join(words))
    for end in range(1, min(_LONGEST_NAME, len(parts)) + 1):
        if _are_cards(parts[end:]):
            return read_city(board, " ".join(parts[:end])), read_cards(parts[end:])
    return read_city(board, " ".join(words)), ()


def read_route_and_cards(board: Board, words: Sequence[str]) -> tuple[list[Route], tuple[str, ...]]:
    """The routes that are meant, both halves of a double, and the cards named behind them."""
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
        raise InvalidAction(f"that can be {' or '.join(pairs)}")
    if not found:
        if len(_cities(board, parts)) == 1:
            raise InvalidAction("a route has two cities, such as: claim paris zurich")
        raise InvalidAction(f"there is no route '{' '.join(words)}'; look with: routes CITY")
    return list(found.values()), cards


def _parts(text: str) -> list[str]:
    return [part for part in re.split(r"[\s_–—.-]+", plain(text)) if part]


def _cities(board: Board, parts: Sequence[str]) -> set[str]:
    """The cities whose names begin so, word for word; a full name means that city alone."""
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
