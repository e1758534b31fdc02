"""Regions of the world and their cities, from GeoNames (https://www.geonames.org, CC BY 4.0)."""

import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from math import cos, hypot, radians
from typing import Final, NamedTuple
from unicodedata import combining

from ferrovia.boards.reading.problems import nearest, refusal

CREDIT: Final = "Cities: GeoNames (geonames.org), CC BY 4.0. Land: Natural Earth, public domain."

_CONTINENTS: Final = {
    "africa": "AF",
    "asia": "AS",
    "europe": "EU",
    "north-america": "NA",
    "oceania": "OC",
    "south-america": "SA",
}


class Place(NamedTuple):
    """A city of the world; `people` in thousands."""

    name: str
    lat: float
    lon: float
    people: int
    country: str


class Country(NamedTuple):
    """A country by its code of two letters."""

    code: str
    continent: str
    name: str


@cache
def _world() -> tuple[tuple[Country, ...], tuple[Place, ...]]:
    countries, places = [], []
    text = (files(__package__) / "data" / "cities.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        first, *rest = line.split("\t")
        if first:
            countries.append(Country(first, rest[0], rest[1]))
        else:
            name, lat, lon, people = rest
            places.append(Place(name, float(lat), float(lon), int(people), countries[-1].code))
    return tuple(countries), tuple(places)


def region_names() -> tuple[tuple[str, str], ...]:
    """Return every region by its word and its English name: continents, then countries."""
    continents = [(word, word.replace("-", " ").title()) for word in _CONTINENTS]
    countries = sorted((country.name, _word(country.name)) for country in _world()[0])
    return (*continents, *((word, name) for name, word in countries))


def places_in(region: str) -> tuple[Place, ...]:
    """Return the cities of a region, the largest first: a country by name or code, several with
    `+` between them, a continent, or a box `south,west,north,east` in degrees.

    Raises `BoardError` if there is no such region.
    """
    if len(region) > 200:
        raise refusal("the region has too long a name")
    parts = [part.strip() for part in region.lower().split("+")]
    if any("," in part for part in parts):
        return _in_box(region)
    found: list[Place] = []
    countries, places = _world()
    by_word = {_word(country.name): country.code for country in countries}
    codes = {country.code.lower(): country.code for country in countries}
    for part in parts:
        word = _word(part)
        if word in _CONTINENTS:
            inside = {it.code for it in countries if it.continent == _CONTINENTS[word]}
        elif word in by_word or word in codes:
            inside = {by_word.get(word) or codes[word]}
        else:
            raise refusal(
                f"there is no region '{part[:40]}'", nearest(word, [*_CONTINENTS, *by_word])
            )
        found += [place for place in places if place.country in inside]
    return _largest_first(found)


def _in_box(region: str) -> tuple[Place, ...]:
    try:
        south, west, north, east = (float(part) for part in region.split(","))
        if not (-90 <= south < north <= 90 and -180 <= west < east <= 180):
            raise ValueError
    except ValueError:
        hint = "for example 36,-10,44,4"
        raise refusal("a box is south,west,north,east in degrees", hint) from None
    return _largest_first(
        place for place in _world()[1] if south <= place.lat <= north and west <= place.lon <= east
    )


def places_called(text: str, near: tuple[float, float] | None, most: int) -> tuple[Place, ...]:
    """Return cities with a word that begins like `text`, whatever its accents: those whose whole
    name it begins first, then the nearest to a place (latitude, longitude) or the largest.
    """
    wanted = _plain(text[:60])
    if not wanted:
        return ()
    found = [
        (not name.startswith(wanted), _distance(place, near), -place.people, place)
        for place in _world()[1]
        if (name := _plain(place.name)).startswith(wanted) or f" {wanted}" in name
    ]
    return tuple(place for *_, place in sorted(found)[:most])


def _distance(place: Place, near: tuple[float, float] | None) -> int:
    """Return how far it is to a place, in whole degrees."""
    if near is None:
        return 0
    east = abs(place.lon - near[1])
    wide = min(east, 360 - east) * cos(radians(near[0]))
    return round(hypot(place.lat - near[0], wide))


def _plain(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text).casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in apart if not combining(c)).split())


def _largest_first(places: Iterable[Place]) -> tuple[Place, ...]:
    return tuple(sorted(places, key=lambda place: (-place.people, place.name)))


def _word(name: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split())
