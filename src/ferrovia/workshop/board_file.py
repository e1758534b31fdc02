"""Board files as they are written: one line for each city, route and ticket; and their schema."""

import json
from typing import Any, Final

from ferrovia.boards.catalog import VERSION
from ferrovia.boards.limits import (
    MAX_BEND,
    MAX_CITIES,
    MAX_LENGTH,
    MAX_POINTS,
    MAX_ROUTES,
    MAX_SEATS,
    MAX_STATIONS,
    MAX_TICKETS,
    MAX_TRAINS,
    MIN_SEATS,
)
from ferrovia.boards.model import COLORS, GRAY, PLAYER_COLORS
from ferrovia.boards.settled import SIDES

_DEFAULTS: Final[dict[str, object]] = {
    "ferry": 0,
    "tunnel": False,
    "side": "",
    "fixed": False,
    "long": False,
    "big_city": False,
}


def board_text(document: dict[str, Any]) -> str:
    """Return a board file; keys that are not known are kept, defaults of routes are left out."""
    lines = []
    for key, value in document.items():
        if isinstance(value, list) and key in ("cities", "routes", "tickets"):
            rows = [f"    {_compact(_bare(row))}" for row in value]
            body = "[\n" + ",\n".join(rows) + "\n  ]" if rows else "[]"
        elif isinstance(value, dict):
            body = json.dumps(value, ensure_ascii=False, indent=2).replace("\n", "\n  ")
        else:
            body = _compact(value)
        lines.append(f"  {json.dumps(key)}: {body}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _bare(row: Any) -> Any:
    if not isinstance(row, dict):
        return row
    return {
        key: value
        for key, value in row.items()
        if not (key in _DEFAULTS and value == _DEFAULTS[key] and type(value) is not str)
    }


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def board_schema() -> dict[str, Any]:
    """Return the JSON Schema of board files, for editors that check and complete them.

    It says what each value can be; what must hold between them, `ferrovia boards check` says.
    """
    city = {"type": "string", "pattern": "^[a-z0-9_]+$", "maxLength": 100}
    route = {"type": "string", "pattern": "^[a-z0-9_-]+$", "maxLength": 100}
    ticket = {"type": "string", "pattern": "^[a-z0-9_:-]+$", "maxLength": 100}
    text = {"type": "string", "minLength": 1, "maxLength": 60}

    def whole(low: int, high: int) -> dict[str, Any]:
        return {"type": "integer", "minimum": low, "maximum": high}

    def thing(required: list[str], **members: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "required": required,
            "properties": members,
            "patternProperties": {"^x-": {}},
            "additionalProperties": False,
        }

    flag = {"type": "boolean"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A board of Ferrovia",
        **thing(
            ["board", "cities", "routes", "tickets"],
            **{"$schema": {"type": "string"}, "version": whole(1, VERSION), "board": route},
            cities={
                "type": "array",
                "maxItems": MAX_CITIES,
                "items": thing(
                    ["id", "name", "lat", "lon"],
                    id=city,
                    name=text,
                    lat={"type": "number", "minimum": -90, "maximum": 90},
                    lon={"type": "number", "minimum": -180, "maximum": 180},
                    side={"enum": ["", *SIDES]},
                    fixed=flag,
                ),
            },
            routes={
                "type": "array",
                "maxItems": MAX_ROUTES,
                "items": thing(
                    ["id", "a", "b", "length", "color"],
                    id=route,
                    a=city,
                    b=city,
                    length=whole(1, MAX_LENGTH),
                    color={"enum": [*COLORS[:-1], GRAY]},
                    ferry=whole(0, MAX_LENGTH),
                    tunnel=flag,
                    bend=whole(-MAX_BEND, MAX_BEND),
                ),
            },
            tickets={
                "type": "array",
                "maxItems": MAX_TICKETS,
                "items": thing(
                    ["id", "a", "b", "points"],
                    id=ticket,
                    a=city,
                    b=city,
                    points=whole(1, MAX_POINTS),
                    set=route,
                    long=flag,
                    big_city=flag,
                ),
            },
            edition={
                "type": "object",
                "properties": {
                    "id": route,
                    "name": text,
                    "seats": {
                        "type": "array",
                        "items": whole(MIN_SEATS, MAX_SEATS),
                        "minItems": 2,
                        "maxItems": 2,
                    },
                    "trains": whole(1, MAX_TRAINS),
                    "stations": whole(0, MAX_STATIONS),
                    "longest_bonus": whole(0, MAX_POINTS),
                    "station_bonus": whole(0, MAX_POINTS),
                    "player_colors": {"type": "array", "items": {"enum": list(PLAYER_COLORS)}},
                },
            },
        ),
    }
