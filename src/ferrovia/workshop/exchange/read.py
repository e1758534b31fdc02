"""Reading the files of others in one step, whatever they are."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from ferrovia.boards.catalog import edition_from_document
from ferrovia.boards.edition import Edition
from ferrovia.boards.limits import MAX_BYTES
from ferrovia.boards.model import Board
from ferrovia.boards.reading.json_file import parse_document
from ferrovia.boards.reading.problems import BoardError, refusal
from ferrovia.workshop.exchange.geojson import is_geojson, read_geojson
from ferrovia.workshop.exchange.map_editor import is_map, read_map
from ferrovia.workshop.exchange.parts import Imported, Parts, imported
from ferrovia.workshop.exchange.tables import read_table
from ferrovia.workshop.ticket_search import search_tickets

_ENOUGH = 60  # tickets for the largest table
_FILES = 10
MOST_BYTES = 16 << 20
"""The largest file that is read: a map may hold a picture."""


def read_foreign(files: Mapping[str, bytes]) -> Imported:
    """Return the board file of one map, or of tables that belong together, by the names of their
    files, and what was left out; raises `BoardError` for files that hold no board.

    Where there are no tickets, some are searched. The board file still has to be checked.
    """
    if len(files) > _FILES:
        raise refusal(f"{len(files)} files are too many for one board")
    parts = Parts(name=PurePath(next(iter(files), "board")).stem)
    for name, data in files.items():
        _read(data, name, parts)
    if not parts.links:
        raise refusal("there are no routes in these files", "give the table of routes as well")
    found = imported(parts)
    return _with_tickets(found) if not found.document["tickets"] else found


def _read(data: bytes, name: str, parts: Parts) -> None:
    if len(data) > MOST_BYTES:
        raise refusal(f"is larger than {MOST_BYTES >> 20} MiB", file=name)
    start = data[:100].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith((b"{", b"[")):
        if len(data) > MAX_BYTES:
            raise refusal(f"is larger than {MAX_BYTES >> 20} MiB", file=name)
        read_table(data, name, parts)
        return
    try:
        value = parse_document(data.decode("utf-8-sig"), name).value
    except UnicodeDecodeError:
        raise refusal("is not UTF-8 text", "save the file as UTF-8", file=name) from None
    if is_map(value):
        read_map(_dict(value), name, parts)
    elif is_geojson(value):
        read_geojson(_dict(value), parts)
    else:
        hint = "read are tables (CSV), GeoJSON, and maps of the map editor"
        raise refusal("holds no board of a form that is known", hint, file=name)


def _dict(value: object) -> dict[str, Any]:
    assert isinstance(value, dict)
    return value


def without_tickets(value: object) -> Edition:
    """Return the edition of a document whose tickets are not there yet, or do not matter; it is
    sound but for its tickets. Raises `BoardError`.
    """
    document = value if isinstance(value, dict) else {}
    routes = document.get("routes")
    ends = [
        (route.get("a"), route.get("b"))
        for route in (routes if isinstance(routes, list) else [])
        if isinstance(route, dict)
    ]
    stand_ins = [
        {"id": f"own:{number}", "a": a, "b": b, "points": 1}
        for number, (a, b) in enumerate((ends * _ENOUGH)[:_ENOUGH])
    ]
    numbers = document.get("edition")
    inner = numbers if isinstance(numbers, dict) else {}
    kept = {
        key: value for key, value in inner.items() if key not in ("sets", "marked_only", "deals")
    }
    return edition_from_document({**document, "tickets": stand_ins, "edition": kept})


def _with_tickets(found: Imported) -> Imported:
    """Return the board with tickets that were searched, where its routes are sound."""
    document = found.document
    try:
        edition = without_tickets(document)
    except BoardError:
        return found  # its problems are said when it is checked
    board = edition.board
    bare = Board(board.id, board.cities, board.routes, ())
    tickets = search_tickets(bare, edition.trains, 1)
    told = [
        {"id": it.id, "a": it.a, "b": it.b, "points": it.points, "set": it.set} for it in tickets
    ]
    note = f"there were no tickets: {len(told)} were searched"
    return Imported({**document, "tickets": told}, (*found.notes, note))
