"""The matrix of a tournament as SVG."""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from ferrovia.drawing import style
from ferrovia.lab.tournament.intervals import Share
from ferrovia.lab.tournament.tournament import Standings

_CELL, _ROW, _HEAD = 92, 54, 96
_WON, _EVEN, _LOST = (0x1F, 0x5F, 0xB4), (0xFF, 0xFD, 0xF7), (0xC4, 0x25, 0x1D)


def matrix_svg(standings: Standings, title: str, anchor: int, at: float) -> str:
    """Return the win shares of all pairs, the strongest bot first; colour and figures agree."""
    bots = standings.tournament.bots
    ranking = standings.ranking(anchor, at)
    names = [bots[n] for n, _ in ranking]
    left = max(118, 26 + 9 * max(map(len, names)))
    width, height = left + 104 + _CELL * len(bots) + 24, _HEAD + _ROW * len(bots) + 52
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title, {chr(34): ""})}" '
        f'font-family="{style.FONT}" fill="{style.INK}">',
        f'<rect width="{width}" height="{height}" fill="{style.FRAME}"/>',
        _text(24, 34, title, size=19, weight=700),
        _text(left + 44, _HEAD - 12, "Elo", size=12, weight=600, anchor="middle"),
    ]
    for column, name in enumerate(names):
        x = left + 104 + _CELL * column + _CELL / 2
        parts.append(
            _text(x, _HEAD - 12, name, size=12, weight=600, anchor="middle", most=_CELL - 8)
        )
    for row, (number, rating) in enumerate(ranking):
        y = _HEAD + _ROW * row
        elo = f"{rating.elo:.0f}" if rating else "–"
        error = "given" if number == anchor else f"± {rating.margin:.0f}" if rating else ""
        parts += [
            f'<path d="M24 {y}H{width - 24}" stroke="{style.INK}" stroke-width="0.6"/>',
            _text(24, y + 33, bots[number], size=15, weight=700),
            _text(left + 44, y + 26, elo, size=16, weight=700, anchor="middle"),
            _text(left + 44, y + 43, error, size=11, anchor="middle"),
        ]
        for column, (other, _) in enumerate(ranking):
            if number != other:
                share = standings.share(number, other)
                parts += _cell(left + 104 + _CELL * column, y, share)
    foot = "share of the games won by the row, and its 95% confidence interval"
    parts += [_text(24, height - 20, foot, size=11), "</svg>"]
    return "\n".join(parts) + "\n"


def _cell(x: float, y: float, share: Share | None) -> list[str]:
    if share is None:
        return []
    fill = _tint(share.value)
    ink = "#ffffff" if abs(share.value - 0.5) > 0.32 else style.INK
    middle = x + _CELL / 2
    interval = f"{100 * share.low:.0f}–{100 * share.high:.0f}"
    return [
        f'<rect x="{x + 3}" y="{y + 4}" width="{_CELL - 6}" height="{_ROW - 8}" rx="4" '
        f'fill="{fill}"/>',
        _text(middle, y + 27, f"{share.value:.0%}", size=16, weight=700, anchor="middle", fill=ink),
        _text(middle, y + 42, interval, size=10.5, anchor="middle", fill=ink),
    ]


def _tint(share: float) -> str:
    """Return a colour from red (all lost) over paper to blue (all won)."""
    end, strength = (_WON, 2 * share - 1) if share >= 0.5 else (_LOST, 1 - 2 * share)
    mixed: Sequence[int] = [round(a + (b - a) * strength) for a, b in zip(_EVEN, end, strict=True)]
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: float,
    weight: int = 400,
    anchor: str = "start",
    fill: str | None = None,
    most: float | None = None,
) -> str:
    """Return text, squeezed where it would be wider than `most`."""
    squeezed = most is not None and len(text) * size * 0.56 > most
    fitted = f' textLength="{most}" lengthAdjust="spacingAndGlyphs"' if squeezed else ""
    color = f' fill="{fill}"' if fill else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" font-weight="{weight}" '
        f'text-anchor="{anchor}"{color}{fitted}>{escape(text)}</text>'
    )
