"""Boards as tables (CSV): cities, routes and tickets, each a file with one row for each thing.

Read are our own and those of spreadsheets and other editors: columns are known by many names, in
any order and case, with commas, semicolons or tabs between them.
"""

import csv
import io
from collections.abc import Callable, Iterable

from ferrovia.boards.edition import Edition
from ferrovia.boards.model import Board
from ferrovia.boards.reading.problems import refusal
from ferrovia.workshop.exchange.parts import (
    Cells,
    Claimant,
    Link,
    Parts,
    Stop,
    color_of,
    number,
    whole,
    yes,
)

_ROWS = 2_000
_CELL = 1_000
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def read_table(data: bytes, name: str, parts: Parts) -> None:
    """Add what a table holds to `parts`; raises `BoardError` for a table of something else."""
    rows = list(_rows(_text(data), name))
    heads = set(rows[0]) if rows else set()
    ends = {"from", "to"} <= heads or {"a", "b"} <= heads
    if ends and "points" in heads and "length" not in heads:
        parts.tickets += [_ticket(row) for row in rows]
    elif ends and "length" in heads:
        parts.links += [_link(row) for row in rows]
    elif "name" in heads and not ends:
        parts.stops += [stop for row in rows if (stop := _stop(row, parts)) is not None]
    elif ends and "points" in heads:
        parts.tickets += [_ticket(row) for row in rows]
    else:
        hint = "cities have a column Name, routes From, To and Length, tickets From, To and Points"
        raise refusal("is no table of cities, routes or tickets", hint, file=name)


def _text(data: bytes) -> str:
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def _rows(text: str, name: str) -> Iterable[dict[str, str]]:
    first = text.split("\n", 1)[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text.replace("\0", "")), delimiter=separator)
    try:
        heads = [cell.strip().lower() for cell in next(reader, [])]
        for count, cells in enumerate(reader):
            if count >= _ROWS:
                raise refusal(f"has more than {_ROWS} rows", file=name)
            if any(cell.strip() for cell in cells):
                yield {
                    head: _unquoted(cell[:_CELL].strip())
                    for head, cell in zip(heads, cells, strict=False)
                }
    except csv.Error as problem:
        raise refusal(f"is no table: {problem}", file=name) from None


def _unquoted(cell: str) -> str:
    """Return a cell without the apostrophe that keeps a spreadsheet from running it."""
    return cell[1:] if cell.startswith("'") and cell[1:2] in _FORMULA else cell


def _first(row: Cells, *heads: str) -> str:
    return next((row[head] for head in heads if row.get(head)), "")


def _stop(row: Cells, parts: Parts) -> Stop | None:
    name = _first(row, "name")
    if not name:
        parts.note("a city without a name was left out")
        return None
    if _first(row, "kind", "type").lower() in ("waypoint", "junction"):
        parts.note(f"the junction '{name[:60]}' is a city here: routes end in cities")
    return Stop(
        reference=_first(row, "id") or name,
        name=name,
        lat=number(_first(row, "lat", "latitude")),
        lon=number(_first(row, "lon", "lng", "longitude", "long")),
        x=number(_first(row, "x")),
        y=number(_first(row, "y")),
    )


def _link(row: Cells) -> Link:
    style = _first(row, "wagon style", "style", "type", "kind").lower()
    return Link(
        a=_first(row, "from id", "from", "a"),
        b=_first(row, "to id", "to", "b"),
        length=whole(_first(row, "length")),
        color=color_of(_first(row, "colour", "color")),
        ferry=whole(_first(row, "locomotives", "ferrylocomotives", "ferry")),
        tunnel="tunnel" in style or yes(_first(row, "tunnel")),
    )


def _ticket(row: Cells) -> Claimant:
    return Claimant(
        a=_first(row, "from id", "from", "a"),
        b=_first(row, "to id", "to", "b"),
        points=whole(_first(row, "points")),
        deck=_first(row, "deck", "set"),
        long=yes(_first(row, "long deck", "long")),
    )


# Writing


def tables_of(edition: Edition) -> dict[str, str]:
    """Return the tables of a board by the names of their files."""
    board = edition.board
    names = {city.id: city.name for city in board.cities}
    return {
        f"{board.id}-cities.csv": _table(
            ("Id", "Name", "Lat", "Lon"),
            ((city.id, city.name, city.lat, city.lon) for city in board.cities),
        ),
        f"{board.id}-routes.csv": _table(
            ("From", "To", "From id", "To id", "Length", "Colour", "Locomotives", "Tunnel"),
            _route_rows(board, names.__getitem__),
        ),
        f"{board.id}-tickets.csv": _table(
            ("Deck", "From", "To", "From id", "To id", "Points", "Long deck"),
            (
                (
                    *(it.set, names[it.a], names[it.b], it.a, it.b),
                    *(it.points, "yes" if it.long else ""),
                )
                for it in board.tickets
            ),
        ),
    }


def _route_rows(board: Board, name: Callable[[str], str]) -> Iterable[tuple[object, ...]]:
    for route in board.routes:
        color = "Grey" if route.color == "gray" else route.color.capitalize()
        ends = name(route.a), name(route.b), route.a, route.b
        yield (*ends, route.length, color, route.ferry or "", "yes" if route.tunnel else "")


def _table(heads: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(heads)
    for row in rows:
        writer.writerow(
            f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
            for cell in row
        )
    return "\ufeff" + out.getvalue()
