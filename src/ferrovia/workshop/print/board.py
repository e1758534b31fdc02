"""A board on paper: on one sheet, as equal panels at full size, or whole at full size."""

import re
from math import ceil
from typing import Final, Literal

from ferrovia.boards.edition import Edition
from ferrovia.drawing import draw, sizes
from ferrovia.drawing.letters import outlined
from ferrovia.workshop.print.paper import (
    MARGIN,
    PAPERS,
    Drawing,
    Paper,
    Print,
    Size,
    cut_marks,
    numbered,
    rect,
    version_of,
)

Layout = Literal["one", "panels", "full"]

SPACE: Final = 20.0
"""The length of a space at full size, in millimetres: a plastic train fits on it."""

_WHOLE = re.compile(r'<svg [^>]*viewBox="0 0 ([0-9.]+) ([0-9.]+)"[^>]*>(.*)</svg>', re.DOTALL)


def board_drawing(edition: Edition) -> Drawing:
    """Return the drawing of a board, in units of its layout, with text as paths."""
    found = _WHOLE.search(outlined(draw(edition.board)))
    assert found is not None
    return Drawing("board", float(found[1]), float(found[2]), found[3])


def full_size(drawing: Drawing, long_side: float | None = None) -> Size:
    """Return the size of a board: its spaces 20 mm long, or its longer side as long as wanted."""
    unit = SPACE / sizes.SPACE_MOST
    if long_side is not None:
        unit = long_side / max(drawing.wide, drawing.high)
    return Size(drawing.wide * unit, drawing.high * unit)


def board_print(
    edition: Edition, layout: Layout, paper: Paper, long_side: float | None = None
) -> Print:
    """Return the sheets of a board."""
    drawing = board_drawing(edition)
    size = full_size(drawing, long_side)
    title = f"{edition.name} · {version_of(edition)}"
    if layout == "full":
        sheet = Size(size.wide + 2 * MARGIN, size.high + 2 * MARGIN)
        body = drawing.use(MARGIN, MARGIN, *size)
        marks = cut_marks((MARGIN, MARGIN + size.wide), (MARGIN, MARGIN + size.high))
        return Print(title, (drawing,), tuple(numbered(title, [(sheet, body + marks, True)])))
    turned = PAPERS[paper], Size(PAPERS[paper].high, PAPERS[paper].wide)
    if layout == "one":
        at = max(turned, key=lambda sheet: _scale(sheet, size))
        part = _scale(at, size)
        wide, high = size.wide * part, size.high * part
        left, top = (at.wide - wide) / 2, (at.high - high) / 2
        body = drawing.use(left, top, wide, high) + cut_marks(
            (left, left + wide), (top, top + high)
        )
        return Print(title, (drawing,), tuple(numbered(title, [(at, body, True)])))
    at = min(turned, key=lambda sheet: _panels(sheet, size)[0] * _panels(sheet, size)[1])
    columns, rows = _panels(at, size)
    wide, high = size.wide / columns, size.high / rows
    left, top = (at.wide - wide) / 2, (at.high - high) / 2
    sheets = []
    for row in range(rows):
        for column in range(columns):
            clip = f"panel-{row}-{column}"
            body = (
                f'<clipPath id="{clip}">{rect(left, top, wide, high, "")}</clipPath>'
                f'<g clip-path="url(#{clip})">'
                + drawing.use(left - column * wide, top - row * high, *size)
                + "</g>"
                + cut_marks((left, left + wide), (top, top + high))
            )
            sheets.append((at, body, True))
    title = f"{title} · {columns} × {rows}"
    return Print(title, (drawing,), tuple(numbered(title, sheets)))


def _scale(sheet: Size, size: Size) -> float:
    room = sheet.wide - 2 * MARGIN, sheet.high - 2 * MARGIN
    return min(room[0] / size.wide, room[1] / size.high)


def _panels(sheet: Size, size: Size) -> tuple[int, int]:
    """Return how many panels of a sheet lie beside and below each other."""
    columns = ceil(size.wide / (sheet.wide - 2 * MARGIN) - 1e-9)
    return columns, ceil(size.high / (sheet.high - 2 * MARGIN) - 1e-9)
