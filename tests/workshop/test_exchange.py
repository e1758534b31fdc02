"""Files of other programs: read in one step, hostile until checked, and our own there and back."""

import json
import math
import random
from typing import Any

import pytest

from ferrovia.boards import Board, BoardError, Edition, edition_from_document, load_edition
from ferrovia.workshop.exchange.geojson import geojson_of
from ferrovia.workshop.exchange.read import read_foreign
from ferrovia.workshop.exchange.tables import tables_of

EUROPE = load_edition("europe")

STOPS = (
    "Name;Type;X;Y\r\nHarbour;Ferry port;100;650\r\nHill Town;;400;400\r\n"
    "Åby;;700;300\r\nMill;;900;600\r\n"
)
ROUTES = (
    "From;To;Length;Colour;Type;Wagon style;Locomotives\r\n"
    "Harbour;Hill Town;3;Red;Railway;;\r\nharbour;hill town;3;Blue;;;\r\n"
    "Hill Town;Åby;4;Grey;;Tunnel;\r\nÅby;Mill;2;Pink;;;\r\nMill;Harbour;5;Green;Boat;;2\r\n"
)
TICKETS = "Deck;From;To;Points;Long deck\r\n" + "".join(
    f"Main;{a};{b};{points};\r\n"
    for a, b, points in [("Harbour", "Åby", 7), ("Hill Town", "Mill", 6), ("Harbour", "Mill", 5)]
    * 4
)


def facts(board: Board) -> tuple[object, ...]:
    return (
        [(city.id, city.name, city.lat, city.lon) for city in board.cities],
        [(it.a, it.b, it.length, it.color, it.ferry, it.tunnel) for it in board.routes],
        [(it.a, it.b, it.points, it.set, it.long) for it in board.tickets],
    )


def test_tables_of_the_map_editor_are_read_in_one_step() -> None:
    files = {
        "tickets.csv": TICKETS.encode("cp1252"),
        "stops.csv": STOPS.encode("cp1252"),
        "routes.csv": ROUTES.encode("utf-8-sig"),
    }
    document, notes = read_foreign(files)
    document["edition"] |= {"seats": [2, 2], "trains": 9}
    board = edition_from_document(document).board
    assert [city.name for city in board.cities] == ["Harbour", "Hill Town", "Åby", "Mill"]
    assert [route.color for route in board.routes] == ["red", "blue", "gray", "purple", "gray"]
    assert [(route.ferry, route.tunnel) for route in board.routes][2:] == [
        (0, True),
        (0, False),
        (2, False),
    ]
    assert board.twin(board.routes[0].id) is board.routes[1]
    assert board.tickets[0].set == "main"
    assert any("is grey now" in note for note in notes)
    west, east = board.cities[0], board.cities[3]
    assert west.lon < east.lon
    assert board.cities[2].lat > board.cities[0].lat  # y is down


def ring(**more: Any) -> dict[str, Any]:
    names = [
        "Alder",
        "Birch",
        "Cedar",
        "Dogwood",
        "Elm",
        "Fir",
        "Gorse",
        "Hazel",
        "Ivy",
        "Juniper",
        "Kale",
        "Larch",
    ]
    turn = 2 * math.pi / len(names)
    stops = [
        {
            "id": f"s{n}",
            "name": name,
            "type": "city",
            "x": 500 + 400 * math.cos(n * turn),
            "y": 350 + 250 * math.sin(n * turn),
        }
        for n, name in enumerate(names)
    ]
    routes: list[dict[str, Any]] = [
        {"id": f"r{n}", "a": f"s{n}", "b": f"s{(n + 1) % 12}", "length": 2 + n % 4, "color": "red"}
        for n in range(12)
    ]
    routes += [
        {"id": "x", "a": "s0", "b": "s6", "length": 5, "color": "neutral", "locomotiveSlots": [1]},
        {"id": "y", "a": "s3", "b": "s9", "length": 4, "color": "blue", "wagonStyle": "tunnel"},
        {"id": "z", "a": "s2", "b": "s8", "length": 0, "type": "path"},
    ]
    payload = {
        "name": "Ring",
        "stops": stops,
        "routes": routes,
        "routeTypeStyles": [{"id": "path", "infrastructure": True}],
        "wagonsPerPlayer": 20,
        "players": {"min": 2, "max": 3},
        "later": {"field": 1},
    }
    return {"format": "ticket-to-ride-map", "version": 3, "kind": "map", "payload": payload, **more}


def test_a_map_of_the_map_editor_is_read_and_gets_tickets() -> None:
    document, notes = read_foreign({"ring.json": json.dumps(ring()).encode()})
    edition = edition_from_document(document)
    assert (edition.name, edition.trains, edition.seats) == ("Ring", 20, (2, 3))
    assert len(edition.board.routes) == 14
    assert edition.board.routes[12].ferry == 1
    assert edition.board.routes[13].tunnel
    assert any("tickets" in note for note in notes)
    assert len(edition.tickets) >= 12


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"version": 5}, "newest known"),
        ({"version": "x"}, "newest"),
        ({"kind": "background"}, "without"),
    ],
)
def test_newer_maps_and_other_kinds_are_refused_in_words(
    changed: dict[str, Any], said: str
) -> None:
    with pytest.raises(BoardError, match=said):
        read_foreign({"ring.json": json.dumps(ring(**changed)).encode()})


def exported(edition: Edition) -> list[dict[str, bytes]]:
    return [
        {name: table.encode() for name, table in tables_of(edition).items()},
        {"a.geojson": json.dumps(geojson_of(edition)).encode()},
    ]


def test_our_tables_and_geojson_come_back_as_they_were() -> None:
    for files in exported(EUROPE):
        document, notes = read_foreign(files)
        assert notes == ()
        assert facts(edition_from_document(document).board) == facts(EUROPE.board)


def test_what_a_spreadsheet_would_run_is_only_text() -> None:
    document = EUROPE.document()
    document["cities"][0]["name"] = "=HYPERLINK(1)"
    document["edition"] = {}
    tables = tables_of(edition_from_document(document))
    assert "'=HYPERLINK" in tables["europe-cities.csv"]
    back, _ = read_foreign({name: table.encode() for name, table in tables.items()})
    assert back["cities"][0]["name"] == "=HYPERLINK(1)"


def test_broken_files_are_refused_or_become_a_document_and_never_anything_else() -> None:
    chance = random.Random(5)
    whole = [*exported(EUROPE), {"ring.json": json.dumps(ring()).encode()}]
    for _ in range(300):
        files = dict(chance.choice(whole))
        name = chance.choice(list(files))
        data = bytearray(files[name])
        for _ in range(chance.randrange(1, 12)):
            at = chance.randrange(len(data))
            data[at : at + chance.randrange(4)] = chance.randbytes(chance.randrange(4))
        files[name] = bytes(data)
        try:
            document, _ = read_foreign(files)
            edition_from_document(document)
        except BoardError:
            pass


def test_newer_board_files_are_refused_and_keys_of_others_are_kept() -> None:
    document = {**EUROPE.document(), "version": 2}
    with pytest.raises(BoardError, match="newer Ferrovia"):
        edition_from_document(document)
    more = {**EUROPE.document(), "version": 1, "$schema": "board.schema.json", "x-editor": {"a": 1}}
    assert edition_from_document(more) == EUROPE
    with pytest.raises(BoardError, match="editor"):
        edition_from_document({**EUROPE.document(), "editor": 1})
