"""JSON documents that are nearly right: one that is, with a few values changed."""

import json
import pickle
import random
from typing import Any

from ferrovia.boards import COLORS, load_edition

_NUMBERS = (-(2**70), -129, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 14, 45, 60, 64, 65, 99, 127, 128)
_NUMBERS += (255, 256, 32767, 32768, 65535, 65536, 2**31, 2**63, 2**64)
_JUNK: tuple[Any, ...] = (None, True, False, 0.5, "", "x", [], {}, [[]], {"a": 1}, "\x00", "é")


def _board() -> dict[str, Any]:
    """A board on which everything is to be found: doubles, ferries, tunnels, long tickets."""
    names = "abcdefgh"
    pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
    kinds = (*COLORS[:-1], "gray", "gray", "gray")
    routes: list[dict[str, Any]] = [
        {"id": f"{a}-{b}", "a": a, "b": b, "length": 1 + n % 4, "color": kinds[n % len(kinds)]}
        for n, (a, b) in enumerate(pairs[:20])
    ]
    routes += [{**route, "id": f"{route['id']}-2"} for route in routes[:4]]
    for n, route in enumerate(routes):
        if route["color"] == "gray" and n % 2:
            route["ferry"] = 1
        elif n % 3 == 0:
            route["tunnel"] = True
    return {
        "board": "fuzz",
        "cities": [
            {"id": name, "name": name.upper(), "lat": 5.0 * n, "lon": 3.0 * (n % 3)}
            for n, name in enumerate(names)
        ],
        "routes": routes,
        "tickets": [
            {"id": f"fuzz:{a}-{b}", "a": a, "b": b, "points": 1 + n, "long": n < 8}
            for n, (a, b) in enumerate(pairs)
        ],
        "edition": {
            "id": "fuzz",
            "seats": [2, 4],
            "trains": 12,
            "stations": 3,
            "deals": [
                {"long": 2, "regular": 0, "keep_min": 0, "keep_max": 1},
                {"long": 0, "regular": 3, "keep_min": 1},
            ],
            "cards": dict.fromkeys(COLORS[:-1], 4) | {"locomotive": 8},
        },
    }


BOARD = _board()
PACK = {
    "pack": "extra",
    "board": "fuzz",
    "tickets": [{"a": "a", "b": city, "points": 5, "long": city == "h"} for city in "cdefgh"],
}
_EDITION_KEYS = tuple(load_edition("europe").document()["edition"])


def fresh(value: Any) -> Any:
    """A copy that shares nothing with the value; several times faster than `copy.deepcopy`."""
    return pickle.loads(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every list or object with every key of it, however deep."""
    found: list[tuple[Any, Any]] = []
    inner = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    for key, one in inner:
        found.append((value, key))
        if isinstance(one, dict | list):
            found += places(one)
    return found


def another(value: Any, chance: random.Random, words: list[str]) -> Any:
    """A value that could stand in the place of this one, and now and then one that could not."""
    if chance.random() < 0.08:
        return fresh(chance.choice(_JUNK))
    match value:
        case bool():
            return not value
        case int():
            near = value + chance.choice((-3, -2, -1, 1, 2, 3))
            return chance.choice((near, near, chance.choice(_NUMBERS)))
        case float():
            return chance.choice((-value, value * 1e9, float(chance.choice(_NUMBERS[:20]))))
        case str():
            return chance.choice(words) if words else "x"
        case list() if value:
            changed = list(value)
            chance.choice(
                (
                    lambda: changed.append(fresh(chance.choice(value))),
                    lambda: changed.pop(chance.randrange(len(changed))),
                    lambda: chance.shuffle(changed),
                    lambda: changed.extend(fresh(value) * chance.randrange(1, 9)),
                )
            )()
            return changed
        case _:
            return fresh(chance.choice(_JUNK))


def words_of(document: Any) -> list[str]:
    """All texts in a document: names that exist, in places where they may not belong."""
    return [holder[key] for holder, key in places(document) if isinstance(holder[key], str)]


def changed(document: Any, chance: random.Random, times: int) -> Any:
    """The document with some values replaced, removed or repeated."""
    result = fresh(document)
    words = words_of(document) if isinstance(document, dict | list) else []
    for _ in range(times):
        if not isinstance(result, dict | list) or not places(result):
            break
        holder, key = chance.choice(places(result))
        what = chance.random()
        if what < 0.1:
            del holder[key]
        elif what < 0.15 and isinstance(holder, dict):
            holder[chance.choice((*_EDITION_KEYS, *words))] = another(holder[key], chance, words)
        else:
            holder[key] = another(holder[key], chance, words)
    return result


def resized(chance: random.Random) -> dict[str, Any]:
    """The board with other numbers, all in their bounds: what play can ask is what is tried."""
    document = fresh(BOARD)
    numbers = document["edition"]
    numbers["cards"] = {
        color: chance.choice((0, 1, 2, 3, 4, 12, 60)) if chance.random() < 0.4 else 4
        for color in COLORS
    }
    numbers["trains"] = chance.choice((4, 5, 8, 12, 45, 64))
    numbers["stations"] = chance.randrange(4)
    numbers["seats"] = sorted(chance.choices(range(2, 7), k=2))
    numbers["ticket_draw"] = chance.randrange(1, 7)
    numbers["ticket_keep"] = chance.randrange(1, numbers["ticket_draw"] + 1)
    for key in ("long_not_kept", "regular_not_kept"):
        numbers[key] = chance.choice(("out", "bottom"))
    numbers["deals"] = []
    for _ in range(chance.randrange(1, 3)):
        long = chance.randrange(3)
        deal = {"long": long, "regular": chance.randrange(0 if long else 1, 7 - long)}
        most = chance.randrange(1, sum(deal.values()) + 1)
        numbers["deals"].append({**deal, "keep_min": chance.randrange(most + 1), "keep_max": most})
    for route in document["routes"]:
        if chance.random() < 0.2 and not route["id"].endswith("-2"):
            route["tunnel"], route["ferry"] = chance.random() < 0.5, 0
    return document


def as_text(document: Any) -> str:
    """The document as JSON."""
    return json.dumps(document)
