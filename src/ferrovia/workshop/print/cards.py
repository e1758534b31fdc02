"""Tickets and train cards on paper: fronts and backs, on sheets to be cut, or card by card."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from ferrovia.boards.edition import Edition
from ferrovia.boards.model import COLORS, Ticket
from ferrovia.drawing import style
from ferrovia.drawing.letters import written
from ferrovia.drawing.stored import layout_from_picture
from ferrovia.drawing.svg import path_data
from ferrovia.drawing.symbols import LOCOMOTIVE, SYMBOLS
from ferrovia.workshop.print.paper import (
    INK,
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

CardLayout = Literal["sheets", "single"]

CARD: Final = Size(68, 44)
BLEED: Final = 3.0
_EDGE = 4.0  # nothing that matters is nearer to the cut


class Side(NamedTuple):
    """A side of a card, from its corner: its colour, which reaches over the cut by the bleed, and
    what is on it.
    """

    fill: str
    drawn: str


def ticket_print(edition: Edition, layout: CardLayout, paper: Paper) -> Print:
    """Return the tickets of an edition, each with a small map."""
    small = _small_map(edition)
    longs = [ticket for ticket in edition.tickets if ticket.long]
    others = [ticket for ticket in edition.tickets if not ticket.long]
    cards = [
        (_ticket(edition, ticket, small), _back(edition.name, style.PLAYERS["blue"].fill))
        for ticket in others
    ] + [
        (_ticket(edition, ticket, small), _back(edition.name, style.PLAYERS["red"].fill))
        for ticket in longs
    ]
    return _print(f"{edition.name} · {version_of(edition)}", (small,), cards, layout, paper)


def card_print(edition: Edition, layout: CardLayout, paper: Paper) -> Print:
    """Return the train cards of an edition."""
    back = _back(edition.name, style.INK)
    cards = [(_train_card(color), back) for color in COLORS for _ in range(edition.cards[color])]
    return _print(f"{edition.name} · {version_of(edition)}", (), cards, layout, paper)


def _print(
    title: str,
    drawings: tuple[Drawing, ...],
    cards: Sequence[tuple[Side, Side]],
    layout: CardLayout,
    paper: Paper,
) -> Print:
    if layout == "single":
        size = Size(CARD.wide + 2 * BLEED, CARD.high + 2 * BLEED)
        sides = [side for card in cards for side in card]
        each = [
            (size, _ground(BLEED, BLEED, side) + _on(BLEED, BLEED, side), False) for side in sides
        ]
        return Print(title, drawings, tuple(numbered(title, each)))
    turned = PAPERS[paper], Size(PAPERS[paper].high, PAPERS[paper].wide)
    at = max(turned, key=lambda sheet: _grid(sheet)[0] * _grid(sheet)[1])
    columns, rows = _grid(at)
    left, top = (at.wide - columns * CARD.wide) / 2, (at.high - rows * CARD.high) / 2
    sheets = []
    for first in range(0, len(cards), columns * rows):
        block = cards[first : first + columns * rows]
        used = -(-len(block) // columns)
        marks = cut_marks(
            [left + n * CARD.wide for n in range(columns + 1)],
            [top + n * CARD.high for n in range(used + 1)],
        )
        for side in (0, 1):
            grounds, drawn = [], []
            for number, card in enumerate(block):
                row, column = divmod(number, columns)
                # Paper that is turned over has its columns the other way round.
                place = column if side == 0 else columns - 1 - column
                x, y = left + place * CARD.wide, top + row * CARD.high
                grounds.append(_ground(x, y, card[side]))
                drawn.append(_on(x, y, card[side]))
            sheets.append((at, "".join([*grounds, *drawn, marks]), True))
    return Print(title, drawings, tuple(numbered(title, sheets)))


def _ground(x: float, y: float, side: Side) -> str:
    wide, high = CARD.wide + 2 * BLEED, CARD.high + 2 * BLEED
    return rect(x - BLEED, y - BLEED, wide, high, f'fill="{side.fill}"')


def _on(x: float, y: float, side: Side) -> str:
    return f'<g transform="translate({x:.3f} {y:.3f})">{side.drawn}</g>'


def _grid(sheet: Size) -> tuple[int, int]:
    return (
        int((sheet.wide - 2 * MARGIN) // CARD.wide),
        int((sheet.high - 2 * MARGIN) // CARD.high),
    )


def _small_map(edition: Edition) -> Drawing:
    layout = layout_from_picture(edition.board)
    box = layout.map
    move = f'<g transform="translate({-box.left:.1f} {-box.top:.1f})">'
    lines = dict.fromkeys(layout.lines[route.id] for route in edition.board.routes)
    wide = box.width / 90
    edge = rect(0, 0, box.width, box.height, f'fill="{style.SEA}"')
    body = (
        f'<clipPath id="small-edge">{edge}</clipPath><g clip-path="url(#small-edge)">{edge}'
        f'{move}<path fill-rule="evenodd" fill="{style.LAND}" stroke="{style.COAST}" '
        f'stroke-width="{wide / 4:.1f}" d="{path_data(layout.land, close=True)}"/>'
        f'<path fill="{style.SEA}" d="{path_data(layout.lakes, close=True)}"/>'
        f'<path fill="none" stroke="{style.TRACK}" stroke-width="{wide / 3:.1f}" '
        f'd="{path_data(lines)}"/></g></g>'
    )
    return Drawing("small", box.width, box.height, body)


def _ticket(edition: Edition, ticket: Ticket, small: Drawing) -> Side:
    board, layout = edition.board, layout_from_picture(edition.board)
    room = Size(CARD.wide - 2 * _EDGE, CARD.high - 2 * _EDGE - 6)
    part = min(room.wide / small.wide, room.high / small.high)
    wide, high = small.wide * part, small.high * part
    left, top = _EDGE + (room.wide - wide) / 2, _EDGE + 6 + (room.high - high) / 2
    ends = [
        (left + (x - layout.map.left) * part, top + (y - layout.map.top) * part)
        for x, y in (layout.cities[ticket.a], layout.cities[ticket.b])
    ]
    (ax, ay), (bx, by) = ends
    color = style.PLAYERS["red" if ticket.long else "blue"].fill
    names = f"{board.city(ticket.a).name} – {board.city(ticket.b).name}"
    dots = "".join(
        f'<circle cx="{x:.2f}" cy="{y:.2f}" r="1.3" fill="{style.PLATE}" stroke="{color}" '
        'stroke-width="0.8"/>'
        for x, y in ends
    )
    x, y = CARD.wide - _EDGE - 5, CARD.high - _EDGE - 5
    return Side(
        style.FRAME,
        written(names, CARD.wide / 2, _EDGE + 4, 4.6, fill=INK, most=room.wide)
        + small.use(left, top, wide, high)
        + f'<path fill="none" stroke="{color}" stroke-width="0.8" stroke-dasharray="2 1.2" '
        f'd="M{ax:.2f} {ay:.2f}L{bx:.2f} {by:.2f}"/>'
        + dots
        + f'<circle cx="{x}" cy="{y}" r="5" fill="{color}"/>'
        + written(str(ticket.points), x, y + 2.1, 6, fill="#ffffff"),
    )


def _train_card(color: str) -> Side:
    locomotive = color == COLORS[-1]
    look = style.ROUTES["gray" if locomotive else color]
    mark = LOCOMOTIVE if locomotive else SYMBOLS[look.symbol]
    middle = f"translate({CARD.wide / 2} {CARD.high / 2})"
    corner = f'<path fill-rule="evenodd" fill="{look.mark}" d="{mark}" transform="'
    return Side(
        look.fill,
        rect(3, 3, CARD.wide - 6, CARD.high - 6, f'rx="2" fill="none" stroke="{look.edge}"')
        + f'{corner}{middle}scale(2.6)"/>{corner}translate(9 9)scale(0.8)"/>'
        + f'{corner}translate({CARD.wide - 9} {CARD.high - 9})scale(0.8)"/>',
    )


def _back(name: str, fill: str) -> Side:
    lines = "".join(f"M{x} 3V{CARD.high - 3:g}" for x in range(6, int(CARD.wide) - 3, 4))
    return Side(
        fill,
        '<path fill="none" stroke="#ffffff" stroke-opacity="0.25" stroke-width="0.4" '
        + f'd="{lines}"/>'
        + rect(3, 3, CARD.wide - 6, CARD.high - 6, 'rx="2" fill="none" stroke="#ffffff"')
        + written(name, CARD.wide / 2, CARD.high / 2 + 2.6, 7.5, fill="#ffffff", most=54),
    )
