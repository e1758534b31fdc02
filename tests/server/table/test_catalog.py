"""Boards that the people who run a server offer, and how a browser comes by their pictures."""

import json
from collections.abc import Callable
from pathlib import Path

from ferrovia.server.catalog import Catalog
from tests.server.support.people import api
from tests.server.support.processes import Server

OWN = {
    "board": "europe",
    "cities": [
        {"id": "porto", "name": "Porto", "lat": 41.15, "lon": -8.61},
        {"id": "lisboa", "name": "Lisboa", "lat": 38.72, "lon": -9.14},
        {"id": "faro", "name": "Faro", "lat": 37.02, "lon": -7.93},
    ],
    "routes": [
        {"id": "lisboa-porto", "a": "lisboa", "b": "porto", "length": 3, "color": "red"},
        {"id": "faro-lisboa", "a": "faro", "b": "lisboa", "length": 3, "color": "blue"},
    ],
    "tickets": [
        {"id": f"own:{number}", "a": "faro", "b": "porto", "points": number}
        for number in range(1, 10)
    ],
    "edition": {"name": "Own Europe", "seats": [2, 2], "trains": 5},
}


def _own_europe(folder: Path) -> str:
    path = folder / "own.json"
    path.write_text(json.dumps(OWN))
    return str(path)


def test_a_board_replaces_ours_of_the_same_id(tmp_path: Path) -> None:
    catalog = Catalog([_own_europe(tmp_path)])
    europes = [one for one in catalog.editions() if one.id == "europe"]
    assert [edition.name for edition in europes] == ["Own Europe"]
    assert len(catalog.find("europe", ()).board.cities) == 3
    assert len(catalog.find("europe-1912", ()).board.cities) > 40


def test_a_picture_is_that_of_the_board_and_is_sent_once(
    tmp_path: Path, serving: Callable[..., Server]
) -> None:
    server = serving(f"{tmp_path}/games.sqlite", boards=[_own_europe(tmp_path)])
    client = api(server.address)
    sent = client.get("/api/editions/europe/picture")
    assert [city["name"] for city in sent.json()["cities"]] == ["Porto", "Lisboa", "Faro"]
    tag = sent.headers["etag"]
    again = client.get("/api/editions/europe/picture", headers={"if-none-match": f"W/{tag}"})
    assert (again.status_code, again.content) == (304, b"")
    ours = client.get("/api/editions/europe-1912/picture", headers={"if-none-match": tag})
    assert len(ours.json()["cities"]) > 40
