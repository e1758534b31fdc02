"""Sheets of paper with what is drawn on them, as SVG in millimetres; a PDF is made of the same."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from ferrovia.boards.edition import Edition
from ferrovia.drawing.letters import written

Paper = Literal["a4", "a3", "letter", "tabloid"]

INK: Final = "#192837"
MARGIN: Final = 12.0  # which no printer needs more of
_MARK = 5.0  # the length of a cut mark
_HAIR = 0.2
_RULER = 100  # millimetres


class Size(NamedTuple):
    """A width and a height in millimetres."""

    wide: float
    high: float


PAPERS: Final[dict[Paper, Size]] = {
    "a4": Size(210, 297),
    "a3": Size(297, 420),
    "letter": Size(215.9, 279.4),
    "tabloid": Size(279.4, 431.8),
}


@dataclass(frozen=True)
class Drawing:
    """Something that is drawn on several sheets: its name, size in its own units, and elements."""

    id: str
    wide: float
    high: float
    body: str

    def use(self, x: float, y: float, wide: float, high: float) -> str:
        """Return it at a place of a sheet, in that size."""
        place = f'x="{x:.3f}" y="{y:.3f}" width="{wide:.3f}" height="{high:.3f}"'
        return f'<use href="#{self.id}" {place}/>'


@dataclass(frozen=True)
class PaperSheet:
    """A side of paper: its size, and what is on it."""

    size: Size
    body: str


@dataclass(frozen=True)
class Print:
    """What is printed."""

    title: str
    drawings: tuple[Drawing, ...]
    sheets: tuple[PaperSheet, ...]


def version_of(edition: Edition) -> str:
    """Return a word that names the contents of a board: an old copy has another one."""
    document = edition.document()
    document["edition"]["id"] = ""
    text = json.dumps(document, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def rect(x: float, y: float, wide: float, high: float, look: str) -> str:
    """Return a rectangle."""
    return f'<rect x="{x:.3f}" y="{y:.3f}" width="{wide:.3f}" height="{high:.3f}" {look}/>'


def cut_marks(xs: Iterable[float], ys: Iterable[float]) -> str:
    """Return marks outside a block whose cuts lie at these places."""
    xs, ys = sorted(xs), sorted(ys)
    left, right, top, bottom = xs[0], xs[-1], ys[0], ys[-1]
    lines = []
    for x in xs:
        lines += [(x, top - 1.5, x, top - 1.5 - _MARK), (x, bottom + 1.5, x, bottom + 1.5 + _MARK)]
    for y in ys:
        lines += [(left - 1.5, y, left - 1.5 - _MARK, y), (right + 1.5, y, right + 1.5 + _MARK, y)]
    data = "".join(f"M{a:.3f} {b:.3f}L{c:.3f} {d:.3f}" for a, b, c, d in lines)
    return f'<path fill="none" stroke="{INK}" stroke-width="{_HAIR}" d="{data}"/>'


def ruler(x: float, y: float) -> str:
    """Return a ruler of 100 mm, to see whether the printer kept the size."""
    ticks = "".join(
        f"M{x + at:.3f} {y:.3f}V{y - (3 if at % 50 == 0 else 2 if at % 10 == 0 else 1):.3f}"
        for at in range(0, _RULER + 1, 5)
    )
    return (
        f'<path fill="none" stroke="{INK}" stroke-width="{_HAIR}" '
        f'd="M{x:.3f} {y:.3f}H{x + _RULER:.3f}{ticks}"/>'
        + written("100 mm", x + _RULER + 2, y, 3, fill=INK, anchor="start")
    )


def numbered(title: str, sheets: Iterable[tuple[Size, str, bool]]) -> Iterator[PaperSheet]:
    """Yield sheets with the title and their number, and a ruler on the first; those that are no
    paper to be cut, as cards for a print shop, stay as they are.
    """
    all_sheets = list(sheets)
    for number, (size, body, marked) in enumerate(all_sheets):
        if not marked:
            yield PaperSheet(size, body)
            continue
        words = f"{title} · {number + 1}/{len(all_sheets)}"
        top = written(words, MARGIN, 6, 3, fill=INK, anchor="start", most=size.wide - 2 * MARGIN)
        yield PaperSheet(size, body + top + (ruler(MARGIN, size.high - 2.5) if number == 0 else ""))


def as_svg(print_: Print, number: int) -> str:
    """Return one sheet as an SVG document that needs nothing else."""
    sheet = print_.sheets[number]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{sheet.size.wide}mm" '
        f'height="{sheet.size.high}mm" viewBox="0 0 {sheet.size.wide} {sheet.size.high}">\n'
        f"{symbols(print_)}\n{sheet.body}\n</svg>\n"
    )


def symbols(print_: Print) -> str:
    """Return the drawings as symbols that sheets use."""
    return "\n".join(
        f'<symbol id="{one.id}" viewBox="0 0 {one.wide:g} {one.high:g}" '
        f'preserveAspectRatio="none">{one.body}</symbol>'
        for one in print_.drawings
    )
