"""Boards as GeoJSON: points for cities, lines for routes and tickets, for programs of maps."""

from typing import Any

from ferrovia.boards.edition import Edition
from ferrovia.workshop.exchange.parts import (
    Claimant,
    Link,
    Parts,
    Stop,
    color_of,
    number,
    whole,
    yes,
)


def is_geojson(value: object) -> bool:
    """Return whether a JSON value is a collection of features."""
    return isinstance(value, dict) and value.get("type") == "FeatureCollection"


def read_geojson(value: dict[str, Any], parts: Parts) -> None:
    """Add the cities, routes and tickets of a collection to `parts`.

    A point with a name is a city; a line with `a`, `b` and `length` is a route, and one with
    `points` a ticket.
    """
    features = value.get("features")
    title = value.get("name")
    if isinstance(title, str):
        parts.name = title[:200]
    for feature in features if isinstance(features, list) else []:
        if not isinstance(feature, dict):
            continue
        of = feature.get("properties")
        geometry = feature.get("geometry")
        properties: dict[str, Any] = of if isinstance(of, dict) else {}
        shape: dict[str, Any] = geometry if isinstance(geometry, dict) else {}
        a, b = str(properties.get("a", ""))[:200], str(properties.get("b", ""))[:200]
        if shape.get("type") == "Point" and isinstance(properties.get("name"), str):
            at = shape.get("coordinates")
            lon, lat = (at[0], at[1]) if isinstance(at, list) and len(at) >= 2 else (None, None)
            name = properties["name"][:200]
            reference = str(properties.get("id") or feature.get("id") or name)[:200]
            parts.stops.append(Stop(reference, name, number(lat), number(lon)))
        elif a and b and "length" in properties:
            color = color_of(str(properties.get("color", "")))
            parts.links.append(
                Link(
                    *(a, b, whole(properties["length"]), color),
                    whole(properties.get("ferry")),
                    yes(properties.get("tunnel", "")),
                )
            )
        elif a and b and "points" in properties:
            deck, long = str(properties.get("set", ""))[:60], yes(properties.get("long", ""))
            parts.tickets.append(Claimant(a, b, whole(properties["points"]), deck, long))


def geojson_of(edition: Edition) -> dict[str, Any]:
    """Return a board as a collection of features."""
    board = edition.board

    def line(a: str, b: str) -> dict[str, Any]:
        ends = [board.city(a), board.city(b)]
        return {"type": "LineString", "coordinates": [[it.lon, it.lat] for it in ends]}

    def feature(geometry: dict[str, Any], **properties: Any) -> dict[str, Any]:
        return {"type": "Feature", "geometry": geometry, "properties": properties}

    return {
        "type": "FeatureCollection",
        "name": edition.name,
        "features": [
            *(
                feature(
                    {"type": "Point", "coordinates": [city.lon, city.lat]},
                    id=city.id,
                    name=city.name,
                )
                for city in board.cities
            ),
            *(
                feature(
                    line(route.a, route.b),
                    id=route.id,
                    a=route.a,
                    b=route.b,
                    length=route.length,
                    color=route.color,
                    ferry=route.ferry,
                    tunnel=route.tunnel,
                )
                for route in board.routes
            ),
            *(
                feature(
                    line(ticket.a, ticket.b),
                    id=ticket.id,
                    a=ticket.a,
                    b=ticket.b,
                    points=ticket.points,
                    set=ticket.set,
                    long=ticket.long,
                )
                for ticket in board.tickets
            ),
        ],
    }
